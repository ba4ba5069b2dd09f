// SPDX-License-Identifier: GPL-2.0
#include <linux/jiffies.h>
#include <linux/ktime.h>
#include <linux/math64.h>
#include "event.h"
#include "fault.h"
#include "refill.h"
#include "stock.h"

/* Rates are taken over at least this long. */
#define RATE_INTERVAL_NS	(10 * NSEC_PER_MSEC)
/* Weight of a new rate or latency against what was known: a quarter. */
#define EWMA_SHIFT		2
/* Aging is slowed down at most this many times. */
#define STRETCH_MAX		16
/* An SRQ error that nothing follows for so long is one. */
#define ERROR_PATIENCE_NS	NSEC_PER_SEC

/**
 * struct refill_round - one run of the refill work
 * @q: the queue
 * @now: when it began, ns
 * @hard: a limit event is answered
 * @low: the level is under the mark
 * @posted: buffers posted so far
 * @target_before: target at its start
 */
struct refill_round {
	struct srqpool_queue *q;
	u64 now;
	bool hard;
	bool low;
	u32 posted;
	u32 target_before;
};

/*
 * Growing
 */

/* How many buffers can be added now: to reach the target, then the reserve. */
static u32 missing(struct srqpool_queue *q)
{
	u32 want = 0, live;

	if (fault_hit(FAULT_SPARE))
		return 1;
	spin_lock_irq(&q->lock);
	live = q->total - q->lost;
	if (q->stopping || q->rebuilding || q->nr_free > q->nr_reserve)
		goto unlock;
	if (q->posted < q->target)
		want = q->target - q->posted;
	else if (q->nr_reserve < q->reserve_size)
		want = q->reserve_size - q->nr_reserve;
	want = live < q->depth ? min(want, q->depth - live) : 0;
unlock:
	spin_unlock_irq(&q->lock);
	return min_t(u32, want, QUEUE_CHAIN_MAX);
}

/* Free buffers of the same class in another shard are sooner had than new. */
static struct srqpool_slab *take_from_sibling(struct srqpool_queue *q, u32 want)
{
	struct srqpool_slab *slab;
	u32 i;

	for (i = 1; i < q->shards; i++) {
		u32 other = (q->shard + i) % q->shards;

		slab = stock_take_surplus(&q->siblings[other * q->stride], want);
		if (slab)
			return slab;
	}
	return NULL;
}

/* Adds up to a chain of buffers. Returns 0, or why no more can be had. */
static int grow(struct srqpool_queue *q, u32 want, bool keep)
{
	struct srqpool_slab *slab;

	while (want) {
		slab = take_from_sibling(q, want);
		if (!slab)
			slab = buffer_slab_alloc(q->mem, q->cls.size, want,
						 keep);
		if (IS_ERR(slab))
			return PTR_ERR(slab);
		want -= slab->nr;
		stock_add(q, slab);
	}
	return 0;
}

/**
 * refill_grow - add buffers that can go again
 * @q: the queue
 * @want: how many
 *
 * Context: process, sleeps.
 *
 * Return: 0, or why not all could be had.
 */
int refill_grow(struct srqpool_queue *q, u32 want)
{
	return grow(q, want, false);
}

static void growth_failed(struct refill_round *round, int err)
{
	struct srqpool_queue *q = round->q;
	bool aimed;

	spin_lock_irq(&q->lock);
	if (err != -ENOSPC)
		stats_add(&q->stats.alloc_failures, 1);
	/* What cannot be had is not aimed at: the next event asks again. */
	aimed = q->posted < q->target;
	q->target = clamp(q->total - q->lost, min(q->floor, q->target), q->target);
	spin_unlock_irq(&q->lock);
	if (err == -ENOSPC && aimed)
		event_raise(SRQPOOL_EVENT_BUDGET_HIT, q->pool, q->cls.name,
			    q->shard, 0, "%llu of %llu bytes pinned",
			    (u64)atomic64_read(&q->mem->budget->pinned),
			    READ_ONCE(q->mem->budget->max));
}

static bool post_chain(struct refill_round *round)
{
	u32 n = stock_post(round->q, QUEUE_CHAIN_MAX);

	round->posted += n;
	return n;
}

static void arm(struct srqpool_queue *q)
{
	int ret = queue_arm(q, READ_ONCE(q->target));

	if (ret)
		event_raise(SRQPOOL_EVENT_ERROR, q->pool, q->cls.name, q->shard,
			    0, "arming the limit failed: %d", ret);
}

static void arm_if_it_can_be(struct srqpool_queue *q)
{
	if (!READ_ONCE(q->armed) && stock_level(q) == QUEUE_ABOVE)
		arm(q);
}

/*
 * Posts what is free, then grows. The limit is armed as soon as one chain is
 * in, so that the next crossing is seen while this round still grows.
 */
static void fill(struct refill_round *round)
{
	struct srqpool_queue *q = round->q;
	u32 want;
	int ret;

	for (;;) {
		if (post_chain(round)) {
			arm_if_it_can_be(q);
			continue;
		}
		want = missing(q);
		if (!want)
			break;
		ret = refill_grow(q, want);
		if (ret) {
			growth_failed(round, ret);
			post_chain(round);
			break;
		}
		if (READ_ONCE(q->posted) >= READ_ONCE(q->target))
			stock_make_reserve(q);
		cond_resched();
	}
	stock_make_reserve(q);
}

/*
 * Measuring
 */

static u64 ewma(u64 old, u64 new)
{
	return old ? old - (old >> EWMA_SHIFT) + (new >> EWMA_SHIFT) : new;
}

static void measure_rate(struct refill_round *round, u64 consumed)
{
	struct refill_memory *m = &round->q->refill;
	u64 ns = round->now - m->looked_ns;

	if (ns < RATE_INTERVAL_NS)
		return;
	m->rate = ewma(m->rate, div64_u64((consumed - m->consumed) * NSEC_PER_SEC,
					  ns));
	m->looked_ns = round->now;
	m->consumed = consumed;
}

static void measure_latency(struct refill_memory *m,
			    const struct srqpool_hist_data *hist)
{
	u64 n = hist->count - m->latency_count;

	if (!n)
		return;
	m->latency_ns = ewma(m->latency_ns,
			     div64_u64(hist->sum - m->latency_sum, n));
	m->latency_count = hist->count;
	m->latency_sum = hist->sum;
}

/* An automatic mark follows what is consumed while a refill takes place. */
static void measure(struct refill_round *round)
{
	struct srqpool_queue *q = round->q;
	bool moved = false;
	u32 before;

	spin_lock_irq(&q->lock);
	measure_rate(round, q->consumed);
	measure_latency(&q->refill, &q->stats.refill_latency_ns);
	if (q->cls.mark_kind == SRQPOOL_MARK_AUTO && q->refill.latency_ns) {
		before = q->measured_mark;
		q->measured_mark = policy_auto_mark(q->target, q->refill.rate,
						    q->refill.latency_ns);
		/* Small moves are not worth a command to the device. */
		moved = max(before, q->measured_mark) -
			min(before, q->measured_mark) > before / 4;
	}
	spin_unlock_irq(&q->lock);
	if (moved)
		set_bit(QUEUE_REARM, &q->flags);
}

/*
 * Aging
 */

static u64 aging_period(const struct srqpool_queue *q)
{
	return (u64)READ_ONCE(q->refill.aging) * q->refill.stretch * NSEC_PER_SEC;
}

/* Growth soon after the target was lowered: it was lowered too early. */
static void note_growth(struct refill_round *round)
{
	struct refill_memory *m = &round->q->refill;

	m->low_ns = round->now;
	if (m->aged_ns && round->now - m->aged_ns < aging_period(round->q) / 4)
		m->stretch = min_t(u32, m->stretch * 2, STRETCH_MAX);
}

static bool is_quiet(const struct refill_round *round)
{
	u64 period = aging_period(round->q);

	return period && round->now - round->q->refill.low_ns >= period;
}

/* The mark goes down first, or the old one could be crossed meanwhile. */
static void lower_target(struct refill_round *round)
{
	struct srqpool_queue *q = round->q;
	u32 target = policy_age(q->target, q->floor);

	if (target == q->target)
		return;
	q->refill.aged_ns = round->now;
	if (queue_arm(q, target))
		return;
	event_raise(SRQPOOL_EVENT_SHRUNK, q->pool, q->cls.name, q->shard, 0,
		    "target %u, was %u", target, q->target);
	spin_lock_irq(&q->lock);
	q->target = max(target, q->floor);
	spin_unlock_irq(&q->lock);
}

/**
 * refill_release - free the memory of free buffers that nobody needs
 * @q: the queue
 *
 * Context: process, sleeps.
 */
void refill_release(struct srqpool_queue *q)
{
	struct srqpool_slab *slab;

	while ((slab = stock_take_surplus(q, U32_MAX))) {
		stock_free_slab(q, slab);
		cond_resched();
	}
}

static void age(struct refill_round *round)
{
	struct srqpool_queue *q = round->q;

	if (!is_quiet(round))
		return;
	if (round->now - q->refill.aged_ns >= aging_period(q))
		lower_target(round);
	refill_release(q);
}

/*
 * Errors and losses
 */

static void note_error(struct refill_round *round)
{
	struct srqpool_queue *q = round->q;

	event_raise(SRQPOOL_EVENT_ERROR, q->pool, q->cls.name, q->shard, 0,
		    "the device reported an SRQ error");
	q->refill.error_ns = round->now;
	q->refill.error_consumed = READ_ONCE(q->consumed);
}

/* An error is believed if posting fails after it, or nothing completes. */
static void watch_error(struct refill_round *round, u64 post_errors_before)
{
	struct srqpool_queue *q = round->q;
	struct refill_memory *m = &q->refill;
	bool broken;

	if (!m->error_ns)
		return;
	broken = READ_ONCE(q->stats.post_errors) != post_errors_before;
	if (!broken && READ_ONCE(q->consumed) != m->error_consumed) {
		m->error_ns = 0;
		return;
	}
	if (!broken && round->now - m->error_ns < ERROR_PATIENCE_NS)
		return;
	m->error_ns = 0;
	set_bit(QUEUE_REBUILD, &q->flags);
	q->broken(q, "its shared receive queue failed");
}

/* A program may have given buffers back and forgotten to say so. */
static void look_for_returns(struct srqpool_queue *q)
{
	if (stock_level(q) == QUEUE_LOW && !fault_hit(FAULT_LOOK))
		q->wake_poller(q);
}

/* Overdue buffers that were so at the last look too are worth a scan. */
static void look_for_lost(struct srqpool_queue *q)
{
	bool overdue = stock_overdue(q);

	if (overdue && q->refill.overdue) {
		set_bit(QUEUE_SCAN, &q->flags);
		q->wake_poller(q);
	}
	q->refill.overdue = overdue;
}

static void rebuild_if_needed(struct srqpool_queue *q)
{
	int ret;

	if (!test_bit(QUEUE_REBUILD, &q->flags) && !READ_ONCE(q->lost) &&
	    !READ_ONCE(q->rebuilding))
		return;
	ret = queue_rebuild(q);
	if (ret == -EBUSY)
		return;
	if (ret) {
		event_raise(SRQPOOL_EVENT_ERROR, q->pool, q->cls.name, q->shard,
			    0, "no SRQ could be created: %d", ret);
		return;
	}
	refill_release(q);
	clear_bit(QUEUE_REBUILD, &q->flags);
	set_bit(QUEUE_REARM, &q->flags);
}

/*
 * The work
 */

static void raise_target(struct refill_round *round)
{
	struct srqpool_queue *q = round->q;
	u32 most;

	spin_lock_irq(&q->lock);
	most = max(q->depth - q->reserve_size, q->target);
	q->target = policy_grow(q->target, q->posted,
				queue_mark(q, q->target), most);
	spin_unlock_irq(&q->lock);
	event_raise(SRQPOOL_EVENT_LOW, q->pool, q->cls.name, q->shard, 0,
		    "fewer than %u left", q->limit);
}

static void count_round(struct refill_round *round)
{
	struct srqpool_queue *q = round->q;
	bool grown;

	spin_lock_irq(&q->lock);
	grown = q->target > round->target_before;
	if (round->posted) {
		stats_add(&q->stats.refills, 1);
		stats_add(&q->stats.refill_posted, round->posted);
		if (round->low && !round->hard)
			stats_add(&q->stats.watchdog_refills, 1);
	}
	spin_unlock_irq(&q->lock);
	if (!grown)
		return;
	note_growth(round);
	event_raise(SRQPOOL_EVENT_GROWN, q->pool, q->cls.name, q->shard, 0,
		    "target %u, was %u", q->target, round->target_before);
}

/* The flag says armed, the device does not: its event got lost. */
static bool event_got_lost(struct srqpool_queue *q)
{
	u32 limit;

	return READ_ONCE(q->armed) && READ_ONCE(q->limit) &&
	       !queue_device_limit(q, &limit) && !limit &&
	       xchg(&q->armed, 0);
}

static void answer(struct refill_round *round)
{
	struct srqpool_queue *q = round->q;

	/* After a change what is missing says nothing about the traffic. */
	round->low = !test_bit(QUEUE_REARM, &q->flags) &&
		     stock_level(q) == QUEUE_LOW;
	if (!round->hard && event_got_lost(q))
		round->low = true;
	if (round->hard || round->low) {
		q->refill.low_ns = round->now;
		raise_target(round);
		round->posted += stock_post_reserve(q);
	}
	fill(round);
	if (test_and_clear_bit(QUEUE_REARM, &q->flags))
		arm(q);
	arm_if_it_can_be(q);
}

static void refill_work(struct work_struct *work)
{
	struct srqpool_queue *q = container_of(to_delayed_work(work),
					       struct srqpool_queue, work);
	struct refill_round round = { .q = q, .now = ktime_get_ns() };
	u64 post_errors = READ_ONCE(q->stats.post_errors);
	unsigned int delay;

	if (READ_ONCE(q->stopping))
		return;
	if (q->dedicated) {
		refill_release(q);
		return;
	}
	queue_late_event(q);
	rebuild_if_needed(q);
	round.hard = test_and_clear_bit(QUEUE_HARD, &q->flags);
	round.target_before = q->target;
	if (test_and_clear_bit(QUEUE_ERROR, &q->flags))
		note_error(&round);
	measure(&round);
	answer(&round);
	count_round(&round);
	watch_error(&round, post_errors);
	look_for_lost(q);
	look_for_returns(q);
	age(&round);

	/* Armed too late, the event may never come: the level decides. */
	delay = READ_ONCE(q->armed) && stock_level(q) != QUEUE_LOW ?
		REFILL_WATCHDOG_MS : REFILL_WATCHDOG_DISARMED_MS;
	if (!READ_ONCE(q->stopping))
		queue_delayed_work(q->wq, &q->work, msecs_to_jiffies(delay));
}

/**
 * refill_prepare - before the queue is created
 * @q: the queue
 * @wq: where its refill work will run
 * @aging: seconds, see refill_set_aging()
 */
void refill_prepare(struct srqpool_queue *q, struct workqueue_struct *wq,
		    u32 aging)
{
	q->wq = wq;
	q->refill.aging = aging;
	q->refill.stretch = 1;
	INIT_DELAYED_WORK(&q->work, refill_work);
}

/**
 * refill_set_aging - change how long a queue must be quiet to shrink
 * @q: the queue
 * @aging: seconds; 0: it never does
 */
void refill_set_aging(struct srqpool_queue *q, u32 aging)
{
	WRITE_ONCE(q->refill.aging, aging);
}

/**
 * refill_fill_floor - fill a new queue to its floor
 * @q: just created
 * @r: out, the refusal
 *
 * Context: process, sleeps.
 *
 * Return: 0, or why it could not be filled.
 */
int refill_fill_floor(struct srqpool_queue *q, struct srqpool_refusal *r)
{
	u32 want;
	int ret;

	/* Without an SRQ, floor and target are 0. */
	while (q->posted < q->floor) {
		if (stock_post(q, QUEUE_CHAIN_MAX))
			continue;
		want = missing(q);
		if (!want)
			break;
		ret = grow(q, want, true);
		if (ret)
			return policy_refuse(r, ret, -1, 0,
					     "class %s: %u of %u buffers of %u bytes, then %s",
					     q->cls.name, q->total, q->floor,
					     q->cls.size, ret == -ENOSPC ?
					     "the budget was used up" :
					     "memory could not be had");
	}
	if (q->posted < q->floor)
		return policy_refuse(r, -EIO, -1, 0,
				     "class %s: the device took %u of %u receives",
				     q->cls.name, q->posted, q->floor);
	spin_lock_irq(&q->lock);
	q->low_water = q->posted;
	q->filled = true;
	spin_unlock_irq(&q->lock);
	return 0;
}

/**
 * refill_start - arm the limit, make the handler reserve, start the watchdog
 * @q: filled to its floor, as all other queues of the pool are
 * @r: out, the refusal
 *
 * The handler reserve is as long as memory and budget allow.
 *
 * Context: process, sleeps.
 *
 * Return: 0, or why it could not be armed.
 */
int refill_start(struct srqpool_queue *q, struct srqpool_refusal *r)
{
	struct refill_round round = { .q = q };
	int ret;

	if (q->dedicated)
		return 0;
	ret = queue_arm(q, q->target);
	if (ret)
		return policy_refuse(r, ret, -1, 0,
				     "class %s: the device did not arm the limit (error %d)",
				     q->cls.name, ret);
	q->refill.looked_ns = ktime_get_ns();
	q->refill.low_ns = q->refill.looked_ns;
	fill(&round);
	queue_delayed_work(q->wq, &q->work,
			   msecs_to_jiffies(REFILL_WATCHDOG_MS));
	return 0;
}
