// SPDX-License-Identifier: GPL-2.0
#include <linux/ktime.h>
#include "dedicated.h"
#include "delivery.h"
#include "event.h"
#include "keepalive.h"
#include "stock.h"

/* How long a connection may be over its quota while others are served. */
#define OVER_QUOTA_NS		(100 * NSEC_PER_MSEC)

/*
 * Everything here runs in the shard's poller; what is given back after that,
 * under the shard's lock for those who are late.
 */

static void touch(struct srqpool_conn *conn)
{
	WRITE_ONCE(conn->idle_since, conn->shard->now);
}

static void took(struct srqpool_conn *conn)
{
	touch(conn);
	WRITE_ONCE(conn->sent_at, conn->shard->now);
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
	hist_add(&shard->stats.hold_ns,
		 shard->now - min(buf->msg.time_ns, shard->now));
	if (!conn->dedicated || conn_is_closing(conn)) {
		stock_give_back(conn->queue, buf);
		return;
	}
	list_add_tail(&buf->list, &conn->own_back);
	mark_dirty(conn);
}

static void returned_one(struct srqpool_conn *conn)
{
	if (!--conn->outstanding && conn->left)
		conn_put(conn);
}

/**
 * conn_give_back - give a received message back
 * @buf: the buffer it is in, or a copy; the connection may be gone afterwards
 *
 * Context: the shard's poller; once it is settled, under its @late_lock.
 */
void conn_give_back(struct srqpool_buf *buf)
{
	struct srqpool_conn *conn = buf->msg.conn;
	struct srqpool_shard *shard = conn->shard;

	conn->returns++;
	WRITE_ONCE(shard->returns, shard->returns + 1);
	if (shard->settled)
		buffer_give_back_late(buf);
	else if (buf->granules)
		arena_give_back(&shard->arena, buf);
	else
		give_back_held(conn, buf);
	returned_one(conn);
}

/* Gives back what was to be sent. */
static void give_back_send(struct srqpool_buf *buf)
{
	struct srqpool_conn *conn = buf->msg.conn;

	if (buf->credit)
		conn->shard->send_credits++;
	buf->credit = false;
	if (!buf->sent) {
		conn_give_back(buf);
		return;
	}
	buf->sent(buf);
	returned_one(conn);
}

static void sent_one(struct srqpool_conn *conn, struct srqpool_buf *buf,
		     bool good)
{
	struct srqpool_totals *stats = &conn->shard->stats;

	list_del(&buf->list);
	WRITE_ONCE(conn->nr_sending, conn->nr_sending - 1);
	if (good) {
		stats_add(&conn->tx_msgs, 1);
		stats_add(&stats->tx_msgs, 1);
		stats_add(&stats->tx_bytes, buf->msg.len);
	}
	give_back_send(buf);
}

/* A send completed, and with it those before it that were not signalled. */
static void conn_sent(struct ib_cq *cq, struct ib_wc *wc)
{
	struct srqpool_buf *last = container_of(wc->wr_cqe, struct srqpool_buf,
						cqe);
	struct srqpool_conn *conn = last->msg.conn;
	bool good = wc->status == IB_WC_SUCCESS;
	struct srqpool_buf *buf;

	/* The connection lists the buffer, so it is still there. */
	if (WARN_ON_ONCE(!conn))
		return;
	if (!good)
		conn_failed(conn, wc);
	else
		took(conn);
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
 * conn_send - send what is in a buffer
 * @buf: received, or written to be sent, on @buf->msg.conn; given back when the
 *	send is done
 *
 * Context: the shard's poller; it is posted at the end of the batch.
 */
void conn_send(struct srqpool_buf *buf)
{
	struct srqpool_conn *conn = buf->msg.conn;

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
		give_back_send(buf);
	}
	WRITE_ONCE(conn->nr_waiting, 0);
}

static void prepare_send(struct srqpool_conn *conn, struct srqpool_buf *buf)
{
	buf->cqe.done = conn_sent;
	buf->swr = (struct ib_send_wr) {
		.wr_cqe = &buf->cqe,
		.sg_list = &buf->sge,
		.num_sge = buf->msg.len ? 1 : 0,
		.opcode = IB_WR_SEND,
	};
	if (buf->msg.flags & SRQPOOL_MSG_IMM) {
		buf->swr.opcode = IB_WR_SEND_WITH_IMM;
		buf->swr.ex.imm_data = buf->msg.imm;
	}
	buf->sge.length = buf->msg.len;
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

/* Only a receive buffer owns an entry of the CQ: other sends need a credit. */
static bool take_credit(struct srqpool_shard *shard, struct srqpool_buf *buf)
{
	if (!buf->granules && !buf->sent)
		return true;
	if (!shard->send_credits)
		return false;
	shard->send_credits--;
	buf->credit = true;
	return true;
}

/* Makes a chain of what waits, as far as send queue and credits allow. */
static struct ib_send_wr *make_sends(struct srqpool_conn *conn)
{
	struct ib_send_wr *first = NULL, **link = &first;
	struct srqpool_buf *buf = NULL, *next;

	if (!conn->nr_sending)
		WRITE_ONCE(conn->sent_at, ktime_get_ns());
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

	if (conn_is_closing(conn)) {
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
	copy->msg = buf->msg;
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

	if (conn_is_closing(conn) ||
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

/*
 * What others have for the poller
 */

static void take_returned(struct llist_node *node)
{
	give_back_send(container_of(node, struct srqpool_buf, box));
}

static void take_outgoing(struct llist_node *node)
{
	struct srqpool_buf *buf = container_of(node, struct srqpool_buf, box);

	if (buf->sent)
		buf->msg.conn->outstanding++;
	conn_send(buf);
}

static void take_leaving(struct llist_node *node)
{
	struct srqpool_conn *conn = container_of(node, struct srqpool_conn,
						 leave);

	keepalive_leave(conn);
	conn->left = true;
	if (!conn->outstanding)
		conn_put(conn);
}

/* Until its QP is in the error state, the peer of a closing one still sends. */
static bool is_refused(const struct srqpool_conn *conn)
{
	return READ_ONCE(conn->drained) ||
	       (conn_is_closing(conn) &&
		conn->held > READ_ONCE(conn->queue->hold.quota));
}

static void deliver(struct srqpool_conn *conn, struct srqpool_buf *buf)
{
	conn->outstanding++;
	if (is_refused(conn))
		conn_give_back(buf);
	else
		conn->ops->recv(conn, &may_hold(conn, buf, buf->msg.len)->msg);
}

static void describe(struct srqpool_buf *buf, struct srqpool_conn *conn,
		     const struct ib_wc *wc)
{
	struct srqpool_msg *msg = &buf->msg;

	msg->conn = conn;
	msg->time_ns = conn->shard->now;
	/* An RDMA WRITE with immediate data is not in the buffer. */
	msg->len = wc->opcode == IB_WC_RECV ?
		   min(wc->byte_len, conn->queue->cls.size) : 0;
	msg->flags = 0;
	if (wc->wc_flags & IB_WC_WITH_IMM) {
		msg->flags = SRQPOOL_MSG_IMM;
		msg->imm = wc->ex.imm_data;
	}
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
	describe(buf, conn, wc);
	if (conn->dedicated)
		list_del(&buf->list);
	WRITE_ONCE(conn->held, conn->held + 1);
	if (wc->status != IB_WC_SUCCESS) {
		if (wc->status == IB_WC_LOC_LEN_ERR ||
		    wc->status == IB_WC_LOC_QP_OP_ERR)
			stats_add(&shard->stats.oversize, 1);
		conn_failed(conn, wc);
		give_back_held(conn, buf);
		return;
	}
	touch(conn);
	stats_add(&conn->rx_msgs, 1);
	stats_add(&conn->rx_bytes, buf->msg.len);
	stats_add(&shard->stats.rx_msgs, 1);
	stats_add(&shard->stats.rx_bytes, buf->msg.len);
	hist_add(&shard->stats.msg_bytes, buf->msg.len);
	deliver(conn, buf);
}

static void queue_broken(struct srqpool_queue *q, const char *reason)
{
	conn_close_queue(q, reason);
}

static void shard_broken(struct srqpool_shard *shard)
{
	conn_close_shard(shard, "its completion queue failed");
}

const struct srqpool_instance_ops delivery_ops = {
	.recv = conn_received,
	.flush = conn_flush,
	.check = conn_check,
	.take = {
		[SHARD_RETURNED] = take_returned,
		[SHARD_OUTGOING] = take_outgoing,
		[SHARD_LEAVING] = take_leaving,
		[SHARD_PROBES] = keepalive_take,
	},
	.queue_broken = queue_broken,
	.shard_broken = shard_broken,
	.conn_params = &conn_params,
};
