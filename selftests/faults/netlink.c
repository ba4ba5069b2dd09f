// SPDX-License-Identifier: GPL-2.0
/* The commands of the family. */
#include <arpa/inet.h>
#include <stdio.h>
#include "../genl.h"
#include "faults.h"

#define SIZE		4096
#define CLASS		"4096"

static struct genl genl;
unsigned int netlink_objects;
bool netlink_unsure;

/* Of the last listener and connection that a message told of. */
static uint64_t listener, conn;

static void on_message(struct genl *from, const struct nlmsghdr *nlh)
{
	const struct genlmsghdr *head = mnl_nlmsg_get_payload(nlh);
	const struct nlattr *attr;
	unsigned int type;

	netlink_objects++;
	mnl_attr_for_each(attr, nlh, sizeof(*head)) {
		type = mnl_attr_get_type(attr);
		if (head->cmd == SRQPOOL_CMD_LISTENER_NEW && type == SRQPOOL_A_LISTENER_ID)
			listener = mnl_attr_get_u64(attr);
		if (head->cmd == SRQPOOL_CMD_LISTENER_GET && type == SRQPOOL_A_LISTENER_ID)
			listener = mnl_attr_get_u64(attr);
		if (head->cmd == SRQPOOL_CMD_CONN_GET && type == SRQPOOL_A_CONN_ID)
			conn = mnl_attr_get_u64(attr);
	}
}

static void open_socket(void)
{
	int err = genl_open(&genl);

	if (err)
		die("no family: %s", strerror(err));
	genl.on_message = on_message;
}

void netlink_init(void)
{
	open_socket();
}

static struct nlmsghdr *start(uint8_t cmd)
{
	return genl_start(&genl, genl.id, cmd);
}

/* What a failed dump leaves in the socket is of no interest. */
static int talk(const struct nlmsghdr *nlh)
{
	int err;

	netlink_objects = 0;
	netlink_unsure = false;
	fault_begin();
	err = genl_send(&genl, nlh);
	if (!err) {
		err = genl_receive(&genl, nlh->nlmsg_seq);
		/* The kernel had no memory for the ACK. */
		netlink_unsure = err == ENOBUFS;
	}
	fault_end();
	if (err) {
		mnl_socket_close(genl.nl);
		open_socket();
	}
	return err;
}

static int dump(uint8_t cmd)
{
	struct nlmsghdr *nlh = start(cmd);

	nlh->nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP;
	return talk(nlh);
}

static int named(uint8_t cmd, int attr, const char *name)
{
	struct nlmsghdr *nlh = start(cmd);

	mnl_attr_put_strz(nlh, attr, name);
	return talk(nlh);
}

static int numbered(uint8_t cmd, int attr, uint64_t number)
{
	struct nlmsghdr *nlh = start(cmd);

	mnl_attr_put_u64(nlh, attr, number);
	return talk(nlh);
}

/*
 * Pools
 */

static void put_class(struct nlmsghdr *nlh, uint32_t floor, uint32_t ceiling, uint32_t mark)
{
	struct nlattr *nest = mnl_attr_nest_start(nlh, SRQPOOL_A_POOL_CLASS);

	mnl_attr_put_strz(nlh, SRQPOOL_A_CLASS_NAME, CLASS);
	mnl_attr_put_u32(nlh, SRQPOOL_A_CLASS_SIZE, SIZE);
	mnl_attr_put_u32(nlh, SRQPOOL_A_CLASS_FLOOR, floor);
	mnl_attr_put_u32(nlh, SRQPOOL_A_CLASS_CEILING, ceiling);
	mnl_attr_put_u32(nlh, SRQPOOL_A_CLASS_MARK_KIND, SRQPOOL_MARK_COUNT);
	mnl_attr_put_u32(nlh, SRQPOOL_A_CLASS_MARK_VALUE, mark);
	mnl_attr_nest_end(nlh, nest);
}

static struct nlmsghdr *start_pool(uint8_t cmd)
{
	struct nlmsghdr *nlh = start(cmd);

	mnl_attr_put_strz(nlh, SRQPOOL_A_POOL_NAME, POOL);
	return nlh;
}

static int new_pool(uint32_t shards, uint32_t poll)
{
	struct nlmsghdr *nlh = start_pool(SRQPOOL_CMD_POOL_NEW);

	mnl_attr_put_strz(nlh, SRQPOOL_A_POOL_DEV, DEVICE);
	mnl_attr_put_u32(nlh, SRQPOOL_A_POOL_SHARDS, shards);
	mnl_attr_put_u32(nlh, SRQPOOL_A_POOL_POLL, poll);
	mnl_attr_put_u32(nlh, SRQPOOL_A_POOL_AGING, 0);
	put_class(nlh, 8 * shards, 16 * shards, 2);
	return talk(nlh);
}

static int pool_new(void)
{
	return new_pool(1, SRQPOOL_POLL_EVENT);
}

static int pool_new_large(void)
{
	return new_pool(4, SRQPOOL_POLL_BUSY);
}

static int pool_del(void)
{
	return named(SRQPOOL_CMD_POOL_DEL, SRQPOOL_A_POOL_NAME, POOL);
}

static int pool_del_forced(void)
{
	struct nlmsghdr *nlh = start_pool(SRQPOOL_CMD_POOL_DEL);

	mnl_attr_put(nlh, SRQPOOL_A_POOL_FORCE, 0, NULL);
	return talk(nlh);
}

static int set_pool(uint32_t poll, uint32_t quota, uint32_t floor, uint32_t ceiling)
{
	struct nlmsghdr *nlh = start_pool(SRQPOOL_CMD_POOL_SET);

	mnl_attr_put_u32(nlh, SRQPOOL_A_POOL_POLL, poll);
	mnl_attr_put_u32(nlh, SRQPOOL_A_POOL_QUOTA, quota);
	put_class(nlh, floor, ceiling, floor / 4);
	return talk(nlh);
}

static int pool_set(void)
{
	return set_pool(SRQPOOL_POLL_BUSY, 5, 16, 32);
}

static int pool_set_back(void)
{
	return set_pool(SRQPOOL_POLL_EVENT, 16, 8, 16);
}

static int pool_get(void)
{
	return named(SRQPOOL_CMD_POOL_GET, SRQPOOL_A_POOL_NAME, POOL);
}

static int pool_dump(void)
{
	return dump(SRQPOOL_CMD_POOL_GET);
}

static int pool_reset(void)
{
	return named(SRQPOOL_CMD_POOL_RESET, SRQPOOL_A_POOL_NAME, POOL);
}

static int queue_dump(void)
{
	return dump(SRQPOOL_CMD_QUEUE_GET);
}

static int stats_get(void)
{
	return named(SRQPOOL_CMD_STATS_GET, SRQPOOL_A_STATS_NAME, POOL);
}

static int stats_dump(void)
{
	return dump(SRQPOOL_CMD_STATS_GET);
}

static int event_dump(void)
{
	struct nlmsghdr *nlh = start(SRQPOOL_CMD_EVENT_GET);

	nlh->nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP;
	mnl_attr_put_strz(nlh, SRQPOOL_A_EVENT_POOL, POOL);
	return talk(nlh);
}

static int dev_get(void)
{
	return named(SRQPOOL_CMD_DEV_GET, SRQPOOL_A_DEV_NAME, DEVICE);
}

static int dev_dump(void)
{
	return dump(SRQPOOL_CMD_DEV_GET);
}

/*
 * Listeners
 */

int netlink_listen(uint32_t mode)
{
	struct nlmsghdr *nlh = start(SRQPOOL_CMD_LISTENER_NEW);
	struct in_addr addr;

	inet_pton(AF_INET, ADDR, &addr);
	mnl_attr_put_strz(nlh, SRQPOOL_A_LISTENER_POOL, POOL);
	mnl_attr_put(nlh, SRQPOOL_A_LISTENER_ADDR, sizeof(addr), &addr);
	mnl_attr_put_u16(nlh, SRQPOOL_A_LISTENER_PORT, PORT);
	mnl_attr_put_u32(nlh, SRQPOOL_A_LISTENER_MODE, mode);
	return talk(nlh);
}

static int listener_new(void)
{
	return netlink_listen(SRQPOOL_MODE_SINK);
}

static int listener_dump(void)
{
	return dump(SRQPOOL_CMD_LISTENER_GET);
}

static int listener_del(void)
{
	return numbered(SRQPOOL_CMD_LISTENER_DEL, SRQPOOL_A_LISTENER_ID, listener);
}

/* Its id may be lost with the reply. */
static int listener_undo(void)
{
	return listener_dump() ?: listener_del();
}

static int listener_get(void)
{
	return numbered(SRQPOOL_CMD_LISTENER_GET, SRQPOOL_A_LISTENER_ID, listener);
}

/*
 * Connections
 */

static int conn_dump(void)
{
	return dump(SRQPOOL_CMD_CONN_GET);
}

static int conn_get(void)
{
	return numbered(SRQPOOL_CMD_CONN_GET, SRQPOOL_A_CONN_ID, conn);
}

static int conn_del(void)
{
	int err = numbered(SRQPOOL_CMD_CONN_DEL, SRQPOOL_A_CONN_ID, conn);

	if (!err)
		state_wait_conns(0);
	return err;
}

static int connect_peer(void)
{
	int err = client_connect();

	if (err)
		return err;
	state_wait_conns(1);
	return conn_dump();
}

/* The connection must be gone before there is another. */
static int conn_undo(void)
{
	client_close();
	state_wait_conns(0);
	return connect_peer();
}

/*
 * Before and after
 */

int netlink_setup_pool(void)
{
	return pool_new() ?: pool_set_back();
}

static int setup_listener(void)
{
	return netlink_setup_pool() ?: listener_new();
}

static int setup_conn(void)
{
	return setup_listener() ?: connect_peer();
}

static int setup_full(void)
{
	return pool_new() ?: listener_new();
}

static int pool_undo_del(void)
{
	return pool_new() ?: listener_new();
}

/* Deletes what there is. A pool that has anything else on it is not deleted. */
int netlink_clean(void)
{
	int err;

	for (;;) {
		err = listener_dump();
		if (err || !netlink_objects)
			break;
		err = listener_del();
		if (err)
			break;
	}
	if (!err)
		err = pool_dump();
	return err || !netlink_objects ? err : pool_del();
}

#define SRQPOOL(_name, _setup, _run, _undo)	\
	{ .name = (_name), .setup = (_setup), .run = (_run), .undo = (_undo) }

const struct command netlink_commands[] = {
	SRQPOOL("dev-get", NULL, dev_get, NULL),
	SRQPOOL("dev-get-dump", NULL, dev_dump, NULL),
	SRQPOOL("pool-new", NULL, pool_new, pool_del),
	SRQPOOL("pool-new-large", NULL, pool_new_large, pool_del),
	SRQPOOL("pool-set", netlink_setup_pool, pool_set, pool_set_back),
	SRQPOOL("pool-del", setup_full, pool_del_forced, pool_undo_del),
	SRQPOOL("pool-get", netlink_setup_pool, pool_get, NULL),
	SRQPOOL("pool-get-dump", netlink_setup_pool, pool_dump, NULL),
	SRQPOOL("pool-reset", netlink_setup_pool, pool_reset, NULL),
	SRQPOOL("queue-get-dump", netlink_setup_pool, queue_dump, NULL),
	SRQPOOL("listener-new", netlink_setup_pool, listener_new, listener_undo),
	SRQPOOL("listener-del", setup_listener, listener_undo, listener_new),
	SRQPOOL("listener-get", setup_listener, listener_get, NULL),
	SRQPOOL("listener-get-dump", setup_listener, listener_dump, NULL),
	SRQPOOL("conn-get", setup_conn, conn_get, NULL),
	SRQPOOL("conn-get-dump", setup_conn, conn_dump, NULL),
	SRQPOOL("conn-del", setup_conn, conn_del, conn_undo),
	SRQPOOL("stats-get", netlink_setup_pool, stats_get, NULL),
	SRQPOOL("stats-get-dump", netlink_setup_pool, stats_dump, NULL),
	SRQPOOL("event-get-dump", setup_conn, event_dump, NULL),
	{}
};
