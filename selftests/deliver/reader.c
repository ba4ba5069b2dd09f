// SPDX-License-Identifier: GPL-2.0
/*
 * A program that receives from a pool through read(), and sends back with write().
 *
 *   reader POOL echo|sink|hold
 *   reader POOL speak COUNT SIZE
 *
 * echo: every message is sent back. sink: it is not. hold: it attaches, and reads nothing.
 * speak: it sends COUNT messages of SIZE bytes to everybody who connects, and closes the connection
 * when as many came back.
 * Until SIGTERM and the end of its connections, or until the pool goes (status 3); then it prints
 * "up down messages bytes waits wrong": how often it had to wait for room, and how many
 * records came out of order. Status 1 if there was one of those.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <linux/srqpool.h>

#define MAX_CONNS	32768
#define MAX_MESSAGE	(64 * 1024)
/* Longer than a test on the debug kernel takes. */
#define DRAIN_SECONDS	600

/* A message that waits for room. */
struct waiting {
	struct waiting *next;
	uint32_t len;
	char data[];
};

struct conn {
	uint64_t id;
	int up, down, full;
	long messages;
	struct waiting *first, **last;
};

static struct conn conns[MAX_CONNS];
static unsigned long up, down, messages, bytes, waits, wrong;
static sig_atomic_t told;
static const char *mode;
static long speak_count, speak_size;
static int fd;

static void on_signal(int number)
{
	told = 1;
	alarm(DRAIN_SECONDS);
}

static void die(const char *what)
{
	perror(what);
	exit(2);
}

static struct conn *conn_of(uint64_t id)
{
	uint64_t at = id % MAX_CONNS;

	while (conns[at].id && conns[at].id != id)
		at = (at + 1) % MAX_CONNS;
	if (!conns[at].id)
		conns[at] = (struct conn) { .id = id, .last = NULL };
	return &conns[at];
}

/* Returns 0 if it has to wait. */
static int put(struct conn *c, const char *data, uint32_t len)
{
	static char out[sizeof(struct srqpool_send) + MAX_MESSAGE];
	struct srqpool_send *head = (struct srqpool_send *)out;
	ssize_t done;

	*head = (struct srqpool_send) { .conn = c->id };
	memcpy(out + sizeof(*head), data, len);
	done = write(fd, out, sizeof(*head) + len);
	if (done == (ssize_t)(sizeof(*head) + len))
		return 1;
	if (done < 0 && (errno == ENOTCONN || errno == ENODEV))
		return 1;
	if (done >= 0 || errno != EAGAIN)
		die("write");
	waits++;
	c->full = 1;
	return 0;
}

static void send_to(struct conn *c, const char *data, uint32_t len)
{
	struct waiting *w;

	if (!c->full && put(c, data, len))
		return;
	w = malloc(sizeof(*w) + len);
	if (!w)
		die("malloc");
	w->next = NULL;
	w->len = len;
	memcpy(w->data, data, len);
	if (!c->first)
		c->last = &c->first;
	*c->last = w;
	c->last = &w->next;
}

static void has_room(struct conn *c)
{
	struct waiting *w;

	c->full = 0;
	while ((w = c->first) && put(c, w->data, w->len)) {
		c->first = w->next;
		free(w);
	}
}

static void is_down(struct conn *c)
{
	struct waiting *w;

	while ((w = c->first)) {
		c->first = w->next;
		free(w);
	}
	c->down = 1;
}

static void hang_up(struct conn *c)
{
	if (ioctl(fd, SRQPOOL_IOC_CLOSE, &c->id) && errno != ENOTCONN)
		die("SRQPOOL_IOC_CLOSE");
}

static void speak(struct conn *c)
{
	static char data[MAX_MESSAGE];
	long i;

	for (i = 0; i < speak_count; i++)
		send_to(c, data, speak_size);
}

static void take_message(struct conn *c, const char *data, uint32_t len)
{
	messages++;
	c->messages++;
	bytes += len;
	if (!strcmp(mode, "echo"))
		send_to(c, data, len);
	else if (!strcmp(mode, "speak") && c->messages == speak_count)
		hang_up(c);
}

static void take(const struct srqpool_record *record, const char *data)
{
	struct conn *c = conn_of(record->conn);

	int first = record->type == SRQPOOL_RECORD_UP;

	if (c->down || c->up == first)
		wrong++;
	switch (record->type) {
	case SRQPOOL_RECORD_UP:
		up++;
		c->up = 1;
		if (!strcmp(mode, "speak"))
			speak(c);
		break;
	case SRQPOOL_RECORD_MESSAGE:
		take_message(c, data, record->len);
		break;
	case SRQPOOL_RECORD_WRITABLE:
		has_room(c);
		break;
	case SRQPOOL_RECORD_DOWN:
		down++;
		is_down(c);
		break;
	}
}

/* Returns 0 when the pool is gone. */
static int serve(void)
{
	static char in[sizeof(struct srqpool_record) + MAX_MESSAGE];
	struct srqpool_record *record = (struct srqpool_record *)in;
	struct pollfd pfd = { .fd = fd, .events = POLLIN };
	ssize_t done;

	while (!told || down < up) {
		done = read(fd, in, sizeof(in));
		if (done >= 0) {
			if (done != (ssize_t)(sizeof(*record) + record->len))
				die("a short read");
			take(record, in + sizeof(*record));
		} else if (errno == ENODEV) {
			return 0;
		} else if (errno == EAGAIN) {
			if (poll(&pfd, 1, -1) < 0 && errno != EINTR)
				die("poll");
		} else if (errno != EINTR) {
			die("read");
		}
	}
	return 1;
}

int main(int argc, char **argv)
{
	struct sigaction action = { .sa_handler = on_signal };
	struct srqpool_attach attach = {};
	int there = 1;

	if (argc != 3 && argc != 5)
		return 2;
	mode = argv[2];
	if (argc == 5) {
		speak_count = atol(argv[3]);
		speak_size = atol(argv[4]);
	}
	sigaction(SIGTERM, &action, NULL);
	fd = open(SRQPOOL_DEVICE, O_RDWR | O_NONBLOCK);
	if (fd < 0)
		die(SRQPOOL_DEVICE);
	strncpy(attach.pool, argv[1], sizeof(attach.pool) - 1);
	if (ioctl(fd, SRQPOOL_IOC_ATTACH, &attach))
		die("SRQPOOL_IOC_ATTACH");
	printf("attached\n");
	fflush(stdout);
	if (!strcmp(mode, "hold"))
		while (!told)
			pause();
	else
		there = serve();
	printf("%lu %lu %lu %lu %lu %lu\n", up, down, messages, bytes, waits, wrong);
	return wrong ? 1 : there ? 0 : 3;
}
