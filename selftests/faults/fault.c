// SPDX-License-Identifier: GPL-2.0
/* The n-th allocation fails: of this thread, by fail-nth; or of the module, whoever runs it. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "faults.h"

#define DEBUGFS		"/sys/kernel/debug/"
/* How often the module's allocations were counted since boot: see module_begin(). */
#define COUNT_FILE	"/run/srqpool-faults"

/* What can fail, slabs and pages. */
static const char * const kinds[] = { "failslab", "fail_page_alloc" };
#define KINDS	(sizeof(kinds) / sizeof(kinds[0]))

static int nth_fd;
static long nth;
static bool hit;
/* The kind, if it is the module whose allocations fail. */
static size_t kind;
static bool of_module;
static unsigned long counted[KINDS];

static void put(const char *dir, const char *file, const char *value)
{
	char path[128];
	int fd;

	snprintf(path, sizeof(path), "%s%s/%s", DEBUGFS, dir, file);
	fd = open(path, O_WRONLY);
	if (fd < 0 || write(fd, value, strlen(value)) < 0)
		die("%s: %s", path, strerror(errno));
	close(fd);
}

static void put_number(const char *dir, const char *file, unsigned long value)
{
	char text[32];

	snprintf(text, sizeof(text), "%lu", value);
	put(dir, file, text);
}

static long get_number(const char *dir, const char *file)
{
	char path[128];
	FILE *in;
	long value;

	snprintf(path, sizeof(path), "%s%s/%s", DEBUGFS, dir, file);
	in = fopen(path, "r");
	if (!in || fscanf(in, "%ld", &value) != 1)
		die("%s cannot be read", path);
	fclose(in);
	return value;
}

static bool can_filter(void)
{
	return !access(DEBUGFS "failslab/require-start", W_OK);
}

static void filter(const char *name, unsigned long start, unsigned long end)
{
	char text[32];

	snprintf(text, sizeof(text), "%#lx", start);
	put(name, "require-start", text);
	snprintf(text, sizeof(text), "%#lx", end);
	put(name, "require-end", text);
}

static void stop_kinds(void)
{
	size_t i;

	for (i = 0; i < KINDS; i++) {
		put_number(kinds[i], "probability", 0);
		if (can_filter())
			filter(kinds[i], 0, ULONG_MAX);
	}
}

/* Every kind of allocation, and no words: the log would be megabytes. */
void fault_init(void)
{
	size_t i;

	stop_kinds();
	atexit(stop_kinds);
	for (i = 0; i < KINDS; i++) {
		put_number(kinds[i], "verbose", 0);
		put(kinds[i], "ignore-gfp-wait", "N");
		put(kinds[i], "task-filter", "N");
	}
	put("failslab", "cache-filter", "N");
	put("fail_page_alloc", "ignore-gfp-highmem", "N");
	put_number("fail_page_alloc", "min-order", 0);
	nth_fd = open("/proc/thread-self/fail-nth", O_RDWR);
	if (nth_fd < 0)
		die("fail-nth: %s", strerror(errno));
}

/* The n-th allocation between fault_begin() and fault_end() is to fail; 0: none. */
void fault_set(long n)
{
	nth = n;
	hit = false;
}

bool fault_was_hit(void)
{
	return hit;
}

static void thread_begin(void)
{
	char text[32];
	int len = snprintf(text, sizeof(text), "%ld", nth);

	if (pwrite(nth_fd, text, len, 0) != len)
		die("fail-nth: %s", strerror(errno));
}

static void thread_end(void)
{
	char text[32] = "";

	if (pread(nth_fd, text, sizeof(text) - 1, 0) <= 0 || pwrite(nth_fd, "0", 1, 0) != 1)
		die("fail-nth: %s", strerror(errno));
	hit = !atol(text);
}

/*
 * The module's: in whatever context, if a function of its is on the stack. The kernel counts these
 * allocations from boot on and fails what is a multiple of the interval: so the n-th from here is
 * when the interval is what was counted, and n.
 */
static void module_text(unsigned long *start, unsigned long *end)
{
	FILE *in = fopen("/proc/kallsyms", "r");
	unsigned long at;
	char line[512], type;

	*start = ULONG_MAX;
	*end = 0;
	while (in && fgets(line, sizeof(line), in)) {
		if (!strstr(line, "\t[srqpool]") ||
		    sscanf(line, "%lx %c", &at, &type) != 2 || !strchr("tT", type))
			continue;
		*start = at < *start ? at : *start;
		*end = at > *end ? at : *end;
	}
	if (!*end)
		die("/proc/kallsyms does not name the module");
	fclose(in);
	/* The last function has a length. */
	*end = (*end | 4095) + 1;
}

static void read_counts(void)
{
	FILE *in = fopen(COUNT_FILE, "r");
	size_t i;

	for (i = 0; in && i < KINDS; i++)
		if (fscanf(in, "%lu", &counted[i]) != 1)
			die("%s is wrong", COUNT_FILE);
	if (in)
		fclose(in);
}

static void write_counts(void)
{
	FILE *out = fopen(COUNT_FILE, "w");
	size_t i;

	if (!out)
		die("%s: %s", COUNT_FILE, strerror(errno));
	for (i = 0; i < KINDS; i++)
		fprintf(out, "%lu\n", counted[i]);
	fclose(out);
}

static void module_begin(void)
{
	put_number(kinds[kind], "interval", counted[kind] + nth);
	put_number(kinds[kind], "times", 1);
	put_number(kinds[kind], "probability", 100);
}

/* Without a hit it is not known how many were counted: the next one goes on with the interval. */
static void module_end(void)
{
	put_number(kinds[kind], "probability", 0);
	hit = !get_number(kinds[kind], "times");
	if (!hit || counted[kind] + nth == 1)
		return;
	counted[kind] += nth;
	write_counts();
}

/* From now on those of the module fail, of this kind; false if the kernel cannot tell them. */
bool fault_by_module(const char *name)
{
	unsigned long start, end;

	for (kind = 0; kind < KINDS && strcmp(kinds[kind], name); kind++)
		;
	if (!can_filter())
		return false;
	of_module = true;
	read_counts();
	module_text(&start, &end);
	filter(name, start, end);
	return true;
}

/* What is set between these is for one time. */
void fault_begin(void)
{
	if (!nth)
		return;
	if (of_module)
		module_begin();
	else
		thread_begin();
}

void fault_end(void)
{
	if (!nth)
		return;
	if (of_module)
		module_end();
	else
		thread_end();
	nth = 0;
}
