// SPDX-License-Identifier: GPL-2.0
#include <linux/jiffies.h>
#include <linux/ktime.h>
#include <linux/slab.h>
#include <linux/wait.h>
#include <linux/xarray.h>
#include "conn.h"
#include "dedicated.h"
#include "event.h"
#include "fault.h"
#include "stock.h"

/* How long a closing connection waits for LAST_WQE_REACHED. */
#define LAST_WQE_TIMEOUT	HZ
/* How long an accept waits for a QP address to become free. */
#define UNHASH_TIMEOUT		(5 * HZ)
/* Connections closed at the same time: QPs of rxe are slow to destroy. */
#define CLOSE_PARALLEL		256

static DEFINE_XARRAY(conns);
static atomic64_t last_number;
static struct workqueue_struct *close_wq;
static struct workqueue_struct *forget_wq;

const struct rhashtable_params conn_params = {
	.head_offset = offsetof(struct srqpool_conn, hash),
	.key_offset = offsetof(struct srqpool_conn, qp),
	.key_len = sizeof_field(struct srqpool_conn, qp),
	.automatic_shrinking = true,
};

/*
 * References and look-up
 */

static void free_work(struct work_struct *work)
{
	struct srqpool_conn *conn = container_of(work, struct srqpool_conn,
						 free);

	instance_put(conn->inst);
	kfree_rcu(conn, rcu);
}

static void conn_free(struct kref *ref)
{
	struct srqpool_conn *conn = container_of(ref, struct srqpool_conn, ref);

	queue_work(close_wq, &conn->free);
}

/* Another reference, by somebody who has one. */
void conn_hold(struct srqpool_conn *conn)
{
	kref_get(&conn->ref);
}

/* Context: any. */
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
		/* A place is reserved. Who finds it may close it at once. */
		xa_store(&conns, conn->number, conn, 0);
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

/**
 * conn_failed - count a completion that is not good, and close its connection
 * @conn: the connection
 * @wc: the completion
 *
 * Context: the shard's poller.
 */
void conn_failed(struct srqpool_conn *conn, const struct ib_wc *wc)
{
	if (wc->status < STATS_WC_STATUSES)
		stats_add(&conn->shard->stats.wc_errors[wc->status], 1);
	if (wc->status != IB_WC_WR_FLUSH_ERR)
		conn_close(conn, ib_wc_status_msg(wc->status));
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

/**
 * conn_close_queue - close all connections of a queue
 * @q: the queue
 * @reason: static text
 *
 * Context: any.
 */
void conn_close_queue(struct srqpool_queue *q, const char *reason)
{
	close_all(is_on_queue, q, reason);
}

/**
 * conn_close_shard - close all connections of a shard
 * @shard: the shard
 * @reason: static text
 *
 * Context: any.
 */
void conn_close_shard(struct srqpool_shard *shard, const char *reason)
{
	close_all(is_on_shard, shard, reason);
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

/*
 * The QP is gone and its completions are dealt with, so the poller is out of
 * the lists; what its consumer still has does come back through it.
 */
static void return_sends(struct srqpool_conn *conn)
{
	struct srqpool_buf *buf, *next;

	list_splice_tail_init(&conn->waiting, &conn->sending);
	list_for_each_entry_safe(buf, next, &conn->sending, list) {
		list_del(&buf->list);
		shard_put(conn->shard, SHARD_RETURNED, &buf->box);
	}
}

/* What came back but was not posted again goes to the queue by its poller. */
static void reclaim_own(struct srqpool_conn *conn)
{
	dedicated_reclaim(conn->queue, &conn->own_posted);
	atomic_dec(&conn->shard->nr_conns);
}

static void close_work(struct work_struct *work)
{
	struct srqpool_conn *conn = container_of(work, struct srqpool_conn,
						 close);

	conn->revoke(conn);
}

/*
 * Attaching a QP
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
	case IB_EVENT_QP_FATAL:
	case IB_EVENT_QP_REQ_ERR:
	case IB_EVENT_QP_ACCESS_ERR:
	case IB_EVENT_PATH_MIG_ERR:
		conn_close(conn, ib_event_msg(ev->event));
		break;
	default:
		break;
	}
	if (conn->qp_event)
		conn->qp_event(ev, conn->qp_context);
}

static struct srqpool_conn *conn_alloc(struct conn_group *group,
				       struct srqpool_instance *inst, u32 class,
				       const struct srqpool_ops *ops,
				       void (*revoke)(struct srqpool_conn *conn))
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
	conn->inst = inst;
	conn->shard = &inst->shards[shard];
	conn->queue = instance_queue(inst, shard, class);
	conn->group = group;
	conn->owner = group->owner;
	conn->ops = ops;
	conn->revoke = revoke;
	INIT_LIST_HEAD(&conn->dirty);
	INIT_LIST_HEAD(&conn->over);
	INIT_LIST_HEAD(&conn->own_back);
	INIT_LIST_HEAD(&conn->own_posted);
	INIT_LIST_HEAD(&conn->waiting);
	INIT_LIST_HEAD(&conn->sending);
	INIT_WORK(&conn->close, close_work);
	INIT_WORK(&conn->free, free_work);
	init_completion(&conn->last_wqe);
	init_completion(&conn->unhashed);
	conn->idle_since = ktime_get_ns();
	instance_get(inst);
	return conn;
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

static void fill_attr(struct srqpool_conn *conn, struct ib_qp_init_attr *attr)
{
	conn->qp_event = attr->event_handler;
	conn->qp_context = attr->qp_context;
	attr->event_handler = conn_qp_event;
	attr->qp_context = conn;
	attr->recv_cq = conn->shard->cq;
	if (!attr->send_cq) {
		conn->pool_sends = true;
		attr->send_cq = conn->shard->cq;
		attr->cap.max_send_wr = CONN_SQ_DEPTH + CONN_SQ_PROBE;
		attr->cap.max_send_sge = 1;
		attr->sq_sig_type = IB_SIGNAL_REQ_WR;
	}
	attr->srq = conn->queue->srq;
	if (conn->dedicated) {
		attr->cap.max_recv_wr = conn->inst->cfg.dedicated;
		attr->cap.max_recv_sge = 1;
	}
}

/**
 * conn_attach - make a connection, before its QP is created
 * @group: whom it is to belong to
 * @inst: the pool on its device
 * @class: index of the class it draws from
 * @ops: who gets its messages
 * @revoke: called once, from a work item, when it is to go, which can be at
 *	once
 * @context: for @ops
 * @attr: of the QP to come: receive CQ, SRQ and event handler are filled in,
 *	and what concerns sends if there is no send CQ
 * @refused: out, why not
 *
 * Context: process, sleeps.
 *
 * Return: the connection with a reference, which conn_gone() drops; or NULL.
 */
struct srqpool_conn *conn_attach(struct conn_group *group,
				 struct srqpool_instance *inst, u32 class,
				 const struct srqpool_ops *ops,
				 void (*revoke)(struct srqpool_conn *conn),
				 void *context, struct ib_qp_init_attr *attr,
				 const char **refused)
{
	struct srqpool_conn *conn = conn_alloc(group, inst, class, ops, revoke);

	*refused = "out of memory";
	if (!conn)
		return NULL;
	conn->context = context;
	conn->slot = queue_bind(conn->queue);
	if (conn->slot < 0) {
		*refused = "the shared receive queue is being made anew";
		goto free;
	}
	*refused = inst->cfg.dedicated ? prepare_own(conn) : NULL;
	if (*refused)
		goto unbind;
	fill_attr(conn, attr);
	if (xa_reserve(&conns, conn->number, GFP_KERNEL)) {
		*refused = "out of memory";
		goto unreserve;
	}
	*refused = group_add(group, conn);
	if (*refused)
		goto release;
	atomic_inc(&event_generation);
	return conn;

release:
	xa_release(&conns, conn->number);
unreserve:
	if (conn->dedicated)
		atomic_dec(&conn->shard->nr_conns);
unbind:
	queue_unbind(conn->queue, conn->slot);
free:
	conn_put(conn);
	return NULL;
}

/**
 * conn_attach_qp - the QP is created
 * @conn: attached
 * @qp: made with the attributes of conn_attach(), nothing completes on it yet
 *
 * Context: process, sleeps; not while @conn->revoke runs.
 *
 * Return: 0, or why it cannot be used: then the connection is to be closed.
 */
int conn_attach_qp(struct srqpool_conn *conn, struct ib_qp *qp)
{
	int ret;

	conn->qp = qp;
	ret = hash_conn(conn);
	if (ret)
		return ret;
	conn->hashed = true;
	if (!conn->dedicated)
		return 0;
	return dedicated_fill(conn->queue, qp, &conn->own_posted,
			      conn->inst->cfg.dedicated);
}

/**
 * conn_established - messages can come
 * @conn: attached, with its QP
 *
 * Context: any.
 */
void conn_established(struct srqpool_conn *conn)
{
	if (atomic_cmpxchg(&conn->state, SRQPOOL_CONN_CONNECTING,
			   SRQPOOL_CONN_UP) != SRQPOOL_CONN_CONNECTING)
		return;
	event_raise(SRQPOOL_EVENT_CONN_UP, conn->shard->pool,
		    conn->queue->cls.name, conn->shard->index, conn->number,
		    "from %pISpc", &conn->peer);
}

/**
 * conn_detach_begin - wait for what a QP in the error state still completes
 * @conn: @conn->revoke runs, and its QP is in the error state
 *
 * Context: process, sleeps; bounded.
 */
void conn_detach_begin(struct srqpool_conn *conn)
{
	wait_last_wqe(conn);
	shard_barrier(conn->shard);
}

/**
 * conn_drained - deliver no message any more
 * @conn: conn_detach_begin() is done
 *
 * Context: process, sleeps; bounded.
 */
void conn_drained(struct srqpool_conn *conn)
{
	WRITE_ONCE(conn->drained, true);
	shard_barrier(conn->shard);
}

/**
 * conn_detach_end - the QP is destroyed, or there never was one
 * @conn: @conn->revoke runs
 *
 * Returns when no message of it can come any more and what it was to send is
 * back.
 *
 * Context: process, sleeps; bounded.
 */
void conn_detach_end(struct srqpool_conn *conn)
{
	shard_barrier(conn->shard);
	return_sends(conn);
	if (conn->dedicated)
		reclaim_own(conn);
	if (conn->hashed)
		rhashtable_remove_fast(&conn->shard->conns, &conn->hash,
				       conn_params);
	complete_all(&conn->unhashed);
	xa_erase(&conns, conn->number);
	atomic_inc(&event_generation);
	queue_unbind(conn->queue, conn->slot);
}

/**
 * conn_forget - do what may wait for a peer that is gone
 * @conn: detached
 * @forget: does it, in process context, and then calls conn_gone()
 *
 * Others that close do not wait for it.
 *
 * Context: any.
 */
void conn_forget(struct srqpool_conn *conn, work_func_t forget)
{
	INIT_WORK(&conn->forget, forget);
	queue_work(forget_wq, &conn->forget);
}

/**
 * conn_gone - nothing of a connection is left on the device
 * @conn: detached; not to be used any more but through its messages
 *
 * Context: process.
 */
void conn_gone(struct srqpool_conn *conn)
{
	event_raise(SRQPOOL_EVENT_CONN_DOWN, conn->shard->pool,
		    conn->queue->cls.name, conn->shard->index, conn->number,
		    "%s", conn->reason);
	conn_hold(conn);
	shard_put(conn->shard, SHARD_LEAVING, &conn->leave);
	group_del(conn->group, conn);
	conn_put(conn);
}

int conn_init(void)
{
	close_wq = alloc_workqueue("srqpool_close", WQ_UNBOUND, CLOSE_PARALLEL);
	if (!close_wq)
		return -ENOMEM;
	forget_wq = alloc_workqueue("srqpool_forget", WQ_UNBOUND,
				    WQ_MAX_ACTIVE);
	if (!forget_wq) {
		destroy_workqueue(close_wq);
		return -ENOMEM;
	}
	return 0;
}

void conn_exit(void)
{
	destroy_workqueue(forget_wq);
	destroy_workqueue(close_wq);
	xa_destroy(&conns);
}
