// SPDX-License-Identifier: GPL-2.0
/*
 * Dumps the connections again and again while others come and go.
 *
 *   dump BUFFER STAYING
 *
 * The socket's receive buffer and the one it is read to have BUFFER bytes. First it takes a dump of
 * exactly STAYING connections, and prints "ready"; these stay. Until SIGTERM each of its dumps
 * has to end, to have none twice, and to have all of these, or say that it was interrupted. Then it
 * prints dumps, those interrupted, the most connections of one, and the longest in milliseconds.
 */
#include <errno.h>
#include <libmnl/libmnl.h>
#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <linux/srqpool.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* A dump that has more does not end. */
#define MAX_CONNS	100000
#define FIRST_TRIES	100

struct dump {
	uint64_t ids[MAX_CONNS];
	size_t nr;
	int interrupted;
};

static struct dump first, later;
static struct mnl_socket *nl;
static uint32_t seq;
static uint16_t family;
static size_t buffer_size;
static char *buffer;
static sig_atomic_t told;

static void on_signal(int number)
{
	told = 1;
}

static void fail(const char *what)
{
	fprintf(stderr, "%s\n", what);
	exit(1);
}

static void die(const char *what)
{
	perror(what);
	exit(1);
}

static long now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static struct nlmsghdr *start(char *buf, uint16_t type, uint8_t cmd, uint16_t flags)
{
	struct nlmsghdr *nlh = mnl_nlmsg_put_header(buf);
	struct genlmsghdr *genl;

	nlh->nlmsg_type = type;
	nlh->nlmsg_flags = NLM_F_REQUEST | flags;
	nlh->nlmsg_seq = ++seq;
	genl = mnl_nlmsg_put_extra_header(nlh, sizeof(*genl));
	genl->cmd = cmd;
	genl->version = 1;
	return nlh;
}

static void take(struct dump *d, const struct nlmsghdr *nlh)
{
	const struct nlattr *attr;

	if (nlh->nlmsg_type == GENL_ID_CTRL) {
		mnl_attr_for_each(attr, nlh, sizeof(struct genlmsghdr))
			if (mnl_attr_get_type(attr) == CTRL_ATTR_FAMILY_ID)
				family = mnl_attr_get_u16(attr);
		return;
	}
	if (d->nr == MAX_CONNS)
		fail("the dump does not end");
	mnl_attr_for_each(attr, nlh, sizeof(struct genlmsghdr))
		if (mnl_attr_get_type(attr) == SRQPOOL_A_CONN_ID)
			d->ids[d->nr++] = mnl_attr_get_u64(attr);
}

/* Sends, and reads to the end; an error is one of this program. */
static void talk(struct dump *d, struct nlmsghdr *request)
{
	d->nr = 0;
	d->interrupted = 0;
	if (mnl_socket_sendto(nl, request, request->nlmsg_len) < 0)
		die("send");
	for (;;) {
		ssize_t got = mnl_socket_recvfrom(nl, buffer, buffer_size);
		const struct nlmsghdr *nlh = (void *)buffer;
		int left = got;

		/* ENOSPC: it was cut off. */
		if (got < 0)
			die("recv");
		for (; mnl_nlmsg_ok(nlh, left); nlh = mnl_nlmsg_next(nlh, &left)) {
			if (nlh->nlmsg_seq != seq)
				fail("a message of another dump");
			d->interrupted |= nlh->nlmsg_flags & NLM_F_DUMP_INTR;
			if (nlh->nlmsg_type == NLMSG_DONE)
				return;
			if (nlh->nlmsg_type == NLMSG_ERROR) {
				errno = -((const struct nlmsgerr *)
					  mnl_nlmsg_get_payload(nlh))->error;
				if (errno)
					die("dump");
				return;
			}
			take(d, nlh);
		}
		if (left)
			fail("half a message");
	}
}

static void open_family(void)
{
	char buf[1024];
	struct nlmsghdr *nlh;
	int size = buffer_size;

	nl = mnl_socket_open(NETLINK_GENERIC);
	if (!nl || mnl_socket_bind(nl, 0, MNL_SOCKET_AUTOPID))
		die("socket");
	if (setsockopt(mnl_socket_get_fd(nl), SOL_SOCKET, SO_RCVBUF, &size, sizeof(size)))
		die("SO_RCVBUF");
	nlh = start(buf, GENL_ID_CTRL, CTRL_CMD_GETFAMILY, NLM_F_ACK);
	mnl_attr_put_strz(nlh, CTRL_ATTR_FAMILY_NAME, SRQPOOL_GENL_NAME);
	talk(&first, nlh);
}

static int compare(const void *a, const void *b)
{
	uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;

	return left < right ? -1 : left > right;
}

static void dump(struct dump *d)
{
	char buf[1024];
	size_t i;

	talk(d, start(buf, family, SRQPOOL_CMD_CONN_GET, NLM_F_DUMP));
	qsort(d->ids, d->nr, sizeof(d->ids[0]), compare);
	for (i = 1; i < d->nr; i++)
		if (d->ids[i] == d->ids[i - 1])
			fail("a connection came twice");
}

/* Those that stay. */
static void dump_first(size_t staying)
{
	int tries = 0;

	do {
		if (tries++ == FIRST_TRIES)
			fail("no dump of those that stay");
		dump(&first);
	} while (first.interrupted || first.nr != staying);
	printf("ready\n");
	fflush(stdout);
}

static int has_all(void)
{
	size_t i;

	for (i = 0; i < first.nr; i++)
		if (!bsearch(&first.ids[i], later.ids, later.nr, sizeof(later.ids[0]), compare))
			return 0;
	return 1;
}

int main(int argc, char **argv)
{
	struct sigaction action = { .sa_handler = on_signal, .sa_flags = SA_RESTART };
	unsigned long dumps = 0, interrupted = 0, most = 0;
	long longest = 0;

	if (argc != 3)
		return 2;
	sigaction(SIGTERM, &action, NULL);
	buffer_size = atol(argv[1]);
	buffer = malloc(buffer_size);
	if (!buffer)
		die("malloc");
	open_family();
	dump_first(atol(argv[2]));
	while (!told) {
		long began = now_ms();

		dump(&later);
		if (now_ms() - began > longest)
			longest = now_ms() - began;
		if (later.nr > most)
			most = later.nr;
		dumps++;
		interrupted += !!later.interrupted;
		if (!later.interrupted && !has_all())
			fail("connections are missing, and nothing was said");
	}
	printf("%lu %lu %lu %ld\n", dumps, interrupted, most, longest);
	return 0;
}
