// SPDX-License-Identifier: GPL-2.0
#include <linux/ktime.h>
#include "fault.h"
#include "stock.h"

/* Queues whose SRQ exists, for events that come device-wide. */
static LIST_HEAD(live_queues);
static DEFINE_SPINLOCK(live_lock);

/*
 * Events
 */

/*
 * The handler of the SRQ itself posts the handler reserve: work would take a
 * hundred times as long to begin.
 */
static void hard_event(struct srqpool_queue *q, bool may_post)
{
	if (!xchg(&q->armed, 0)) {
		atomic64_inc(&q->spurious_events);
		queue_kick(q);
		return;
	}
	WRITE_ONCE(q->event_ns, ktime_get_ns());
	atomic64_inc(&q->limit_events);
	set_bit(QUEUE_HARD, &q->flags);
	if (may_post)
		stock_post_reserve(q);
	queue_kick(q);
}

static void limit_event(struct srqpool_queue *q)
{
	if (fault_hit(FAULT_EVENT_SWALLOW))
		return;
	if (fault_hit(FAULT_EVENT_LATE)) {
		set_bit(QUEUE_LATE, &q->flags);
		mod_delayed_work(q->wq, &q->work,
				 msecs_to_jiffies(FAULT_EVENT_LATE_MS));
		return;
	}
	hard_event(q, true);
	if (fault_hit(FAULT_EVENT_DUP))
		hard_event(q, true);
}

/**
 * queue_late_event - in test builds: a limit event that was kept back comes
 * @q: the queue
 *
 * Context: the refill work.
 */
void queue_late_event(struct srqpool_queue *q)
{
	if (test_and_clear_bit(QUEUE_LATE, &q->flags))
		hard_event(q, true);
}

/* Any context, IRQs maybe off under a lock of the driver. */
static void srq_event(struct ib_event *ev, void *context)
{
	struct srqpool_queue *q = context;

	switch (ev->event) {
	case IB_EVENT_SRQ_ERR:	/* qedr says so when the SRQ is empty */
		set_bit(QUEUE_ERROR, &q->flags);
		hard_event(q, true);
		break;
	case IB_EVENT_SRQ_LIMIT_REACHED:
		limit_event(q);
		break;
	default:
		break;
	}
}

/**
 * queue_device_event - an SRQ event that was reported for the whole device
 * @srq: address of the SRQ, compared only
 *
 * Context: any. A driver that also calls the SRQ's own handler has cleared
 * the armed flag by then, so the event counts once.
 */
void queue_device_event(struct ib_srq *srq)
{
	struct srqpool_queue *q;
	unsigned long flags;

	spin_lock_irqsave(&live_lock, flags);
	list_for_each_entry(q, &live_queues, node) {
		if (q->srq == srq) {
			hard_event(q, false);
			break;
		}
	}
	spin_unlock_irqrestore(&live_lock, flags);
}

/*
 * The life of the SRQ
 */

/**
 * queue_init - before anybody can look at a queue
 * @q: zeroed
 */
void queue_init(struct srqpool_queue *q)
{
	spin_lock_init(&q->lock);
	mutex_init(&q->mutex);
	INIT_LIST_HEAD(&q->shrink);
	stock_init(q);
	q->low_water = U32_MAX;
}

static int create_srq(struct srqpool_queue *q)
{
	struct ib_srq_init_attr attr = {
		.event_handler = srq_event,
		.srq_context = q,
		.attr = { .max_wr = q->max_wr, .max_sge = 1 },
		.srq_type = IB_SRQT_BASIC,
	};
	struct ib_srq *srq = ib_create_srq(q->mem->pd, &attr);

	if (IS_ERR(srq))
		return PTR_ERR(srq);
	q->srq = srq;
	spin_lock_irq(&live_lock);
	list_add_tail(&q->node, &live_queues);
	spin_unlock_irq(&live_lock);
	return 0;
}

static void destroy_srq(struct srqpool_queue *q)
{
	if (!q->srq)
		return;
	spin_lock_irq(&live_lock);
	list_del(&q->node);
	spin_unlock_irq(&live_lock);
	mutex_lock(&q->mutex);
	ib_destroy_srq(q->srq);
	q->srq = NULL;
	q->limit = 0;
	mutex_unlock(&q->mutex);
}

static void set_depth(struct srqpool_queue *q)
{
	lockdep_assert_held(&q->lock);
	if (q->dedicated)
		return;
	q->depth = policy_share(q->cls.ceiling, q->shards, q->shard);
	q->floor = policy_share(q->cls.floor, q->shards, q->shard);
	q->max_wr = policy_srq_wr(q->depth);
	q->reserve_size = q->immediate ? 0 :
			  policy_handler_reserve(q->depth, q->floor);
	stock_trim_reserve(q);
	q->target = clamp(q->target, q->floor, q->depth - q->reserve_size);
}

/**
 * queue_create - create the SRQ of a queue, with limit 0 and nothing posted
 * @q: set up by queue_init(), what is above @depth, @recv, @broken, @cls, @wq
 *	and @work given
 * @r: out, the refusal
 *
 * Context: process, sleeps.
 *
 * Return: 0 or what ib_create_srq() returned.
 */
int queue_create(struct srqpool_queue *q, struct srqpool_refusal *r)
{
	int ret;

	spin_lock_irq(&q->lock);
	set_depth(q);
	spin_unlock_irq(&q->lock);
	ret = q->dedicated ? 0 : create_srq(q);
	if (ret)
		return policy_refuse(r, ret, -1, 0,
				     "class %s: device %s refused an SRQ of %u entries (error %d)",
				     q->cls.name, dev_name(&q->mem->pd->device->dev),
				     q->max_wr, ret);
	return 0;
}

/**
 * queue_rebuild - make the SRQ anew, as deep as the ceiling says now
 * @q: the queue
 *
 * What the old SRQ had is free afterwards, lost buffers too. Nothing is
 * posted and nobody may bind until it is done.
 *
 * Context: the refill work.
 *
 * Return: 0; -EBUSY while a connection is bound; or why the device gave no
 * SRQ: then the queue has none, and this is to be called again.
 */
int queue_rebuild(struct srqpool_queue *q)
{
	int ret = 0;

	spin_lock_irq(&q->lock);
	if (q->stopping || queue_conns(q))
		ret = -EBUSY;
	else
		q->rebuilding = true;
	spin_unlock_irq(&q->lock);
	if (ret)
		return ret;

	WRITE_ONCE(q->armed, 0);
	destroy_srq(q);
	stock_reclaim(q);
	spin_lock_irq(&q->lock);
	set_depth(q);
	spin_unlock_irq(&q->lock);
	ret = create_srq(q);
	if (ret)
		return ret;
	spin_lock_irq(&q->lock);
	q->rebuilding = false;
	spin_unlock_irq(&q->lock);
	return 0;
}

/**
 * queue_stop - post and refill no more
 * @q: the queue
 *
 * Context: process; waits for the refill work.
 */
void queue_stop(struct srqpool_queue *q)
{
	spin_lock_irq(&q->lock);
	q->stopping = true;
	spin_unlock_irq(&q->lock);
	cancel_delayed_work_sync(&q->work);
}

/**
 * queue_destroy - destroy the SRQ
 * @q: stopped, without connections, and no poller runs
 *
 * Context: process, sleeps.
 */
void queue_destroy(struct srqpool_queue *q)
{
	destroy_srq(q);
	/* An event may have passed the check of @stopping before it was set. */
	if (q->wq)
		cancel_delayed_work_sync(&q->work);
}

/*
 * The limit
 */

static int modify_limit(struct srqpool_queue *q, u32 limit)
{
	struct ib_srq_attr attr = { .srq_limit = limit };

	if (fault_hit(FAULT_MODIFY))
		return -EIO;
	return ib_modify_srq(q->srq, &attr, IB_SRQ_LIMIT);
}

/**
 * queue_arm - arm the limit event
 * @q: the queue
 * @target: the target whose mark is armed
 *
 * The flag is set before the device is told: the event may come before
 * ib_modify_srq() returns. A device may fire at once when the queue is below
 * the mark already, or only at the next message, or never: the caller looks
 * at the level again.
 *
 * Context: process, sleeps.
 *
 * Return: 0, also when there is nothing to arm; else a negative errno.
 */
int queue_arm(struct srqpool_queue *q, u32 target)
{
	int ret = 0;
	u32 limit;

	mutex_lock(&q->mutex);
	spin_lock_irq(&q->lock);
	limit = q->stopping ? 0 : queue_mark(q, target);
	spin_unlock_irq(&q->lock);
	if (!q->srq || (!limit && !q->limit))
		goto out;

	WRITE_ONCE(q->armed, limit > 0);
	ret = modify_limit(q, limit);
	if (ret)
		WRITE_ONCE(q->armed, 0);
	else
		q->limit = limit;
out:
	mutex_unlock(&q->mutex);
	return ret;
}

/**
 * queue_device_limit - the limit as the device has it; 0 once it fired
 * @q: the queue
 * @limit: out
 *
 * Context: process, sleeps.
 *
 * Return: 0, or a negative errno if it cannot be known.
 */
int queue_device_limit(struct srqpool_queue *q, u32 *limit)
{
	struct ib_srq_attr attr;
	int ret = -ENODEV;

	mutex_lock(&q->mutex);
	if (q->srq)
		ret = ib_query_srq(q->srq, &attr);
	mutex_unlock(&q->mutex);
	if (!ret)
		*limit = attr.srq_limit;
	return ret;
}

/**
 * queue_claim - let nobody bind until the SRQ was made anew
 * @q: the queue
 *
 * Return: false if a connection is bound.
 */
bool queue_claim(struct srqpool_queue *q)
{
	bool idle;

	spin_lock_irq(&q->lock);
	idle = !queue_conns(q);
	if (idle)
		set_bit(QUEUE_REBUILD, &q->flags);
	spin_unlock_irq(&q->lock);
	return idle;
}

/* Takes a claim back. */
void queue_unclaim(struct srqpool_queue *q)
{
	clear_bit(QUEUE_REBUILD, &q->flags);
}

/**
 * queue_set_class - change mark, floor or ceiling
 * @q: the queue
 * @cls: as it is to be; a ceiling that differs needs a claimed queue and takes
 *	effect when the refill work has rebuilt the SRQ
 */
void queue_set_class(struct srqpool_queue *q,
		     const struct srqpool_class_config *cls)
{
	spin_lock_irq(&q->lock);
	q->cls = *cls;
	if (!test_bit(QUEUE_REBUILD, &q->flags))
		set_depth(q);
	spin_unlock_irq(&q->lock);
	set_bit(QUEUE_REARM, &q->flags);
	queue_kick(q);
}

/*
 * Connections and views
 */

/**
 * queue_bind - count a connection in, before its QP is created
 * @q: the queue
 *
 * Return: what queue_unbind() is to be given, or -EAGAIN while the SRQ is
 * being made anew. Otherwise @q->srq stays as it is until then.
 */
int queue_bind(struct srqpool_queue *q)
{
	int slot = -EAGAIN;

	spin_lock_irq(&q->lock);
	if (!q->rebuilding && !test_bit(QUEUE_REBUILD, &q->flags)) {
		slot = q->epoch & 1;
		q->epoch_conns[slot]++;
	}
	spin_unlock_irq(&q->lock);
	return slot;
}

/**
 * queue_unbind - count a connection out, after its QP is gone
 * @q: the queue
 * @slot: what queue_bind() returned
 */
void queue_unbind(struct srqpool_queue *q, int slot)
{
	bool last;

	spin_lock_irq(&q->lock);
	q->epoch_conns[slot]--;
	last = !queue_conns(q);
	spin_unlock_irq(&q->lock);
	/* What is lost can be got back now. */
	if (last)
		queue_kick(q);
}

static enum srqpool_queue_state state_locked(const struct srqpool_queue *q)
{
	if (test_bit(QUEUE_ERROR, &q->flags) || q->rebuilding)
		return SRQPOOL_QUEUE_ERROR;
	if (!q->filled)
		return SRQPOOL_QUEUE_FILLING;
	return q->posted || q->dedicated ? SRQPOOL_QUEUE_ACTIVE : SRQPOOL_QUEUE_STARVED;
}

/**
 * queue_read - all counts of one moment
 * @q: the queue
 * @view: out
 */
void queue_read(struct srqpool_queue *q, struct queue_view *view)
{
	spin_lock_irq(&q->lock);
	view->depth = q->depth;
	view->target = q->target;
	view->mark = queue_mark(q, q->target);
	view->total = q->total;
	view->posted = q->posted;
	view->held = q->held;
	view->free = q->nr_free;
	view->lost = q->lost;
	view->low_water = q->stats.starved_events > q->starved_reset ?
			  0 : min(q->low_water, q->posted);
	view->max_in_use = q->max_in_use;
	view->conns = queue_conns(q);
	view->armed = READ_ONCE(q->armed);
	view->state = state_locked(q);
	spin_unlock_irq(&q->lock);
}

/**
 * queue_reset - restart the low-water and high-water marks
 * @q: the queue
 */
void queue_reset(struct srqpool_queue *q)
{
	spin_lock_irq(&q->lock);
	q->low_water = q->posted;
	q->max_in_use = q->held;
	q->starved_reset = q->stats.starved_events;
	spin_unlock_irq(&q->lock);
}

/**
 * queue_count - add a queue's counters to a sum
 * @q: the queue
 * @sum: added to
 */
void queue_count(struct srqpool_queue *q, struct srqpool_totals *sum)
{
	spin_lock_irq(&q->lock);
	totals_add(sum, &q->stats);
	if (q->starved_since)
		sum->starved_ns += ktime_get_ns() - q->starved_since;
	spin_unlock_irq(&q->lock);
	sum->limit_events += atomic64_read(&q->limit_events);
	sum->spurious_events += atomic64_read(&q->spurious_events);
}
