// SPDX-License-Identifier: GPL-2.0
#include <linux/jiffies.h>
#include <linux/ktime.h>
#include <linux/slab.h>
#include <linux/wait.h>
#include <linux/xarray.h>
#include <rdma/ib_cm.h>
#include "conn.h"
#include "dedicated.h"
#include "event.h"
#include "fault.h"
#include "stock.h"

/* How long a closing connection waits for LAST_WQE_REACHED. */
#define LAST_WQE_TIMEOUT	HZ
/* How long an accept waits for a QP address to become free. */
#define UNHASH_TIMEOUT		(5 * HZ)
/* How long a connection may be over its quota while others are served. */
#define OVER_QUOTA_NS		(100 * NSEC_PER_MSEC)
/* Connections closed at the same time: QPs of rxe are slow to destroy. */
#define CLOSE_PARALLEL		256

static DEFINE_XARRAY(conns);
static atomic64_t last_number;
static struct workqueue_struct *close_wq;

static const struct rhashtable_params conn_params = {
	.head_offset = offsetof(struct srqpool_conn, hash),
	.key_offset = offsetof(struct srqpool_conn, qp),
	.key_len = sizeof_field(struct srqpool_conn, qp),
	.automatic_shrinking = true,
};

static bool is_closing(const struct srqpool_conn *conn)
{
	return atomic_read(&conn->state) == SRQPOOL_CONN_CLOSING;
}

/*
 * References and look-up
 */

static void conn_free(struct kref *ref)
{
	struct srqpool_conn *conn = container_of(ref, struct srqpool_conn, ref);

	instance_put(conn->inst);
	kfree_rcu(conn, rcu);
}

/* Context: process; the last reference may sleep. */
void conn_put(struct srqpool_conn *conn)
{
	kref_put(&conn->ref, conn_free);
}

/**
 * conn_get - find a connection
 * @number: its id
 *
 * Return: the connection with a reference, or NULL.
 */
struct srqpool_conn *conn_get(u64 number)
{
	struct srqpool_conn *conn;

	rcu_read_lock();
	conn = xa_load(&conns, number);
	if (conn && !kref_get_unless_zero(&conn->ref))
		conn = NULL;
	rcu_read_unlock();
	return conn;
}

/**
 * conn_next - walk the connections
 * @number: id to start at
 *
 * Return: the first connection from there on, with a reference, or NULL.
 */
struct srqpool_conn *conn_next(u64 number)
{
	unsigned long index = number;
	struct srqpool_conn *conn;

	rcu_read_lock();
	do {
		conn = xa_find(&conns, &index, ULONG_MAX, XA_PRESENT);
		index++;
	} while (conn && !kref_get_unless_zero(&conn->ref));
	rcu_read_unlock();
	return conn;
}

/*
 * Groups
 */

/**
 * conn_group_init - set up a group; it is shut
 * @group: the group
 * @owner: id of whom it belongs to
 * @max: most connections
 * @total: counts the connections of several groups
 */
void conn_group_init(struct conn_group *group, u64 owner, u32 max,
		     atomic_t *total)
{
	group->owner = owner;
	spin_lock_init(&group->lock);
	INIT_LIST_HEAD(&group->list);
	group->max = max;
	group->shut = true;
	group->total = total;
	init_waitqueue_head(&group->empty);
}

/* Lets a group accept connections. */
void conn_group_open(struct conn_group *group)
{
	spin_lock_irq(&group->lock);
	group->shut = false;
	spin_unlock_irq(&group->lock);
}

/* Lets a group accept no more. */
void conn_group_shut(struct conn_group *group)
{
	spin_lock_irq(&group->lock);
	group->shut = true;
	spin_unlock_irq(&group->lock);
}

/**
 * conn_group_close - close all connections of a group and wait for their end
 * @group: shut
 * @reason: static text
 *
 * Context: process, sleeps. Several may wait at once.
 */
void conn_group_close(struct conn_group *group, const char *reason)
{
	struct srqpool_conn *conn;

	spin_lock_irq(&group->lock);
	list_for_each_entry(conn, &group->list, member)
		conn_close(conn, reason);
	spin_unlock_irq(&group->lock);
	wait_event(group->empty, !READ_ONCE(group->nr));
	/* Whoever made it empty is out of the lock after this. */
	spin_lock_irq(&group->lock);
	spin_unlock_irq(&group->lock);
}

static const char *group_add(struct conn_group *group, struct srqpool_conn *conn)
{
	const char *refused = NULL;

	spin_lock_irq(&group->lock);
	if (group->shut) {
		refused = "the listener is closing";
	} else if (group->nr >= group->max) {
		refused = "the listener has all the connections it may";
	} else {
		list_add_tail(&conn->member, &group->list);
		WRITE_ONCE(group->nr, group->nr + 1);
		atomic_inc(group->total);
	}
	spin_unlock_irq(&group->lock);
	return refused;
}

static void group_del(struct conn_group *group, struct srqpool_conn *conn)
{
	spin_lock_irq(&group->lock);
	list_del(&conn->member);
	atomic_dec(group->total);
	WRITE_ONCE(group->nr, group->nr - 1);
	if (!group->nr)
		wake_up_all(&group->empty);
	spin_unlock_irq(&group->lock);
}

/*
 * Buffers, all in the poller
 */

static void touch(struct srqpool_conn *conn)
{
	WRITE_ONCE(conn->idle_since, conn->shard->now);
}

static void mark_dirty(struct srqpool_conn *conn)
{
	if (list_empty(&conn->dirty))
		list_add_tail(&conn->dirty, &conn->shard->dirty);
}

static void give_back_held(struct srqpool_conn *conn, struct srqpool_buf *buf)
{
	struct srqpool_shard *shard = conn->shard;

	WRITE_ONCE(conn->held, conn->held - 1);
	hist_add(&shard->stats.hold_ns, shard->now - min(buf->since, shard->now));
	if (!conn->dedicated || is_closing(conn)) {
		stock_give_back(conn->queue, buf);
		return;
	}
	list_add_tail(&buf->list, &conn->own_back);
	mark_dirty(conn);
}

/**
 * conn_give_back - give a received buffer back
 * @conn: the connection it was received on
 * @buf: the buffer, or a copy
 *
 * Context: the shard's poller.
 */
void conn_give_back(struct srqpool_conn *conn, struct srqpool_buf *buf)
{
	struct srqpool_shard *shard = conn->shard;

	conn->returns++;
	WRITE_ONCE(shard->returns, shard->returns + 1);
	if (buf->granules)
		arena_give_back(&shard->arena, buf);
	else
		give_back_held(conn, buf);
}

static void sent_one(struct srqpool_conn *conn, struct srqpool_buf *buf,
		     bool good)
{
	struct srqpool_totals *stats = &conn->shard->stats;

	list_del(&buf->list);
	WRITE_ONCE(conn->nr_sending, conn->nr_sending - 1);
	if (buf->granules)
		conn->shard->send_credits++;
	if (good) {
		stats_add(&conn->tx_msgs, 1);
		stats_add(&stats->tx_msgs, 1);
		stats_add(&stats->tx_bytes, buf->len);
	}
	conn_give_back(conn, buf);
}

static void count_wc_error(struct srqpool_conn *conn, const struct ib_wc *wc)
{
	if (wc->status < STATS_WC_STATUSES)
		stats_add(&conn->shard->stats.wc_errors[wc->status], 1);
	if (wc->status != IB_WC_WR_FLUSH_ERR)
		conn_close(conn, ib_wc_status_msg(wc->status));
}

/* A send completed, and with it those before it that were not signalled. */
static void conn_sent(struct ib_cq *cq, struct ib_wc *wc)
{
	struct srqpool_buf *last = container_of(wc->wr_cqe, struct srqpool_buf,
						cqe);
	struct srqpool_conn *conn = last->conn;
	bool good = wc->status == IB_WC_SUCCESS;
	struct srqpool_buf *buf;

	/* The connection lists the buffer, so it is still there. */
	if (WARN_ON_ONCE(!conn))
		return;
	if (!good)
		count_wc_error(conn, wc);
	else
		touch(conn);
	do {
		buf = list_first_entry_or_null(&conn->sending,
					       struct srqpool_buf, list);
		if (WARN_ON_ONCE(!buf))
			break;
		sent_one(conn, buf, good || buf != last);
	} while (buf != last);
	if (conn->nr_waiting)
		mark_dirty(conn);
}

/**
 * conn_send - send a received message's buffer on its connection
 * @conn: the connection
 * @buf: received on it; given back when the send is done
 * @len: bytes to send
 *
 * Context: the shard's poller; it is posted at the end of the batch.
 */
void conn_send(struct srqpool_conn *conn, struct srqpool_buf *buf, u32 len)
{
	buf->len = len;
	list_add_tail(&buf->list, &conn->waiting);
	WRITE_ONCE(conn->nr_waiting, conn->nr_waiting + 1);
	mark_dirty(conn);
}

static void drop_waiting(struct srqpool_conn *conn)
{
	struct srqpool_buf *buf, *next;

	list_for_each_entry_safe(buf, next, &conn->own_back, list) {
		list_del(&buf->list);
		stock_give_back(conn->queue, buf);
	}

	list_for_each_entry_safe(buf, next, &conn->waiting, list) {
		list_del(&buf->list);
		conn_give_back(conn, buf);
	}
	WRITE_ONCE(conn->nr_waiting, 0);
}

static void prepare_send(struct srqpool_conn *conn, struct srqpool_buf *buf)
{
	buf->cqe.done = conn_sent;
	buf->swr = (struct ib_send_wr) {
		.wr_cqe = &buf->cqe,
		.sg_list = &buf->sge,
		.num_sge = buf->len ? 1 : 0,
		.opcode = IB_WR_SEND,
	};
	buf->sge.length = buf->len;
	if (++conn->unsignalled == CONN_SIGNAL_EVERY) {
		buf->swr.send_flags = IB_SEND_SIGNALED;
		conn->unsignalled = 0;
	}
}

static void signal_last(struct srqpool_conn *conn)
{
	struct srqpool_buf *last = list_last_entry(&conn->sending,
						   struct srqpool_buf, list);

	last->swr.send_flags = IB_SEND_SIGNALED;
	conn->unsignalled = 0;
}

static void sends_refused(struct srqpool_conn *conn, const struct ib_send_wr *bad)
{
	struct srqpool_buf *buf;

	while (bad) {
		buf = container_of(bad, struct srqpool_buf, swr);
		bad = bad->next;
		sent_one(conn, buf, false);
	}
	conn_close(conn, "a send could not be posted");
}

/* A copy owns no entry of the CQ: its send needs a credit. */
static bool take_credit(struct srqpool_shard *shard, struct srqpool_buf *buf)
{
	if (!buf->granules)
		return true;
	if (!shard->send_credits)
		return false;
	shard->send_credits--;
	buf->state = BUFFER_POSTED;
	return true;
}

/* Makes a chain of what waits, as far as send queue and credits allow. */
static struct ib_send_wr *make_sends(struct srqpool_conn *conn)
{
	struct ib_send_wr *first = NULL, **link = &first;
	struct srqpool_buf *buf = NULL, *next;

	list_for_each_entry_safe(buf, next, &conn->waiting, list) {
		if (conn->nr_sending == CONN_SQ_DEPTH)
			break;
		if (!take_credit(conn->shard, buf)) {
			list_add_tail(&conn->dirty, &conn->shard->blocked);
			break;
		}
		prepare_send(conn, buf);
		list_move_tail(&buf->list, &conn->sending);
		WRITE_ONCE(conn->nr_waiting, conn->nr_waiting - 1);
		WRITE_ONCE(conn->nr_sending, conn->nr_sending + 1);
		*link = &buf->swr;
		link = &buf->swr.next;
	}
	if (first)
		signal_last(conn);
	return first;
}

/* Posts what waits, as one chain. */
static void conn_flush(struct list_head *node)
{
	struct srqpool_conn *conn = container_of(node, struct srqpool_conn,
						 dirty);
	const struct ib_send_wr *bad = NULL;
	struct ib_send_wr *first;

	if (is_closing(conn)) {
		drop_waiting(conn);
		return;
	}
	if (!list_empty(&conn->own_back)) {
		dedicated_repost(conn->queue, conn->qp, &conn->own_back,
				 &conn->own_posted);
		if (!list_empty(&conn->own_back)) {
			conn_close(conn, "a receive could not be posted");
			drop_waiting(conn);
			return;
		}
	}
	first = make_sends(conn);
	if (first && ib_post_send(conn->qp, first, &bad))
		sends_refused(conn, bad ? bad : first);
}

/*
 * Fairness: what a connection may hold
 */

/* Few are left for all, or the device has just said so. */
static bool is_tight(const struct srqpool_queue *q)
{
	return q->posted < READ_ONCE(q->hold.reserve) + q->taken ||
	       test_bit(QUEUE_HARD, &q->flags);
}

static struct srqpool_buf *copy_of(struct srqpool_conn *conn,
				   struct srqpool_buf *buf, u32 len)
{
	struct srqpool_buf *copy = arena_copy(&conn->shard->arena, buf, len);

	if (!copy)
		return NULL;
	copy->conn = conn;
	copy->state = BUFFER_HELD;
	stats_add(&conn->copied, 1);
	stats_add(&conn->shard->stats.copied, 1);
	give_back_held(conn, buf);
	return copy;
}

static u64 returns_of_others(const struct srqpool_conn *conn)
{
	const struct srqpool_instance *inst = conn->inst;
	u64 returns = 0;
	u32 i;

	for (i = 0; i < inst->cfg.shards; i++)
		returns += READ_ONCE(inst->shards[i].returns);
	return returns - conn->returns;
}

/* It has taken all there is, so nothing of others can come back. */
static bool holds_everything(const struct srqpool_conn *conn)
{
	const struct srqpool_queue *q = conn->queue;

	return q->posted == q->taken && queue_conns(q) > 1 &&
	       q->held + q->taken - q->nr_back <= conn->held;
}

static void start_watch(struct srqpool_conn *conn)
{
	conn->over_since = ktime_get_ns();
	conn->over_returns = returns_of_others(conn);
	shard_watch(conn->shard, &conn->over);
}

static void went_over(struct srqpool_conn *conn)
{
	stats_add(&conn->shard->stats.quota_hits, 1);
	if (!list_empty(&conn->over))
		return;
	event_raise(SRQPOOL_EVENT_QUOTA_HIT, conn->shard->pool,
		    conn->queue->cls.name, conn->shard->index, conn->number,
		    "%u buffers held, the quota is %u", conn->held,
		    READ_ONCE(conn->queue->hold.quota));
	if (READ_ONCE(conn->queue->hold.policy) == SRQPOOL_QUOTA_DISCONNECT)
		conn_close(conn, "it went over its quota");
	else
		start_watch(conn);
}

/*
 * A consumer that gives nothing back is stalled, and then nobody is to blame.
 * One that serves others meanwhile, but not this connection, has a peer that
 * does not take what it asks for.
 */
static void conn_check(struct list_head *node)
{
	struct srqpool_conn *conn = container_of(node, struct srqpool_conn,
						 over);

	if (is_closing(conn) ||
	    conn->held <= READ_ONCE(conn->queue->hold.quota))
		return;
	if (ktime_get_ns() - conn->over_since < OVER_QUOTA_NS)
		shard_watch(conn->shard, node);
	else if (returns_of_others(conn) != conn->over_returns ||
		 holds_everything(conn))
		conn_close(conn, "it stayed over its quota");
	else
		start_watch(conn);
}

/* Returns what the consumer gets: the buffer, or a copy. */
static struct srqpool_buf *may_hold(struct srqpool_conn *conn,
				    struct srqpool_buf *buf, u32 len)
{
	const struct queue_hold *hold = &conn->queue->hold;
	bool over = conn->held > READ_ONCE(hold->quota);
	struct srqpool_buf *copy = NULL;

	if (!conn->ops->holds || conn->dedicated)
		return buf;
	if (over && READ_ONCE(hold->policy) == SRQPOOL_QUOTA_DISCONNECT) {
		went_over(conn);
		return buf;
	}
	if (over || len <= READ_ONCE(hold->copybreak) || is_tight(conn->queue))
		copy = copy_of(conn, buf, len);
	if (over && !copy)
		went_over(conn);
	return copy ?: buf;
}

/* Runs under the RCU read lock of the poller. */
static void conn_received(struct ib_cq *cq, struct ib_wc *wc)
{
	struct srqpool_buf *buf = container_of(wc->wr_cqe, struct srqpool_buf,
					       cqe);
	struct srqpool_shard *shard = cq->cq_context;
	struct srqpool_conn *conn;

	stock_took(buf->queue, buf);
	/* The value only: the QP may be gone. */
	conn = rhashtable_lookup(&shard->conns, &wc->qp, conn_params);
	if (!conn) {
		stock_give_back(buf->queue, buf);
		return;
	}
	buf->conn = conn;
	buf->since = shard->now;
	if (conn->dedicated)
		list_del(&buf->list);
	WRITE_ONCE(conn->held, conn->held + 1);
	if (wc->status != IB_WC_SUCCESS) {
		if (wc->status == IB_WC_LOC_LEN_ERR ||
		    wc->status == IB_WC_LOC_QP_OP_ERR)
			stats_add(&shard->stats.oversize, 1);
		count_wc_error(conn, wc);
		give_back_held(conn, buf);
		return;
	}
	touch(conn);
	stats_add(&conn->rx_msgs, 1);
	stats_add(&conn->rx_bytes, wc->byte_len);
	stats_add(&shard->stats.rx_msgs, 1);
	stats_add(&shard->stats.rx_bytes, wc->byte_len);
	hist_add(&shard->stats.msg_bytes, wc->byte_len);
	if (is_closing(conn))
		conn_give_back(conn, buf);
	else
		conn->ops->recv(conn, may_hold(conn, buf, wc->byte_len),
				wc->byte_len);
}

/* Closes the connections that @is_hit says yes to. */
static void close_all(bool (*is_hit)(struct srqpool_conn *conn, void *what),
		      void *what, const char *reason)
{
	struct srqpool_conn *conn;
	unsigned long index;

	rcu_read_lock();
	xa_for_each(&conns, index, conn)
		if (is_hit(conn, what))
			conn_close(conn, reason);
	rcu_read_unlock();
}

static bool is_on_queue(struct srqpool_conn *conn, void *q)
{
	return conn->queue == q;
}

static bool is_on_shard(struct srqpool_conn *conn, void *shard)
{
	return conn->shard == shard;
}

static void queue_broken(struct srqpool_queue *q, const char *reason)
{
	close_all(is_on_queue, q, reason);
}

static void shard_broken(struct srqpool_shard *shard)
{
	close_all(is_on_shard, shard, "its completion queue failed");
}

const struct srqpool_instance_ops conn_instance_ops = {
	.recv = conn_received,
	.flush = conn_flush,
	.check = conn_check,
	.queue_broken = queue_broken,
	.shard_broken = shard_broken,
	.conn_params = &conn_params,
};

/*
 * Closing
 */

/**
 * conn_close - start to close a connection; the first caller's reason counts
 * @conn: the connection
 * @reason: static text
 *
 * Context: any.
 */
void conn_close(struct srqpool_conn *conn, const char *reason)
{
	int state = atomic_read(&conn->state);

	do {
		if (state == SRQPOOL_CONN_CLOSING)
			return;
	} while (!atomic_try_cmpxchg(&conn->state, &state,
				     SRQPOOL_CONN_CLOSING));
	conn->reason = reason;
	queue_work(close_wq, &conn->close);
}

/*
 * The event says that the SRQ owes this QP nothing any more. Some devices
 * never send it, so the wait ends, and is left out where it never came.
 */
static void wait_last_wqe(struct srqpool_conn *conn)
{
	atomic_t *missed = &conn->inst->dev->no_last_wqe;

	if (atomic_read(missed) >= DEVICE_LAST_WQE_PATIENCE)
		return;
	if (!wait_for_completion_timeout(&conn->last_wqe, LAST_WQE_TIMEOUT))
		atomic_inc(missed);
}

/* The QP is gone and its completions are dealt with, so the poller is out. */
static void return_sends(struct srqpool_conn *conn)
{
	struct srqpool_buf *buf, *next;

	list_splice_tail_init(&conn->waiting, &conn->sending);
	list_for_each_entry_safe(buf, next, &conn->sending, list) {
		list_del(&buf->list);
		if (buf->granules) {
			shard_return_copy(conn->shard, buf);
			continue;
		}
		WRITE_ONCE(conn->held, conn->held - 1);
		stock_return(conn->queue, buf);
	}
	shard_kick(conn->shard);
}

/* What came back but was not posted again goes to the queue by its poller. */
static void reclaim_own(struct srqpool_conn *conn)
{
	dedicated_reclaim(conn->queue, &conn->own_posted);
	atomic_dec(&conn->shard->nr_conns);
}

static void destroy_qp(struct srqpool_conn *conn)
{
	struct ib_qp_attr attr = { .qp_state = IB_QPS_ERR };

	rdma_disconnect(conn->id);
	ib_modify_qp(conn->qp, &attr, IB_QP_STATE);
	wait_last_wqe(conn);
	shard_barrier(conn->shard);
	rdma_destroy_qp(conn->id);
	shard_barrier(conn->shard);
	return_sends(conn);
	if (conn->dedicated)
		reclaim_own(conn);
	rhashtable_remove_fast(&conn->shard->conns, &conn->hash, conn_params);
	complete_all(&conn->unhashed);
}

static void conn_close_work(struct work_struct *work)
{
	struct srqpool_conn *conn = container_of(work, struct srqpool_conn,
						 close);

	/* conn_accept() may still be under way in the CM's handler. */
	rdma_lock_handler(conn->id);
	rdma_unlock_handler(conn->id);

	destroy_qp(conn);
	rdma_destroy_id(conn->id);
	xa_erase(&conns, conn->number);
	atomic_inc(&event_generation);
	queue_unbind(conn->queue, conn->slot);
	event_raise(SRQPOOL_EVENT_CONN_DOWN, conn->shard->pool,
		    conn->queue->cls.name, conn->shard->index, conn->number,
		    "%s", conn->reason);
	group_del(conn->group, conn);
	conn_put(conn);
}

/*
 * Accepting
 */

/* Any context, IRQs maybe off under a lock of the QP. */
static void conn_qp_event(struct ib_event *ev, void *context)
{
	struct srqpool_conn *conn = context;

	switch (ev->event) {
	case IB_EVENT_QP_LAST_WQE_REACHED:
		if (fault_hit(FAULT_LAST_WQE))
			break;
		if (!test_and_set_bit(0, &conn->saw_last_wqe)) {
			atomic_set(&conn->inst->dev->no_last_wqe, 0);
			complete(&conn->last_wqe);
		}
		break;
	case IB_EVENT_COMM_EST:
		rdma_notify(conn->id, IB_EVENT_COMM_EST);
		break;
	case IB_EVENT_QP_FATAL:
	case IB_EVENT_QP_REQ_ERR:
	case IB_EVENT_QP_ACCESS_ERR:
	case IB_EVENT_PATH_MIG_ERR:
		conn_close(conn, ib_event_msg(ev->event));
		break;
	default:
		break;
	}
}

static void conn_established(struct srqpool_conn *conn)
{
	if (atomic_cmpxchg(&conn->state, SRQPOOL_CONN_CONNECTING,
			   SRQPOOL_CONN_UP) != SRQPOOL_CONN_CONNECTING)
		return;
	event_raise(SRQPOOL_EVENT_CONN_UP, conn->shard->pool,
		    conn->queue->cls.name, conn->shard->index, conn->number,
		    "from %pISpc", &conn->peer);
}

static int conn_cm_event(struct rdma_cm_id *id, struct rdma_cm_event *ev)
{
	struct srqpool_conn *conn = id->context;

	switch (ev->event) {
	case RDMA_CM_EVENT_ESTABLISHED:
		conn_established(conn);
		break;
	case RDMA_CM_EVENT_DISCONNECTED:
	case RDMA_CM_EVENT_REJECTED:
	case RDMA_CM_EVENT_UNREACHABLE:
	case RDMA_CM_EVENT_CONNECT_ERROR:
	case RDMA_CM_EVENT_DEVICE_REMOVAL:
		conn_close(conn, rdma_event_msg(ev->event));
		break;
	default:
		break;
	}
	return 0;
}

static struct srqpool_conn *conn_alloc(struct conn_group *group,
				       struct srqpool_instance *inst, u32 class,
				       const struct srqpool_consumer_ops *ops,
				       struct rdma_cm_id *id)
{
	u32 shard = (u32)atomic_inc_return(&inst->next_shard) % inst->cfg.shards;
	struct srqpool_conn *conn;

	conn = kzalloc_node(sizeof(*conn), GFP_KERNEL,
			    ibdev_to_node(inst->dev->ibdev));
	if (!conn)
		return NULL;
	kref_init(&conn->ref);
	atomic_set(&conn->state, SRQPOOL_CONN_CONNECTING);
	conn->number = atomic64_inc_return(&last_number);
	conn->id = id;
	conn->inst = inst;
	conn->shard = &inst->shards[shard];
	conn->queue = instance_queue(inst, shard, class);
	conn->group = group;
	conn->owner = group->owner;
	conn->ops = ops;
	INIT_LIST_HEAD(&conn->dirty);
	INIT_LIST_HEAD(&conn->over);
	INIT_LIST_HEAD(&conn->own_back);
	INIT_LIST_HEAD(&conn->own_posted);
	INIT_LIST_HEAD(&conn->waiting);
	INIT_LIST_HEAD(&conn->sending);
	INIT_WORK(&conn->close, conn_close_work);
	init_completion(&conn->last_wqe);
	init_completion(&conn->unhashed);
	memcpy(&conn->peer, &id->route.addr.dst_addr, sizeof(conn->peer));
	memcpy(&conn->local, &id->route.addr.src_addr, sizeof(conn->local));
	conn->idle_since = ktime_get_ns();
	instance_get(inst);
	return conn;
}

static int create_qp(struct srqpool_conn *conn)
{
	struct ib_qp_init_attr attr = {
		.event_handler = conn_qp_event,
		.qp_context = conn,
		.send_cq = conn->shard->cq,
		.recv_cq = conn->shard->cq,
		.srq = conn->queue->srq,
		.cap = { .max_send_wr = CONN_SQ_DEPTH, .max_send_sge = 1 },
		.sq_sig_type = IB_SIGNAL_REQ_WR,
		.qp_type = IB_QPT_RC,
		.port_num = conn->id->port_num,
	};
	int ret;

	if (conn->dedicated) {
		attr.cap.max_recv_wr = conn->inst->cfg.dedicated;
		attr.cap.max_recv_sge = 1;
	}
	ret = rdma_create_qp(conn->id, conn->inst->pd, &attr);

	conn->qp = conn->id->qp;
	return ret;
}

/*
 * A destroyed QP's address can be given to a new QP while completions of the
 * old one are still in the CQ: the new one waits until they are dealt with.
 */
static int hash_conn(struct srqpool_conn *conn)
{
	struct rhashtable *table = &conn->shard->conns;
	unsigned long deadline = jiffies + UNHASH_TIMEOUT;
	struct srqpool_conn *old;
	int ret;

	for (;;) {
		ret = rhashtable_lookup_insert_fast(table, &conn->hash,
						    conn_params);
		if (ret != -EEXIST || time_after(jiffies, deadline))
			return ret;
		rcu_read_lock();
		old = rhashtable_lookup(table, &conn->qp, conn_params);
		if (old && !kref_get_unless_zero(&old->ref))
			old = NULL;
		rcu_read_unlock();
		if (!old)
			continue;
		wait_for_completion_timeout(&old->unhashed, UNHASH_TIMEOUT);
		conn_put(old);
	}
}

/* A receive queue of its own: its entries of the CQ are reserved. */
static const char *prepare_own(struct srqpool_conn *conn)
{
	const struct srqpool_config *cfg = &conn->inst->cfg;
	struct srqpool_shard *shard = conn->shard;

	if (atomic_inc_return(&shard->nr_conns) >
	    policy_dedicated_conns(cfg, shard->cqe)) {
		atomic_dec(&shard->nr_conns);
		return "the completion queue has no room for another receive queue";
	}
	conn->dedicated = true;
	return NULL;
}

static int accept(struct srqpool_conn *conn, const struct rdma_conn_param *from)
{
	const struct ib_device_attr *attrs = &conn->inst->dev->ibdev->attrs;
	struct rdma_conn_param param = {
		.responder_resources = min_t(u8, from->responder_resources,
					     min(attrs->max_qp_rd_atom, 255)),
		.initiator_depth = min_t(u8, from->initiator_depth,
					 min(attrs->max_qp_init_rd_atom, 255)),
		.flow_control = 1,
		.rnr_retry_count = 7,	/* for ever: an empty queue is refilled */
	};

	rdma_set_min_rnr_timer(conn->id, READ_ONCE(conn->inst->rnr_code));
	return rdma_accept(conn->id, &param);
}

static int reject(struct rdma_cm_id *id, const char *why)
{
	rdma_reject(id, why, strlen(why) + 1, IB_CM_REJ_CONSUMER_DEFINED);
	return -ECONNREFUSED;
}

/**
 * conn_accept - accept a connect request
 * @group: whom the connection is to belong to
 * @inst: the pool on its device
 * @class: index of the class it draws from
 * @ops: consumer of its messages
 * @id: the new cm_id
 * @param: of the request
 *
 * Context: the CM's handler of @id.
 *
 * Return: 0: the cm_id is the connection's; else the peer was told why not,
 * and the CM is to destroy the cm_id.
 */
int conn_accept(struct conn_group *group, struct srqpool_instance *inst,
		u32 class, const struct srqpool_consumer_ops *ops,
		struct rdma_cm_id *id, const struct rdma_conn_param *param)
{
	struct srqpool_conn *conn;
	const char *refused;

	conn = conn_alloc(group, inst, class, ops, id);
	if (!conn)
		return reject(id, "out of memory");
	conn->slot = queue_bind(conn->queue);
	if (conn->slot < 0) {
		refused = "the shared receive queue is being made anew";
		goto free;
	}
	if (inst->cfg.dedicated) {
		refused = prepare_own(conn);
		if (refused)
			goto unbind;
	}
	if (create_qp(conn)) {
		refused = "no QP could be created";
		goto unreserve;
	}
	if (hash_conn(conn)) {
		refused = "the connection could not be hashed";
		goto destroy_qp;
	}
	refused = group_add(group, conn);
	if (refused)
		goto unhash;
	id->context = conn;
	id->event_handler = conn_cm_event;
	atomic_inc(&event_generation);
	if (xa_is_err(xa_store(&conns, conn->number, conn, GFP_KERNEL))) {
		reject(id, "out of memory");
		conn_close(conn, "out of memory");
	} else if (conn->dedicated &&
		   dedicated_fill(conn->queue, conn->qp,
				  &conn->own_posted, inst->cfg.dedicated)) {
		reject(id, "no memory for its receive queue");
		conn_close(conn, "no memory for its receive queue");
	} else if (accept(conn, param)) {
		conn_close(conn, "accepting failed");
	}
	return 0;

unhash:
	rhashtable_remove_fast(&conn->shard->conns, &conn->hash, conn_params);
destroy_qp:
	rdma_destroy_qp(id);
unreserve:
	if (conn->dedicated)
		atomic_dec(&conn->shard->nr_conns);
unbind:
	queue_unbind(conn->queue, conn->slot);
free:
	complete_all(&conn->unhashed);
	conn_put(conn);
	return reject(id, refused);
}

int conn_init(void)
{
	close_wq = alloc_workqueue("srqpool_close", WQ_UNBOUND, CLOSE_PARALLEL);
	return close_wq ? 0 : -ENOMEM;
}

void conn_exit(void)
{
	destroy_workqueue(close_wq);
	xa_destroy(&conns);
}
