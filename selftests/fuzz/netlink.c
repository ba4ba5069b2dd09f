// SPDX-License-Identifier: GPL-2.0
/*
 * Requests of the family, made from the spec and broken, and broken again where that led to
 * something new.
 *
 *   netlink SEED SECONDS
 *
 * Prints what it did. Ends with 1 if a request is not answered, an answer is not as the spec says,
 * or the kernel becomes tainted; and prints the request. The pools it leaves are deleted.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
#include "../genl.h"
#include "coverage.h"
#include "message.h"

/* Longer than the debug kernel takes. */
#define ANSWER_SECONDS	120
#define CORPUS_MAX	256
#define POOLS_MAX	3
#define BUDGET_MAX	(16U << 20)
#define SHARDS_MAX	8
#define ERRORS		134

static struct genl family;
static struct maker maker;
static struct coverage coverage;

/* Inputs that did something new; only of what can be sent often. */
static struct kept {
	uint8_t cmd, accepted;
	uint16_t flags, len;
	uint8_t data[2048];
} corpus[CORPUS_MAX];
static unsigned int nr_corpus;

static struct message message;
static unsigned long sent, accepted;
/* Refusals without a word, by command and error. */
static unsigned long unexplained[SRQPOOL_CMD_MAX + 1][ERRORS];
static unsigned int pools;

static void show_message(void)
{
	uint32_t i;

	printf("# command %u flags %#x version %u lie %d, attributes:\n# ", message.cmd,
	       message.flags, message.version, message.lie);
	for (i = 0; i < message.len && i < 4096; i++)
		printf("%02x", message.data[i]);
	printf("\n");
}

static void fail(const char *what)
{
	printf("# %s, after %lu requests; the last one:\n", what, sent);
	show_message();
	exit(1);
}

static long taint(void)
{
	FILE *file = fopen("/proc/sys/kernel/tainted", "r");
	long value = -1;

	if (!file || fscanf(file, "%ld", &value) != 1)
		fail("it is not known how the kernel is");
	fclose(file);
	return value;
}

static time_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec;
}

/*
 * What the kernel says
 */

static void take_attrs(const struct nlattr *a, int len, int set);

static void take_attr(const struct nlattr *a, int set)
{
	int type = mnl_attr_get_type(a), len = mnl_attr_get_payload_len(a);
	const struct attr *attr = spec_attr(set, type);
	const void *value = mnl_attr_get_payload(a);

	if (!attr || attr->kind == KIND_UNKNOWN)
		fail("an answer has an attribute that the spec has not");
	if (spec_width(attr->kind) && len != (int)spec_width(attr->kind))
		fail("a number in an answer has another length than in the spec");
	if (attr->kind == KIND_STRING && (!len || ((const char *)value)[len - 1]))
		fail("a string in an answer has no end");
	if (attr->kind == KIND_NEST)
		take_attrs(value, len, attr->nested);
	if (attr->kind == KIND_STRING || attr->kind == KIND_BINARY || !strcmp(attr->name, "id"))
		known_note(&maker.known, set, attr, value, len);
}

static void take_attrs(const struct nlattr *a, int len, int set)
{
	while (mnl_attr_ok(a, len)) {
		take_attr(a, set);
		len -= MNL_ALIGN(a->nla_len);
		a = mnl_attr_next(a);
	}
	if (len > 0)
		fail("an answer ends in the middle of an attribute");
}

static void on_reply(struct genl *f, const struct nlmsghdr *nlh)
{
	const struct genlmsghdr *genl = mnl_nlmsg_get_payload(nlh);
	const struct command *c = spec_command(genl->cmd);

	if (nlh->nlmsg_type != f->id || !c)
		fail("an answer is none of the family");
	take_attrs((const struct nlattr *)(genl + 1),
		   mnl_nlmsg_get_payload_len(nlh) - sizeof(*genl), c->set);
}

/*
 * Pools are deleted as a well-behaved client does it
 */

static char names[64][SRQPOOL_NAME_MAX + 1];
static unsigned int nr_names;

static void on_pool(struct genl *f, const struct nlmsghdr *nlh)
{
	const struct nlattr *a;

	mnl_attr_for_each(a, nlh, sizeof(struct genlmsghdr))
		if (mnl_attr_get_type(a) == SRQPOOL_A_POOL_NAME && nr_names < 64)
			strncpy(names[nr_names++], mnl_attr_get_str(a), SRQPOOL_NAME_MAX);
}

/* Another may be deleting it: then it is gone soon. */
static int delete_pool(const char *name)
{
	const time_t end = now() + ANSWER_SECONDS;
	int err;

	while ((err = genl_del_pool(&family, name)) == EBUSY && now() < end)
		usleep(10000);
	return err;
}

/* All but "live", of the one who started this. */
static void delete_pools(void)
{
	struct nlmsghdr *nlh = genl_start(&family, family.id, SRQPOOL_CMD_POOL_GET);
	int err;

	nlh->nlmsg_flags |= NLM_F_DUMP;
	nr_names = 0;
	family.on_message = on_pool;
	if (genl_talk(&family, nlh))
		fail("the pools cannot be listed");
	while (nr_names--) {
		if (!strcmp(names[nr_names], "live"))
			continue;
		err = delete_pool(names[nr_names]);
		if (err && err != ENOENT)
			fail("a pool cannot be deleted");
	}
	family.on_message = on_reply;
	pools = 0;
}

/*
 * Rounds
 */

/* So that the machine's memory is enough. */
static void limit(void)
{
	unsigned int i;

	find_spots(&maker, &message);
	for (i = 0; i < maker.nr_spots; i++) {
		const struct spot *s = &maker.spots[i];
		struct nlattr *a = message_attr(&message, s->at);
		uint32_t *value = (uint32_t *)(a + 1);

		if (s->set != SET_POOL || !s->attr)
			continue;
		if (s->attr == &pool_attrs[SRQPOOL_A_POOL_BUDGET] && a->nla_len == NLA_HDRLEN + 8) {
			value[0] %= BUDGET_MAX;
			value[1] = 0;
		}
		if (s->attr == &pool_attrs[SRQPOOL_A_POOL_SHARDS] && a->nla_len == NLA_HDRLEN + 4 &&
		    value[0] <= 256)
			value[0] %= SHARDS_MAX + 1;
	}
}

static const struct command *any_command(void)
{
	return &commands[rng_below(&maker.rng, NR_COMMANDS)];
}

static void from_corpus(const struct kept *k)
{
	message.cmd = k->cmd;
	message.flags = k->flags;
	message.version = 1;
	message.lie = 0;
	message.len = k->len;
	memcpy(message.data, k->data, k->len);
}

static void keep(int err)
{
	struct kept *k;

	if (message.len > sizeof(k->data))
		return;
	if (nr_corpus < CORPUS_MAX)
		k = &corpus[nr_corpus++];
	else
		k = &corpus[rng_below(&maker.rng, CORPUS_MAX)];
	k->cmd = message.cmd;
	k->accepted = !err;
	k->flags = message.flags;
	k->len = message.len;
	memcpy(k->data, message.data, message.len);
}

/* One that was accepted, if there is a choice. */
static const struct kept *any_kept(void)
{
	const struct kept *k = &corpus[rng_below(&maker.rng, nr_corpus)];
	unsigned int tries;

	for (tries = rng_below(&maker.rng, 8); tries && !k->accepted; tries--)
		k = &corpus[rng_below(&maker.rng, nr_corpus)];
	return k;
}

static void choose(void)
{
	unsigned int n;

	if (!nr_corpus || rng_once_in(&maker.rng, 6))
		make_message(&maker, &message, any_command());
	else
		from_corpus(any_kept());
	for (n = rng_below(&maker.rng, 3); n; n--)
		break_once(&maker, &message);
	limit();
}

/* Returns -1 if there will be no answer. */
static int send_message(void)
{
	static char buf[MESSAGE_MAX + NLMSG_HDRLEN + GENL_HDRLEN];
	struct nlmsghdr *nlh = (struct nlmsghdr *)buf;
	struct genlmsghdr *genl = (struct genlmsghdr *)(nlh + 1);
	const uint32_t len = NLMSG_HDRLEN + GENL_HDRLEN + message.len;

	nlh->nlmsg_len = len + message.lie;
	nlh->nlmsg_type = family.id;
	nlh->nlmsg_flags = message.flags | NLM_F_REQUEST | NLM_F_ACK;
	nlh->nlmsg_seq = ++family.seq;
	nlh->nlmsg_pid = 0;
	*genl = (struct genlmsghdr) { .cmd = message.cmd, .version = message.version };
	memcpy(genl + 1, message.data, message.len);
	family.text[0] = '\0';
	coverage_start(&coverage);
	if (mnl_socket_sendto(family.nl, buf, len) < 0)
		fail("a request cannot be sent");
	sent++;
	if (nlh->nlmsg_len < NLMSG_HDRLEN || nlh->nlmsg_len > len)
		return -1;
	return genl_receive(&family, nlh->nlmsg_seq);
}

static void send_one(void)
{
	int err = send_message();

	if (err == EAGAIN || err == EWOULDBLOCK)
		fail("a request is not answered");
	if (coverage.pcs ? coverage_note_code(&coverage) :
	    coverage_note(&coverage, coverage_answer(message.cmd, err, family.text)))
		keep(err);
	if (!err) {
		accepted++;
		pools += message.cmd == SRQPOOL_CMD_POOL_NEW;
	} else if (err > 0 && !family.text[0] && message.cmd <= SRQPOOL_CMD_MAX) {
		unexplained[message.cmd][err % ERRORS]++;
	}
	if (pools == POOLS_MAX)
		delete_pools();
}

/*
 * Beginning and end
 */

/* Messages that are all right, for a start. */
static void keep_request(const struct nlmsghdr *nlh)
{
	message.cmd = ((const struct genlmsghdr *)(nlh + 1))->cmd;
	message.flags = 0;
	message.len = nlh->nlmsg_len - NLMSG_HDRLEN - GENL_HDRLEN;
	memcpy(message.data, (const char *)nlh + NLMSG_HDRLEN + GENL_HDRLEN, message.len);
	keep(0);
}

static void keep_pool(const char *name, unsigned int classes)
{
	struct nlmsghdr *nlh = genl_start(&family, family.id, SRQPOOL_CMD_POOL_NEW);
	unsigned int i;

	mnl_attr_put_strz(nlh, SRQPOOL_A_POOL_NAME, name);
	mnl_attr_put_strz(nlh, SRQPOOL_A_POOL_DEV, "rxe0");
	mnl_attr_put_u64(nlh, SRQPOOL_A_POOL_BUDGET, 8 << 20);
	mnl_attr_put_u32(nlh, SRQPOOL_A_POOL_SHARDS, classes);
	for (i = 0; i < classes; i++) {
		struct nlattr *nest = mnl_attr_nest_start(nlh, SRQPOOL_A_POOL_CLASS);

		mnl_attr_put_u32(nlh, SRQPOOL_A_CLASS_SIZE, 1024 << 2 * i);
		mnl_attr_put_u32(nlh, SRQPOOL_A_CLASS_FLOOR, 64);
		mnl_attr_put_u32(nlh, SRQPOOL_A_CLASS_CEILING, 256);
		mnl_attr_nest_end(nlh, nest);
	}
	keep_request(nlh);
	nlh = genl_start(&family, family.id, SRQPOOL_CMD_POOL_SET);
	mnl_attr_put_strz(nlh, SRQPOOL_A_POOL_NAME, name);
	mnl_attr_put_u64(nlh, SRQPOOL_A_POOL_BUDGET, 4 << 20);
	keep_request(nlh);
}

static void keep_listener(const char *pool, uint16_t port, uint32_t mode)
{
	static const uint8_t addr[] = { 10, 7, 0, 1 };
	struct nlmsghdr *nlh = genl_start(&family, family.id, SRQPOOL_CMD_LISTENER_NEW);

	mnl_attr_put_strz(nlh, SRQPOOL_A_LISTENER_POOL, pool);
	mnl_attr_put(nlh, SRQPOOL_A_LISTENER_ADDR, sizeof(addr), addr);
	mnl_attr_put_u16(nlh, SRQPOOL_A_LISTENER_PORT, port);
	mnl_attr_put_u32(nlh, SRQPOOL_A_LISTENER_MODE, mode);
	keep_request(nlh);
}

static void start(void)
{
	struct timeval wait = { .tv_sec = ANSWER_SECONDS };
	unsigned int i;

	if (genl_open(&family))
		fail("the family does not answer");
	if (setsockopt(mnl_socket_get_fd(family.nl), SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof(wait)))
		fail("no time limit");
	family.on_message = on_reply;
	coverage_open(&coverage);
	for (i = 1; i <= 2; i++) {
		keep_pool(i == 1 ? "f0" : "f1", i);
		keep_listener(i == 1 ? "f0" : "f1", 7480 + i, i);
	}
	for (i = 0; i < nr_corpus; i++) {
		from_corpus(&corpus[i]);
		send_one();
	}
}

static void show_sums(void)
{
	unsigned int i, err;

	printf("# %lu requests, %lu accepted; %s: %u; corpus %u\n", sent, accepted,
	       coverage.pcs ? "places in the code" : "different answers", coverage.seen, nr_corpus);
	for (i = 0; i < NR_COMMANDS; i++)
		for (err = 0; err < ERRORS; err++)
			if (unexplained[commands[i].cmd][err])
				printf("# %s: %lu times %s without a word\n", commands[i].name,
				       unexplained[commands[i].cmd][err], strerror(err));
}

int main(int argc, char **argv)
{
	unsigned long long seed;
	long before;
	time_t end;

	if (argc != 3)
		return 2;
	setlinebuf(stdout);
	seed = strtoull(argv[1], NULL, 0);
	printf("# seed %llu\n", seed);
	rng_seed(&maker.rng, seed);
	before = taint();
	end = now() + atol(argv[2]);
	start();
	while (now() < end) {
		choose();
		send_one();
		if (taint() != before)
			fail("the kernel is tainted");
	}
	delete_pools();
	show_sums();
	return 0;
}
