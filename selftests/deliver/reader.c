// SPDX-License-Identifier: GPL-2.0
/*
 * A program that receives from a pool through read(), and sends back with write(); or, with -r,
 * through rings (of so many entries), and sends back what lies in the buffers.
 *
 *   reader [-r[N]] POOL echo|sink|hold
 *   reader [-r[N]] POOL speak COUNT SIZE
 *   reader -r[N] POOL gather|lazy COUNT 0
 *
 * echo: every message is sent back. sink: it is not. hold: it attaches, and reads nothing.
 * gather: COUNT messages are kept, each beginning with its number, then looked at and given back
 * all at once, by the ring alone. lazy: the same, and it never kicks.
 * speak: it sends COUNT messages of SIZE bytes to everybody who connects, and closes the connection
 * when as many came back.
 * Until SIGTERM and the end of its connections, or until the pool goes (status 3); then it prints
 * "up down messages bytes waits wrong kicks": how often it had to wait for room, how many
 * records came out of order or messages had another number, and how often it had to kick. Status 1
 * if something was wrong.
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
#include "ring.h"

#define MAX_CONNS	32768
#define MAX_MESSAGE	(64 * 1024)
#define RING_ENTRIES	4096
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
static unsigned long up, down, messages, bytes, waits, wrong, kicks;
static sig_atomic_t told;
static const char *mode;
static long speak_count, speak_size;
static int fd;
/* 0: it reads. */
static int use_rings;
static struct rings rings;

/* What gather keeps. */
static struct kept {
	struct ring_message msg;
	uint64_t number;
} kept[RING_ENTRIES];
static long nr_kept;

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
	/* A peer that sends more than it said it will gets nothing back. */
	if (done < 0 && (errno == ENOTCONN || errno == ENODEV || errno == EMSGSIZE))
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

static void give_back_all(void)
{
	uint64_t number;
	long i;

	for (i = 0; i < nr_kept; i++) {
		memcpy(&number, kept[i].msg.data, sizeof(number));
		if (number != kept[i].number)
			wrong++;
		kicks += ring_return(&rings, kept[i].msg.ring, kept[i].msg.index, 0, 0);
	}
	nr_kept = 0;
}

static void gather(struct conn *c, const struct ring_message *msg)
{
	kept[nr_kept++] = (struct kept) { *msg, c->messages - 1 };
	if (nr_kept == speak_count)
		give_back_all();
}

/* By a ring, it is given back, or sent back. */
static void finish_message(const struct ring_message *msg)
{
	int echo = !strcmp(mode, "echo");

	kicks += ring_return(&rings, msg->ring, msg->index, echo ? SRQPOOL_RETURN_SEND : 0,
			     echo ? msg->len : 0);
}

static void take_message(struct conn *c, const char *data, uint32_t len)
{
	messages++;
	c->messages++;
	bytes += len;
	if (!strcmp(mode, "echo") && !use_rings)
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

static void take_desc(int n, const struct srqpool_desc *desc)
{
	struct ring_message msg = {
		.ring = n,
		.index = desc->index,
		.len = desc->record.len,
		.data = rings.buffers + desc->offset,
	};

	take(&desc->record, msg.data);
	if (desc->record.type != SRQPOOL_RECORD_MESSAGE)
		return;
	if (!strcmp(mode, "gather") || !strcmp(mode, "lazy"))
		gather(conn_of(desc->record.conn), &msg);
	else
		finish_message(&msg);
}

/* Returns how many there were; -1 when the pool is gone. */
static long take_rings(void)
{
	struct srqpool_desc desc;
	unsigned int n;
	long taken = 0;

	for (n = 0; n < rings.info.rings; n++) {
		if (__atomic_load_n(&rings.ring[n]->flags, __ATOMIC_RELAXED) & SRQPOOL_RING_DEAD)
			return -1;
		while (ring_next(&rings, n, &desc)) {
			take_desc(n, &desc);
			ring_take(&rings, n);
			taken++;
		}
	}
	return taken;
}

static int serve_rings(void)
{
	struct pollfd pfd = { .fd = fd, .events = POLLIN };
	long taken;

	while (!told || down < up) {
		taken = take_rings();
		if (taken < 0)
			return 0;
		if (!taken && poll(&pfd, 1, -1) < 0 && errno != EINTR)
			die("poll");
	}
	return 1;
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

	if (argc > 1 && !strncmp(argv[1], "-r", 2)) {
		use_rings = argv[1][2] ? atoi(argv[1] + 2) : RING_ENTRIES;
		argc--;
		argv++;
	}
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
	if (use_rings) {
		attach.flags = SRQPOOL_ATTACH_RING;
		attach.entries = use_rings;
	}
	if (ioctl(fd, SRQPOOL_IOC_ATTACH, &attach))
		die("SRQPOOL_IOC_ATTACH");
	if (use_rings && rings_map(&rings, fd))
		die("mapping");
	rings.lazy = !strcmp(mode, "lazy");
	printf("attached\n");
	fflush(stdout);
	if (!strcmp(mode, "hold"))
		while (!told)
			pause();
	else
		there = use_rings ? serve_rings() : serve();
	printf("%lu %lu %lu %lu %lu %lu %lu\n", up, down, messages, bytes, waits, wrong, kicks);
	return wrong ? 1 : there ? 0 : 3;
}
