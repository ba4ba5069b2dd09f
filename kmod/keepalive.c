// SPDX-License-Identifier: GPL-2.0
#include <linux/jiffies.h>
#include <linux/ktime.h>
#include <linux/workqueue.h>
#include "keepalive.h"

/* How often connections are looked at. */
#define LOOK_SECONDS	1
/*
 * How long a peer may take to answer: the acknowledgment timeout and 7 retries,
 * 4.3 s. Devices can take four times as long, and rxe takes 7 retries for any
 * number (its COMPST_ERROR_RETRY), so it is not left to them.
 */
#define ANSWER_SECONDS	5

static void look(struct work_struct *work);

static struct workqueue_struct *look_wq;
static DECLARE_DELAYED_WORK(look_work, look);

/*
 * The poller's part
 */

/* Probes have entries of their own; the sends of others are left half of theirs. */
static bool take_credit(struct srqpool_conn *conn)
{
	struct srqpool_shard *shard = conn->shard;
	u32 *credits = &shard->probe_credits;

	if (!*credits && shard->send_credits > shard->max_credits / 2)
		credits = &shard->send_credits;
	if (!*credits)
		return false;
	--*credits;
	conn->probe.credits = credits;
	return true;
}

static void end_probe(struct srqpool_conn *conn)
{
	if (conn->probe.credits)
		++*conn->probe.credits;
	conn->probe.credits = NULL;
	WRITE_ONCE(conn->probe.asked_at, 0);
}

static void probe_done(struct ib_cq *cq, struct ib_wc *wc)
{
	struct srqpool_conn *conn = container_of(wc->wr_cqe,
						 struct srqpool_conn, probe.cqe);

	end_probe(conn);
	if (wc->status == IB_WC_SUCCESS) {
		WRITE_ONCE(conn->alive_at, conn->shard->now);
		return;
	}
	conn_failed(conn, wc);
	/* Its QP is in the error state, and nobody has said so. */
	conn_close(conn, ib_wc_status_msg(wc->status));
}

/* Nothing of the peer's memory is touched, and no receive of it is used. */
static void post_probe(struct srqpool_conn *conn)
{
	struct ib_rdma_wr wr = {
		.wr = {
			.wr_cqe = &conn->probe.cqe,
			.opcode = IB_WR_RDMA_WRITE,
			.send_flags = IB_SEND_SIGNALED,
		},
	};

	conn->probe.cqe.done = probe_done;
	if (!take_credit(conn))
		return;
	WRITE_ONCE(conn->probe.asked_at, ktime_get_ns());
	if (!ib_post_send(conn->qp, &wr.wr, NULL))
		return;
	end_probe(conn);
	conn_close(conn, "a keep-alive could not be posted");
}

static bool is_over(u64 since, u64 now, u32 seconds)
{
	return now > since + (u64)seconds * NSEC_PER_SEC;
}

/*
 * Sends that are under way say as much as a probe, which would wait for them on
 * a reliable connection.
 */
static void judge(struct srqpool_conn *conn, u64 now, u32 seconds)
{
	if (conn->probe.asked_at) {
		if (is_over(conn->probe.asked_at, now, ANSWER_SECONDS))
			conn_close(conn, "it does not answer");
	} else if (!conn->nr_sending) {
		post_probe(conn);
	} else if (is_over(conn->sent_at, now, seconds)) {
		conn_close(conn, "it takes nothing");
	}
}

/**
 * keepalive_take - ask whether a peer is there, or find that it is not
 * @node: its connection's, put into SHARD_PROBES with a reference
 *
 * Judged only with an empty CQ: what is still in it may be the answer.
 *
 * Context: the shard's poller; once it is settled, under its @late_lock.
 */
void keepalive_take(struct llist_node *node)
{
	struct srqpool_conn *conn = container_of(node, struct srqpool_conn,
						 probe.box);
	u32 seconds = READ_ONCE(conn->inst->keepalive);

	clear_bit(CONN_PROBE_BOXED, &conn->probe.flags);
	if (seconds && conn->shard->empty && !conn_is_closing(conn))
		judge(conn, ktime_get_ns(), seconds);
	conn_put(conn);
}

/**
 * keepalive_leave - a connection's QP is gone, and nothing completes any more
 * @conn: the connection
 *
 * Context: the shard's poller; once it is settled, under its @late_lock.
 */
void keepalive_leave(struct srqpool_conn *conn)
{
	end_probe(conn);
}

/*
 * Who is to be asked
 */

/* The next look would be too late. */
static bool is_silent(const struct srqpool_conn *conn, u64 now, u32 seconds)
{
	u64 since = max(READ_ONCE(conn->idle_since), READ_ONCE(conn->alive_at));

	return is_over(since, now, seconds - LOOK_SECONDS);
}

static bool is_stuck(const struct srqpool_conn *conn, u64 now, u32 seconds)
{
	return READ_ONCE(conn->nr_sending) &&
	       is_over(READ_ONCE(conn->sent_at), now, seconds);
}

/* A module's connection is one once something came or went. */
static bool is_connected(const struct srqpool_conn *conn)
{
	return READ_ONCE(conn->connected) || READ_ONCE(conn->rx_msgs) ||
	       READ_ONCE(conn->tx_msgs);
}

static void look_at(struct srqpool_conn *conn, u64 now)
{
	u32 seconds = READ_ONCE(conn->inst->keepalive);

	if (!seconds || !conn->pool_sends || !is_connected(conn) ||
	    atomic_read(&conn->state) != SRQPOOL_CONN_UP)
		return;
	if (!is_silent(conn, now, seconds) && !is_stuck(conn, now, seconds))
		return;
	if (test_and_set_bit(CONN_PROBE_BOXED, &conn->probe.flags))
		return;
	conn_hold(conn);
	shard_put(conn->shard, SHARD_PROBES, &conn->probe.box);
}

static void look(struct work_struct *work)
{
	struct srqpool_conn *conn;
	u64 number = 0;

	while ((conn = conn_next(number))) {
		look_at(conn, ktime_get_ns());
		number = conn->number + 1;
		conn_put(conn);
		cond_resched();
	}
	if (number)
		keepalive_start();
}

/**
 * keepalive_start - there is a connection: look at it from now on
 *
 * Context: any.
 */
void keepalive_start(void)
{
	queue_delayed_work(look_wq, &look_work, LOOK_SECONDS * HZ);
}

int keepalive_init(void)
{
	look_wq = alloc_workqueue("srqpool_keepalive", WQ_UNBOUND, 1);
	return look_wq ? 0 : -ENOMEM;
}

/* There are no connections any more. */
void keepalive_exit(void)
{
	cancel_delayed_work_sync(&look_work);
	destroy_workqueue(look_wq);
}
