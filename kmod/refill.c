// SPDX-License-Identifier: GPL-2.0
#include <linux/jiffies.h>
#include "event.h"
#include "refill.h"

/**
 * struct refill_round - one run of the refill work
 * @q: the queue
 * @hard: a limit event is answered
 * @posted: buffers posted so far
 * @target_before: target at its start
 */
struct refill_round {
	struct srqpool_queue *q;
	bool hard;
	u32 posted;
	u32 target_before;
};

/* How many buffers may be allocated now to reach the target. */
static u32 missing(struct srqpool_queue *q)
{
	u32 n = 0;

	spin_lock_irq(&q->lock);
	if (!q->stopping && !q->nr_free && q->posted < q->target &&
	    q->total - q->lost < q->depth)
		n = min3(q->target - q->posted, q->depth - (q->total - q->lost),
			 (u32)QUEUE_CHAIN_MAX);
	spin_unlock_irq(&q->lock);
	return n;
}

/* Allocates up to a chain of buffers. Returns 0, or why no more can be had. */
static int grow(struct srqpool_queue *q, u32 want)
{
	struct srqpool_slab *slab;

	while (want) {
		slab = buffer_slab_alloc(q->pd, q->budget, q->cls.size, want);
		if (IS_ERR(slab))
			return PTR_ERR(slab);
		want -= slab->nr;
		queue_add_slab(q, slab);
	}
	return 0;
}

static void growth_failed(struct srqpool_queue *q, int err)
{
	spin_lock_irq(&q->lock);
	if (err != -ENOSPC)
		stats_add(&q->stats.alloc_failures, 1);
	/* What cannot be had is not aimed at: the next event asks again. */
	q->target = clamp(q->total - q->lost, 1U, q->target);
	spin_unlock_irq(&q->lock);
	if (err == -ENOSPC)
		event_raise(SRQPOOL_EVENT_BUDGET_HIT, q->pool, q->cls.name,
			    q->shard, 0, "%llu of %llu bytes pinned",
			    (u64)atomic64_read(&q->budget->pinned),
			    READ_ONCE(q->budget->max));
}

static void raise_target(struct refill_round *round)
{
	struct srqpool_queue *q = round->q;
	u32 posted, mark;

	spin_lock_irq(&q->lock);
	mark = policy_mark(&q->cls, q->shards, q->shard, q->target);
	posted = q->posted;
	round->target_before = q->target;
	q->target = policy_grow(q->target, posted, mark, q->depth);
	spin_unlock_irq(&q->lock);
	event_raise(SRQPOOL_EVENT_LOW, q->pool, q->cls.name, q->shard, 0,
		    "fewer than %u left", q->limit);
}

static bool post_chain(struct refill_round *round)
{
	u32 n = queue_post(round->q, QUEUE_CHAIN_MAX);

	round->posted += n;
	return n;
}

static bool may_arm(struct srqpool_queue *q)
{
	bool ok;

	spin_lock_irq(&q->lock);
	ok = q->posted > policy_mark(&q->cls, q->shards, q->shard, q->target);
	spin_unlock_irq(&q->lock);
	return ok;
}

static void arm(struct srqpool_queue *q)
{
	int ret = queue_arm(q);

	if (ret)
		event_raise(SRQPOOL_EVENT_ERROR, q->pool, q->cls.name, q->shard,
			    0, "arming the limit failed: %d", ret);
}

/*
 * Posts what is free, then allocates. The limit is armed as soon as one chain
 * is in, so that the next crossing is seen while this round still grows.
 */
static void fill(struct refill_round *round, bool may_grow)
{
	struct srqpool_queue *q = round->q;
	u32 want;
	int ret;

	for (;;) {
		if (post_chain(round)) {
			if (!READ_ONCE(q->armed) && may_arm(q))
				arm(q);
			continue;
		}
		want = may_grow ? missing(q) : 0;
		if (!want)
			return;
		ret = grow(q, want);
		if (ret) {
			growth_failed(q, ret);
			post_chain(round);
			return;
		}
		cond_resched();
	}
}

static void count_round(struct refill_round *round, bool watchdog)
{
	struct srqpool_queue *q = round->q;
	bool grown;

	spin_lock_irq(&q->lock);
	grown = round->hard && q->target > round->target_before;
	if (round->posted) {
		stats_add(&q->stats.refills, 1);
		stats_add(&q->stats.refill_posted, round->posted);
		if (watchdog)
			stats_add(&q->stats.watchdog_refills, 1);
	}
	spin_unlock_irq(&q->lock);
	if (grown)
		event_raise(SRQPOOL_EVENT_GROWN, q->pool, q->cls.name, q->shard,
			    0, "target %u, was %u", q->target,
			    round->target_before);
}

/* Is the level, as far as it is known, under the mark, or nothing left? */
static bool is_low(struct srqpool_queue *q)
{
	bool low;

	spin_lock_irq(&q->lock);
	low = !q->posted ||
	      q->posted < policy_mark(&q->cls, q->shards, q->shard, q->target);
	spin_unlock_irq(&q->lock);
	return low;
}

static void refill_work(struct work_struct *work)
{
	struct srqpool_queue *q = container_of(to_delayed_work(work),
					       struct srqpool_queue, work);
	struct refill_round round = { .q = q };
	unsigned int delay;
	bool low;

	if (READ_ONCE(q->stopping))
		return;
	round.hard = test_and_clear_bit(QUEUE_HARD, &q->flags);
	low = is_low(q);
	if (round.hard)
		raise_target(&round);
	if (test_and_clear_bit(QUEUE_ERROR, &q->flags))
		event_raise(SRQPOOL_EVENT_ERROR, q->pool, q->cls.name, q->shard,
			    0, "the device reported an SRQ error");
	fill(&round, round.hard || low);
	if (test_and_clear_bit(QUEUE_REARM, &q->flags) ||
	    (!READ_ONCE(q->armed) && may_arm(q)))
		arm(q);
	count_round(&round, low && !round.hard);

	/* Armed too late, the event may never come: the level decides. */
	delay = READ_ONCE(q->armed) && !is_low(q) ? REFILL_WATCHDOG_MS :
						    REFILL_WATCHDOG_DISARMED_MS;
	if (!READ_ONCE(q->stopping))
		queue_delayed_work(q->wq, &q->work, msecs_to_jiffies(delay));
}

/**
 * refill_prepare - before the queue is created
 * @q: the queue
 * @wq: where its refill work will run
 */
void refill_prepare(struct srqpool_queue *q, struct workqueue_struct *wq)
{
	q->wq = wq;
	INIT_DELAYED_WORK(&q->work, refill_work);
}

/**
 * refill_first - fill a new queue to its floor, arm it, start the watchdog
 * @q: just created
 * @floor: its share of the floor, which is its first target
 * @r: out, the refusal
 *
 * Context: process, sleeps.
 *
 * Return: 0, or why it could not be filled or armed.
 */
int refill_first(struct srqpool_queue *q, u32 floor, struct srqpool_refusal *r)
{
	int ret = 0;
	u32 want;

	q->target = floor;
	for (;;) {
		if (queue_post(q, QUEUE_CHAIN_MAX))
			continue;
		want = missing(q);
		if (!want)
			break;
		ret = grow(q, want);
		if (ret)
			return policy_refuse(r, ret, -1, 0,
					     "class %s: %u of %u buffers of %u bytes, then %s",
					     q->cls.name, q->total, floor,
					     q->cls.size, ret == -ENOSPC ?
					     "the budget was used up" :
					     "memory could not be had");
	}
	if (q->posted < floor)
		return policy_refuse(r, -EIO, -1, 0,
				     "class %s: the device took %u of %u receives",
				     q->cls.name, q->posted, floor);
	spin_lock_irq(&q->lock);
	q->low_water = q->posted;
	q->filled = true;
	spin_unlock_irq(&q->lock);
	ret = queue_arm(q);
	if (ret)
		return policy_refuse(r, ret, -1, 0,
				     "class %s: the device did not arm the limit (error %d)",
				     q->cls.name, ret);
	queue_delayed_work(q->wq, &q->work,
			   msecs_to_jiffies(REFILL_WATCHDOG_MS));
	return 0;
}
