// SPDX-License-Identifier: GPL-2.0
#include <linux/jiffies.h>
#include <linux/ktime.h>
#include <linux/workqueue.h>
#include "keepalive.h"

/* How often connections are looked at. */
#define LOOK_SECONDS	1
/*
 * How long a peer may take to answer: the acknowledgement timeout and 7 retries,
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

static bool take_credit(struct srqpool_conn *conn)
{
	struct srqpool_shard *shard = conn->shard;
	u32 *credits = shard->send_credits ? &shard->send_credits :
					     &shard->probe_credits;

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
	clear_bit(CONN_PROBED, &conn->probe.flags);
}

static void probe_done(struct ib_cq *cq, struct ib_wc *wc)
{
	struct srqpool_conn *conn = container_of(wc->wr_cqe,
						 struct srqpool_conn, probe.cqe);

	if (wc->status == IB_WC_SUCCESS)
		WRITE_ONCE(conn->alive_at, conn->shard->now);
	else
		conn_failed(conn, wc);
	end_probe(conn);
}

/* Nothing of the peer's memory is touched, and no receive of it is used. */
static bool post_probe(struct srqpool_conn *conn)
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
		return false;
	if (!ib_post_send(conn->qp, &wr.wr, NULL)) {
		WRITE_ONCE(conn->probe.asked_at, ktime_get_ns());
		return true;
	}
	conn_close(conn, "a keep-alive could not be posted");
	return false;
}

/* Sends that are under way say as much as a probe, which would wait for them. */
static bool probe(struct srqpool_conn *conn)
{
	u32 seconds = READ_ONCE(conn->inst->keepalive);

	if (conn_is_closing(conn))
		return false;
	if (!conn->nr_sending)
		return post_probe(conn);
	if (ktime_get_ns() > conn->sent_at + seconds * NSEC_PER_SEC)
		conn_close(conn, "it takes nothing");
	return false;
}

/**
 * keepalive_take - ask whether a peer is there
 * @node: its connection's, put into SHARD_PROBES with a reference
 *
 * Context: the shard's poller; once it is settled, under its @late_lock.
 */
void keepalive_take(struct llist_node *node)
{
	struct srqpool_conn *conn = container_of(node, struct srqpool_conn,
						 probe.box);

	if (!probe(conn))
		end_probe(conn);
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

static bool is_silent(const struct srqpool_conn *conn, u64 now, u32 seconds)
{
	u64 since = max(READ_ONCE(conn->idle_since), READ_ONCE(conn->alive_at));

	/* The next look would be too late. */
	return now + LOOK_SECONDS * NSEC_PER_SEC > since + seconds * NSEC_PER_SEC;
}

static bool is_stuck(const struct srqpool_conn *conn, u64 now, u32 seconds)
{
	return READ_ONCE(conn->nr_sending) &&
	       now > READ_ONCE(conn->sent_at) + seconds * NSEC_PER_SEC;
}

static bool is_mute(const struct srqpool_conn *conn, u64 now)
{
	u64 asked_at = READ_ONCE(conn->probe.asked_at);

	return asked_at && now > asked_at + ANSWER_SECONDS * NSEC_PER_SEC;
}

static void look_at(struct srqpool_conn *conn, u64 now)
{
	u32 seconds = READ_ONCE(conn->inst->keepalive);

	if (!seconds || !conn->pool_sends ||
	    atomic_read(&conn->state) != SRQPOOL_CONN_UP)
		return;
	if (is_mute(conn, now)) {
		conn_close(conn, "it does not answer");
		return;
	}
	if (!is_silent(conn, now, seconds) && !is_stuck(conn, now, seconds))
		return;
	if (test_and_set_bit(CONN_PROBED, &conn->probe.flags))
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
