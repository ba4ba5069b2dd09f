// SPDX-License-Identifier: GPL-2.0
/*
 * Lets a command's n-th allocation fail, for n from 1 to 50 and then in steps of 7, until none is
 * hit: each time it must fail with a clean error, or succeed all the same, everything must then be
 * as it was, and the same command must succeed.
 *
 *   faults [-k] [-m MOST] COMMAND
 *   faults -l
 *
 * Prints how many faults there were, and what became of them. -m: n is at most so high. -k: then
 * kmemleak looks for what is left, which takes a while. -l: the commands' names.
 */
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "faults.h"

#define EACH_TO		50
#define THEN_EVERY	7
/* For one round, on the debug kernel. */
#define ROUND_SECONDS	300
/* What kselftest takes for skipped. */
#define SKIPPED		4
/* Rounds that may be needed until a fault that is set is hit. */
#define DRAIN_ROUNDS	20

/* What there is before the command, and after it. */
static struct state before, after;
static unsigned int objects;
static long refused, absorbed, n;

void die(const char *format, ...)
{
	va_list args;

	fprintf(stderr, "n = %ld: ", n);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
	exit(1);
}

static const struct command *find_in(const struct command *c, const char *name)
{
	for (; c->name; c++)
		if (!strcmp(c->name, name))
			return c;
	return NULL;
}

static const struct command *find(const char *name)
{
	return find_in(netlink_commands, name) ?: find_in(device_commands, name) ?:
	       find_in(connect_commands, name);
}

static void list(const struct command *c)
{
	for (; c->name; c++)
		puts(c->name);
}

static bool is_allowed(const struct command *c, int err)
{
	size_t i;

	for (i = 0; i < sizeof(c->errors) / sizeof(c->errors[0]); i++)
		if (c->errors[i] == err)
			return true;
	return err == ENOMEM || err == ENOBUFS;
}

static void undo(const struct command *c)
{
	int err = c->undo ? c->undo() : 0;

	if (err)
		die("undoing: %s", strerror(err));
	if (!state_settles(&before))
		die("something is left when it is undone");
}

static int run(const struct command *c)
{
	netlink_objects = 0;
	netlink_unsure = false;
	return c->run();
}

/* Without a fault. */
static void succeed(const struct command *c)
{
	int err;

	fault_set(0);
	err = run(c);
	if (err)
		die("%s without a fault", strerror(err));
	if (netlink_objects != objects)
		die("%u objects, not %u", netlink_objects, objects);
	if (!state_settles_config(&after))
		die("another result than before");
	undo(c);
}

/* What it does when nothing fails is the measure. */
static void learn(const struct command *c)
{
	int err;

	state_read(&before);
	err = run(c);
	if (err)
		die("%s before any fault", strerror(err));
	objects = netlink_objects;
	state_read(&after);
	undo(c);
}

/* It failed; unless only the news of its success was lost, nothing happened. */
static void check_refusal(const struct command *c, int err)
{
	refused++;
	if (!is_allowed(c, err))
		die("refused with %s", strerror(err));
	if (netlink_unsure && !state_is(&before)) {
		if (!state_settles_config(&after))
			die("half of it was done");
		undo(c);
	} else if (!state_settles(&before)) {
		die("something is left");
	}
}

static void check_success(const struct command *c)
{
	absorbed++;
	if (netlink_objects != objects)
		die("%u objects, not %u, and no error", netlink_objects, objects);
	if (!state_settles_config(&after))
		die("another result, and no error");
	undo(c);
}

/* Returns false when none was hit. */
static bool fail(const struct command *c)
{
	int err;

	alarm(ROUND_SECONDS);
	fault_set(n);
	err = run(c);
	if (!fault_was_hit() && err)
		die("%s, and no allocation failed", strerror(err));
	if (!fault_was_hit()) {
		undo(c);
		return false;
	}
	if (err)
		check_refusal(c, err);
	else
		check_success(c);
	succeed(c);
	return true;
}

/* The module's allocations go on being counted until one fails: see fault.c. */
static void drain(const struct command *c)
{
	int i;

	for (i = 0; i < DRAIN_ROUNDS; i++) {
		fault_set(n);
		run(c);
		if (!state_settles(&before))
			die("something is left");
		if (fault_was_hit())
			return;
	}
	die("%ld allocations are not reached in %d rounds", n, DRAIN_ROUNDS);
}

static void fail_all(const struct command *c, long most)
{
	for (n = 1; n <= most; n += n < EACH_TO ? 1 : THEN_EVERY) {
		if (fail(c))
			continue;
		if (c->by_module && n > 1)
			drain(c);
		return;
	}
}

static void skip(const struct command *c)
{
	printf("%s: the kernel cannot tell the module's allocations\n", c->name);
	client_close();
	device_clean();
	netlink_clean();
	exit(SKIPPED);
}

static void start(const struct command *c)
{
	int err;

	alarm(ROUND_SECONDS);
	fault_init();
	netlink_init();
	err = c->setup ? c->setup() : 0;
	if (err)
		die("setting up: %s", strerror(err));
	learn(c);
	if (c->by_module && !fault_by_module(c->by_module))
		skip(c);
}

/* Nothing but what was there may be left: no pool, no user of one, no reference. */
static void finish(const struct state *first)
{
	int err;

	client_close();
	device_clean();
	err = netlink_clean();
	if (err)
		die("cleaning up: %s", strerror(err));
	if (!state_settles(first))
		die("something is left in the end");
}

static void list_all(void)
{
	list(netlink_commands);
	list(device_commands);
	list(connect_commands);
}

/* Fails it, and sees what is left. */
static void test(const struct command *c, long most)
{
	static struct state first;

	state_init();
	state_read(&first);
	start(c);
	fail_all(c, most);
	finish(&first);
	printf("%s: %ld faults, %ld refused, %ld absorbed, %s\n", c->name, refused + absorbed,
	       refused, absorbed, n > most ? "more would be hit" : "none after that");
	if (!refused && !absorbed && !c->may_not_allocate)
		die("nothing failed");
}

int main(int argc, char **argv)
{
	const struct command *c;
	long most = LONG_MAX;
	int option, leaks = -1;

	while ((option = getopt(argc, argv, "km:l")) != -1) {
		if (option == 'l') {
			list_all();
			return 0;
		}
		if (option == 'k')
			leaks = leaks_known();
		else if (option == 'm')
			most = atol(optarg);
		else
			return 2;
	}
	c = optind == argc - 1 ? find(argv[optind]) : NULL;
	if (!c) {
		fprintf(stderr, "usage: faults [-k] [-m MOST] COMMAND | -l\n");
		return 2;
	}
	test(c, most);
	if (leaks >= 0 && leaks_scan() != leaks)
		die("there are leaks");
	return 0;
}
