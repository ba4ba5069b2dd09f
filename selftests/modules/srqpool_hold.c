// SPDX-License-Identifier: GPL-2.0
/*
 * A module that receives from a pool through the exported API, and gives
 * buffers back when it is told to.
 *
 *	insmod srqpool_hold.ko pool=p0 addr=10.7.0.1 port=7500 [class=NAME]
 *		[rnr_timer=CODE]
 *
 * In /sys/kernel/debug/srqpool_hold: hold (1: keep every message, 0: give back
 * what is kept and keep no more), release (written: give back so many),
 * delay_ms (keep a message so long), order (in which they go: 0 the oldest
 * first, 1 the newest, 2 by chance, the same each time), keep (1: when a
 * connection is revoked, its messages stay), held, received, overtaken: messages
 * that went while an older one was held, disordered: messages whose first eight
 * bytes are not the number of messages that came before on their connection, and
 * damaged: messages that were not what they had been when they went.
 */
#include <linux/debugfs.h>
#include <linux/inet.h>
#include <linux/jhash.h>
#include <linux/ktime.h>
#include <linux/module.h>
#include <linux/prandom.h>
#include <linux/slab.h>
#include <linux/workqueue.h>
#include <net/net_namespace.h>
#include <rdma/ib_cm.h>
#include <rdma/rdma_cm.h>
#include "include/srqpool.h"

static char *pool = "p0";
module_param(pool, charp, 0);
static char *class;
module_param(class, charp, 0);
static char *addr = "10.7.0.1";
module_param(addr, charp, 0);
static ushort port = 7500;
module_param(port, ushort, 0);
/* 10.24 ms: those who wait half a minute need not ask all the time. */
static unsigned char rnr_timer = 20;
module_param(rnr_timer, byte, 0);

/* A connection. */
struct hold_peer {
	struct rdma_cm_id *id;
	struct srqpool_conn *conn;
	struct ib_cq *send_cq;
	u64 received;
};

/* A message that is held. */
struct hold_msg {
	struct list_head list;
	struct srqpool_msg *msg;
	u32 hash;
};

enum { OLDEST, NEWEST, RANDOM };

static struct srqpool_client *client;
static struct rdma_cm_id *listener;
static struct dentry *dir;
static LIST_HEAD(msgs);
static DEFINE_SPINLOCK(lock);	/* msgs, held, chance */
static u32 held, hold, delay_ms, order, keep;
static struct rnd_state chance;
static atomic_t received, overtaken, disordered, damaged;
static void tick(struct work_struct *work);
static DECLARE_DELAYED_WORK(tick_work, tick);

static u32 hash_of(struct srqpool_msg *msg)
{
	return jhash(srqpool_data(msg, msg->len), msg->len, 0);
}

/* Of those that @pick says yes to, the one whose turn it is. */
static struct hold_msg *next_msg(bool (*pick)(struct srqpool_msg *msg, void *what),
				 void *what)
{
	struct hold_msg *one, *found = NULL;
	u32 n = 0;

	list_for_each_entry(one, &msgs, list) {
		if (!pick(one->msg, what))
			continue;
		if (!n++ || order == NEWEST ||
		    (order == RANDOM && !(prandom_u32_state(&chance) % n)))
			found = one;
		if (order == OLDEST)
			break;
	}
	return found;
}

/* Gives back what @pick says yes to, at most @most; with interrupts off. */
static void give_back(bool (*pick)(struct srqpool_msg *msg, void *what),
		      void *what, u32 most)
{
	struct hold_msg *one;
	unsigned long flags;

	while (most--) {
		spin_lock_irqsave(&lock, flags);
		one = next_msg(pick, what);
		if (one) {
			if (!list_is_first(&one->list, &msgs))
				atomic_inc(&overtaken);
			if (hash_of(one->msg) != one->hash)
				atomic_inc(&damaged);
			list_del(&one->list);
			held--;
			srqpool_give_back(one->msg);
		}
		spin_unlock_irqrestore(&lock, flags);
		if (!one)
			return;
		kfree(one);
	}
}

static bool any(struct srqpool_msg *msg, void *what)
{
	return true;
}

static bool is_due(struct srqpool_msg *msg, void *what)
{
	return !READ_ONCE(hold) &&
	       ktime_get_ns() - msg->time_ns >= (u64)delay_ms * NSEC_PER_MSEC;
}

static bool is_of(struct srqpool_msg *msg, void *conn)
{
	return msg->conn == conn;
}

static void tick(struct work_struct *work)
{
	give_back(is_due, NULL, READ_ONCE(held));
	if (READ_ONCE(held))
		schedule_delayed_work(&tick_work, 1);
}

static void check_order(struct hold_peer *peer, struct srqpool_msg *msg)
{
	u64 number;

	if (msg->len >= sizeof(number)) {
		memcpy(&number, srqpool_data(msg, sizeof(number)),
		       sizeof(number));
		if (number != peer->received)
			atomic_inc(&disordered);
	}
	peer->received++;
	atomic_inc(&received);
}

static void hold_recv(struct srqpool_conn *conn, struct srqpool_msg *msg)
{
	struct hold_msg *one = NULL;

	check_order(srqpool_context(conn), msg);
	if (READ_ONCE(hold) || READ_ONCE(delay_ms))
		one = kmalloc(sizeof(*one), GFP_ATOMIC);
	if (!one) {
		srqpool_give_back(msg);
		return;
	}
	one->msg = msg;
	one->hash = hash_of(msg);
	spin_lock_irq(&lock);
	list_add_tail(&one->list, &msgs);
	held++;
	spin_unlock_irq(&lock);
	if (!READ_ONCE(hold))
		schedule_delayed_work(&tick_work, 1);
}

static void hold_revoke(struct srqpool_conn *conn)
{
	struct hold_peer *peer = srqpool_context(conn);
	struct ib_qp_attr attr = { .qp_state = IB_QPS_ERR };
	struct rdma_cm_id *id = peer->id;

	/* The handler of the connect request may still run. */
	rdma_lock_handler(id);
	rdma_unlock_handler(id);
	if (id->qp) {
		rdma_disconnect(id);
		ib_modify_qp(id->qp, &attr, IB_QP_STATE);
		srqpool_detach_begin(conn);
		rdma_destroy_qp(id);
	}
	if (!READ_ONCE(keep))
		give_back(is_of, conn, U32_MAX);
	rdma_destroy_id(id);
	srqpool_detach_end(conn);
	ib_free_cq(peer->send_cq);
	kfree(peer);
}

static const struct srqpool_ops hold_ops = {
	.holds = true,
	.recv = hold_recv,
	.revoke = hold_revoke,
};

static int set_up(struct hold_peer *peer, struct ib_qp_init_attr *attr)
{
	struct rdma_conn_param param = { .rnr_retry_count = 7 };
	int ret;

	ret = rdma_create_qp(peer->id, srqpool_pd(peer->conn), attr);
	if (ret)
		return ret;
	ret = srqpool_attach_qp(peer->conn, peer->id->qp);
	if (ret)
		return ret;
	rdma_set_min_rnr_timer(peer->id, rnr_timer);
	return rdma_accept(peer->id, &param);
}

static int cm_event(struct rdma_cm_id *id, struct rdma_cm_event *ev);

static int connect_request(struct rdma_cm_id *id)
{
	struct hold_peer *peer = kzalloc(sizeof(*peer), GFP_KERNEL);
	struct ib_qp_init_attr attr = {
		.cap = { .max_send_wr = 1, .max_send_sge = 1 },
		.sq_sig_type = IB_SIGNAL_REQ_WR,
		.qp_type = IB_QPT_RC,
		.port_num = id->port_num,
	};

	if (!peer)
		return -ENOMEM;
	peer->id = id;
	peer->send_cq = ib_alloc_cq_any(id->device, NULL, 2, IB_POLL_WORKQUEUE);
	if (IS_ERR(peer->send_cq))
		goto free;
	attr.send_cq = peer->send_cq;
	id->context = peer;
	id->event_handler = cm_event;
	peer->conn = srqpool_attach(client, class, peer, &attr);
	if (IS_ERR(peer->conn))
		goto free_cq;
	if (set_up(peer, &attr)) {
		rdma_reject(id, NULL, 0, IB_CM_REJ_CONSUMER_DEFINED);
		srqpool_disconnect(peer->conn);
	}
	return 0;

free_cq:
	ib_free_cq(peer->send_cq);
free:
	kfree(peer);
	return -ECONNREFUSED;
}

static int cm_event(struct rdma_cm_id *id, struct rdma_cm_event *ev)
{
	struct hold_peer *peer = id->context;

	switch (ev->event) {
	case RDMA_CM_EVENT_CONNECT_REQUEST:
		return connect_request(id);
	case RDMA_CM_EVENT_DISCONNECTED:
	case RDMA_CM_EVENT_REJECTED:
	case RDMA_CM_EVENT_UNREACHABLE:
	case RDMA_CM_EVENT_CONNECT_ERROR:
		srqpool_disconnect(peer->conn);
		break;
	case RDMA_CM_EVENT_DEVICE_REMOVAL:
		/* The listener is destroyed by whoever takes it first. */
		if (!peer)
			return xchg(&listener, NULL) ? -ENODEV : 0;
		srqpool_disconnect(peer->conn);
		break;
	default:
		break;
	}
	return 0;
}

static int hold_set(void *data, u64 value)
{
	WRITE_ONCE(hold, value);
	if (!value)
		give_back(any, NULL, U32_MAX);
	return 0;
}

static int hold_get(void *data, u64 *value)
{
	*value = hold;
	return 0;
}
DEFINE_DEBUGFS_ATTRIBUTE(hold_fops, hold_get, hold_set, "%llu\n");

static int release_set(void *data, u64 value)
{
	give_back(any, NULL, value);
	return 0;
}
DEFINE_DEBUGFS_ATTRIBUTE(release_fops, NULL, release_set, "%llu\n");

static int start_listening(void)
{
	struct sockaddr_in to = {
		.sin_family = AF_INET,
		.sin_port = htons(port),
		.sin_addr.s_addr = in_aton(addr),
	};
	int ret;

	listener = rdma_create_id(&init_net, cm_event, NULL, RDMA_PS_TCP,
				  IB_QPT_RC);
	if (IS_ERR(listener))
		return PTR_ERR(listener);
	ret = rdma_bind_addr(listener, (struct sockaddr *)&to) ?:
	      rdma_listen(listener, 64);
	if (ret)
		rdma_destroy_id(listener);
	return ret;
}

static int __init hold_init(void)
{
	int ret;

	prandom_seed_state(&chance, 1);
	client = srqpool_open(pool, &hold_ops);
	if (IS_ERR(client))
		return PTR_ERR(client);
	ret = start_listening();
	if (ret) {
		srqpool_close(client);
		return ret;
	}
	dir = debugfs_create_dir("srqpool_hold", NULL);
	debugfs_create_file_unsafe("hold", 0600, dir, NULL, &hold_fops);
	debugfs_create_file_unsafe("release", 0200, dir, NULL, &release_fops);
	debugfs_create_u32("delay_ms", 0600, dir, &delay_ms);
	debugfs_create_u32("order", 0600, dir, &order);
	debugfs_create_u32("keep", 0600, dir, &keep);
	debugfs_create_u32("held", 0400, dir, &held);
	debugfs_create_atomic_t("received", 0400, dir, &received);
	debugfs_create_atomic_t("overtaken", 0400, dir, &overtaken);
	debugfs_create_atomic_t("disordered", 0400, dir, &disordered);
	debugfs_create_atomic_t("damaged", 0400, dir, &damaged);
	return 0;
}

static void __exit hold_exit(void)
{
	struct rdma_cm_id *id;

	debugfs_remove(dir);
	id = xchg(&listener, NULL);
	if (id)
		rdma_destroy_id(id);
	srqpool_close(client);
	cancel_delayed_work_sync(&tick_work);
	give_back(any, NULL, U32_MAX);
}

module_init(hold_init);
module_exit(hold_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Test of srqpool's API: holds, delays and releases buffers");
