// SPDX-License-Identifier: GPL-2.0
#include <linux/ktime.h>
#include "event.h"
#include "queue.h"

/* Queues whose SRQ exists, for events that come device-wide. */
static LIST_HEAD(live_queues);
static DEFINE_SPINLOCK(live_lock);

static u32 mark_locked(const struct srqpool_queue *q)
{
	return policy_mark(&q->cls, q->shards, q->shard, q->target);
}

/**
 * queue_kick - have the refill work look at a queue
 * @q: the queue
 *
 * Context: any.
 */
void queue_kick(struct srqpool_queue *q)
{
	if (!READ_ONCE(q->stopping))
		mod_delayed_work(q->wq, &q->work, 0);
}

static void hard_event(struct srqpool_queue *q)
{
	if (xchg(&q->armed, 0)) {
		WRITE_ONCE(q->event_ns, ktime_get_ns());
		atomic64_inc(&q->limit_events);
		set_bit(QUEUE_HARD, &q->flags);
	} else {
		atomic64_inc(&q->spurious_events);
	}
	queue_kick(q);
}

/* Any context, IRQs maybe off under a lock of the driver. */
static void srq_event(struct ib_event *ev, void *context)
{
	struct srqpool_queue *q = context;

	switch (ev->event) {
	case IB_EVENT_SRQ_ERR:	/* qedr says so when the SRQ is empty */
		set_bit(QUEUE_ERROR, &q->flags);
		fallthrough;
	case IB_EVENT_SRQ_LIMIT_REACHED:
		hard_event(q);
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
			hard_event(q);
			break;
		}
	}
	spin_unlock_irqrestore(&live_lock, flags);
}

/**
 * queue_create - create the SRQ of a queue, with limit 0 and nothing posted
 * @q: zeroed but for what is above @taken, @cls, @target, @wq and @work
 * @r: out, the refusal
 *
 * Context: process, sleeps.
 *
 * Return: 0 or what ib_create_srq() returned.
 */
int queue_create(struct srqpool_queue *q, struct srqpool_refusal *r)
{
	struct ib_srq_init_attr attr = {
		.event_handler = srq_event,
		.srq_context = q,
		.attr = { .max_wr = q->max_wr, .max_sge = 1 },
		.srq_type = IB_SRQT_BASIC,
	};
	struct ib_srq *srq;

	INIT_LIST_HEAD(&q->back);
	init_llist_head(&q->returned);
	spin_lock_init(&q->lock);
	INIT_LIST_HEAD(&q->free);
	INIT_LIST_HEAD(&q->slabs);
	mutex_init(&q->mutex);
	q->low_water = U32_MAX;

	srq = ib_create_srq(q->pd, &attr);
	if (IS_ERR(srq))
		return policy_refuse(r, PTR_ERR(srq), -1, 0,
				     "class %s: device %s refused an SRQ of %u entries (error %ld)",
				     q->cls.name, dev_name(&q->pd->device->dev),
				     q->max_wr, PTR_ERR(srq));
	q->srq = srq;
	spin_lock_irq(&live_lock);
	list_add_tail(&q->node, &live_queues);
	spin_unlock_irq(&live_lock);
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
	if (!q->srq)
		return;
	spin_lock_irq(&live_lock);
	list_del(&q->node);
	spin_unlock_irq(&live_lock);

	mutex_lock(&q->mutex);
	ib_destroy_srq(q->srq);
	q->srq = NULL;
	mutex_unlock(&q->mutex);
	/* An event may have passed the check of @stopping before it was set. */
	cancel_delayed_work_sync(&q->work);
}

/**
 * queue_free_buffers - free the buffers
 * @q: its SRQ, if there was one, is destroyed, and so is its CQ
 *
 * Context: process, sleeps.
 */
void queue_free_buffers(struct srqpool_queue *q)
{
	struct srqpool_slab *slab, *next;

	if (!q->slabs.next)
		return;
	spin_lock_irq(&q->lock);
	q->total = 0;
	q->posted = 0;
	q->held = 0;
	q->nr_free = 0;
	q->lost = 0;
	INIT_LIST_HEAD(&q->free);
	spin_unlock_irq(&q->lock);
	list_for_each_entry_safe(slab, next, &q->slabs, list)
		buffer_slab_free(q->pd->device, q->budget, slab);
	INIT_LIST_HEAD(&q->slabs);
}

/**
 * queue_add_slab - take new buffers in as free ones
 * @q: the queue
 * @slab: now the queue's
 *
 * Context: the refill work, or before it runs.
 */
void queue_add_slab(struct srqpool_queue *q, struct srqpool_slab *slab)
{
	u32 i;

	list_add_tail(&slab->list, &q->slabs);
	spin_lock_irq(&q->lock);
	for (i = 0; i < slab->nr; i++) {
		slab->buf[i].queue = q;
		list_add_tail(&slab->buf[i].list, &q->free);
	}
	q->nr_free += slab->nr;
	q->total += slab->nr;
	spin_unlock_irq(&q->lock);
}

static void note_starved(struct srqpool_queue *q)
{
	if (q->posted) {
		if (!q->starved_since)
			return;
		stats_add(&q->stats.starved_ns, ktime_get_ns() - q->starved_since);
		q->starved_since = 0;
		event_raise(SRQPOOL_EVENT_RECOVERED, q->pool, q->cls.name,
			    q->shard, 0, "%u buffers posted again", q->posted);
		return;
	}
	if (q->starved_since)
		return;
	q->starved_since = ktime_get_ns();
	stats_add(&q->stats.starved_events, 1);
	event_raise(SRQPOOL_EVENT_STARVED, q->pool, q->cls.name, q->shard, 0,
		    "nothing posted, %u of %u held", q->held, q->total);
}

/* Takes the refused part of a chain back as free, and counts it. */
static u32 post_failed(struct srqpool_queue *q, const struct ib_recv_wr *bad)
{
	u32 n = 0;

	stats_add(&q->stats.post_errors, 1);
	while (bad) {
		struct srqpool_buf *buf = container_of(bad, struct srqpool_buf,
						       rwr);

		bad = bad->next;
		buffer_from_device(buf);
		list_add(&buf->list, &q->free);
		n++;
	}
	return n;
}

static void note_refill_latency(struct srqpool_queue *q)
{
	u64 since;

	if (!READ_ONCE(q->event_ns))
		return;
	since = xchg(&q->event_ns, 0);
	if (since)
		hist_add(&q->stats.refill_latency_ns, ktime_get_ns() - since);
}

static u32 post_locked(struct srqpool_queue *q, u32 max)
{
	const struct ib_recv_wr *bad = NULL;
	struct srqpool_buf *buf = NULL;
	struct ib_recv_wr *first, **link = &first;
	u32 want, i;

	if (q->stopping || q->target <= q->posted)
		return 0;
	want = min3(q->target - q->posted, q->max_wr - q->posted, q->nr_free);
	want = min(want, max);
	if (!want)
		return 0;

	for (i = 0; i < want; i++) {
		buf = list_first_entry(&q->free, struct srqpool_buf, list);
		list_del(&buf->list);
		buf->cqe.done = q->recv;
		buf->rwr.wr_cqe = &buf->cqe;
		buf->rwr.sg_list = &buf->sge;
		buf->rwr.num_sge = 1;
		buf->sge.length = q->cls.size;
		buffer_to_device(q->pd->device, buf);
		*link = &buf->rwr;
		link = &buf->rwr.next;
	}
	*link = NULL;

	if (ib_post_srq_recv(q->srq, first, &bad))
		/* A provider that names no element looked at none. */
		want -= post_failed(q, bad ? bad : first);
	q->nr_free -= want;
	q->posted += want;
	if (want)
		note_refill_latency(q);
	return want;
}

/**
 * queue_post - post free buffers, as far as the target and the SRQ allow
 * @q: the queue
 * @max: most to post, up to QUEUE_CHAIN_MAX
 *
 * Context: any.
 *
 * Return: how many were posted.
 */
u32 queue_post(struct srqpool_queue *q, u32 max)
{
	unsigned long flags;
	u32 n;

	spin_lock_irqsave(&q->lock, flags);
	n = post_locked(q, max);
	if (n)
		note_starved(q);
	spin_unlock_irqrestore(&q->lock, flags);
	return n;
}

/**
 * queue_arm - arm the limit event at the present mark
 * @q: the queue
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
int queue_arm(struct srqpool_queue *q)
{
	struct ib_srq_attr attr = {};
	int ret = 0;

	mutex_lock(&q->mutex);
	spin_lock_irq(&q->lock);
	attr.srq_limit = q->stopping ? 0 : mark_locked(q);
	spin_unlock_irq(&q->lock);
	if (!q->srq || (!attr.srq_limit && !q->limit))
		goto out;

	WRITE_ONCE(q->armed, attr.srq_limit > 0);
	ret = ib_modify_srq(q->srq, &attr, IB_SRQ_LIMIT);
	if (ret)
		WRITE_ONCE(q->armed, 0);
	else
		q->limit = attr.srq_limit;
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
 * queue_set_mark - change the configured mark
 * @q: the queue
 * @kind: enum srqpool_mark_kind
 * @value: as @kind says
 */
void queue_set_mark(struct srqpool_queue *q, u32 kind, u32 value)
{
	spin_lock_irq(&q->lock);
	q->cls.mark_kind = kind;
	q->cls.mark_value = value;
	spin_unlock_irq(&q->lock);
	set_bit(QUEUE_REARM, &q->flags);
	queue_kick(q);
}

/**
 * queue_took - a receive completed, well or not
 * @q: the queue
 * @buf: now held
 *
 * Context: the shard's poller.
 */
void queue_took(struct srqpool_queue *q, struct srqpool_buf *buf)
{
	buffer_from_device(buf);
	q->taken++;
}

/**
 * queue_give_back - give a held buffer back from the poller
 * @q: the queue
 * @buf: held
 *
 * Context: the shard's poller; it is posted at the end of the batch.
 */
void queue_give_back(struct srqpool_queue *q, struct srqpool_buf *buf)
{
	buf->conn = NULL;
	list_add_tail(&buf->list, &q->back);
	q->nr_back++;
}

/**
 * queue_return - give a held buffer back from anywhere else
 * @q: the queue
 * @buf: held
 *
 * Context: any. The caller then has the shard's poller run.
 */
void queue_return(struct srqpool_queue *q, struct srqpool_buf *buf)
{
	buf->conn = NULL;
	llist_add(&buf->returned, &q->returned);
}

static void take_returned(struct srqpool_queue *q)
{
	struct llist_node *all = llist_del_all(&q->returned);
	struct srqpool_buf *buf, *next;

	llist_for_each_entry_safe(buf, next, all, returned) {
		list_add_tail(&buf->list, &q->back);
		q->nr_back++;
	}
}

/* The limit can be armed again: the level is above it, or it makes no sense. */
static bool wants_arming(struct srqpool_queue *q)
{
	u32 mark;

	if (READ_ONCE(q->armed) || !q->filled)
		return false;
	mark = mark_locked(q);
	return mark && q->posted > mark;
}

/**
 * queue_end_batch - account a batch and post what came back, in one chain
 * @q: the queue
 *
 * Context: the shard's poller.
 */
void queue_end_batch(struct srqpool_queue *q)
{
	unsigned long flags;
	bool kick;

	if (!llist_empty(&q->returned))
		take_returned(q);
	if (!q->taken && !q->nr_back)
		return;

	spin_lock_irqsave(&q->lock, flags);
	q->posted -= q->taken;
	q->held += q->taken;
	q->low_water = min(q->low_water, q->posted);
	q->max_in_use = max(q->max_in_use, q->held);
	q->held -= q->nr_back;
	q->nr_free += q->nr_back;
	list_splice_init(&q->back, &q->free);
	while (post_locked(q, QUEUE_CHAIN_MAX))
		;
	if (!q->stopping)
		note_starved(q);
	kick = wants_arming(q);
	spin_unlock_irqrestore(&q->lock, flags);

	q->taken = 0;
	q->nr_back = 0;
	if (kick)
		queue_kick(q);
}

/**
 * queue_bind - count a connection in or out
 * @q: the queue
 * @conns: 1 or -1
 */
void queue_bind(struct srqpool_queue *q, int conns)
{
	spin_lock_irq(&q->lock);
	q->conns += conns;
	spin_unlock_irq(&q->lock);
}

static enum srqpool_queue_state state_locked(const struct srqpool_queue *q)
{
	if (test_bit(QUEUE_ERROR, &q->flags))
		return SRQPOOL_QUEUE_ERROR;
	if (!q->filled)
		return SRQPOOL_QUEUE_FILLING;
	return q->posted ? SRQPOOL_QUEUE_ACTIVE : SRQPOOL_QUEUE_STARVED;
}

/**
 * queue_read - all counts of one moment
 * @q: the queue
 * @view: out
 */
void queue_read(struct srqpool_queue *q, struct queue_view *view)
{
	spin_lock_irq(&q->lock);
	view->target = q->target;
	view->mark = mark_locked(q);
	view->total = q->total;
	view->posted = q->posted;
	view->held = q->held;
	view->free = q->nr_free;
	view->lost = q->lost;
	view->low_water = q->stats.starved_events > q->starved_reset ?
			  0 : min(q->low_water, q->posted);
	view->max_in_use = q->max_in_use;
	view->conns = q->conns;
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
