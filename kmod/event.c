// SPDX-License-Identifier: GPL-2.0
#include <linux/ktime.h>
#include <linux/ratelimit.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <linux/workqueue.h>
#include "event.h"

/* Events raised and not sent yet; what does not fit is dropped, @seq tells. */
#define RING_SIZE	1024

/* From 1: to netlink, 0 is a dump that has not begun. */
atomic_t event_generation = ATOMIC_INIT(1);

static struct srqpool_event *ring;
static unsigned int ring_head, ring_tail;
static u32 ring_seq;
static DEFINE_SPINLOCK(ring_lock);
static struct workqueue_struct *event_wq;
static event_sink_t event_sink;

static bool ring_pop(struct srqpool_event *ev)
{
	unsigned long flags;
	bool any;

	spin_lock_irqsave(&ring_lock, flags);
	any = ring_tail != ring_head;
	if (any)
		*ev = ring[ring_tail++ % RING_SIZE];
	spin_unlock_irqrestore(&ring_lock, flags);
	return any;
}

static void event_work_fn(struct work_struct *work)
{
	event_sink_t sink = READ_ONCE(event_sink);
	struct srqpool_event ev;

	while (ring_pop(&ev)) {
		if (sink)
			sink(&ev);
		cond_resched();
	}
}

static DECLARE_WORK(event_work, event_work_fn);

/* An event that can come with every message tells nothing new each time. */
static bool event_limited(u32 type)
{
	static DEFINE_RATELIMIT_STATE(low, HZ, 100);
	static DEFINE_RATELIMIT_STATE(starved, HZ, 100);
	static DEFINE_RATELIMIT_STATE(recovered, HZ, 100);
	static DEFINE_RATELIMIT_STATE(budget, HZ, 10);
	static DEFINE_RATELIMIT_STATE(error, HZ, 100);
	struct ratelimit_state *rs;

	switch (type) {
	case SRQPOOL_EVENT_LOW:
		rs = &low;
		break;
	case SRQPOOL_EVENT_STARVED:
		rs = &starved;
		break;
	case SRQPOOL_EVENT_RECOVERED:
		rs = &recovered;
		break;
	case SRQPOOL_EVENT_BUDGET_HIT:
		rs = &budget;
		break;
	case SRQPOOL_EVENT_ERROR:
		rs = &error;
		break;
	default:
		return false;
	}
	ratelimit_set_flags(rs, RATELIMIT_MSG_ON_RELEASE);
	return !__ratelimit(rs);
}

/**
 * event_raise - tell whoever listens
 * @type: enum srqpool_event_type
 * @pool: name of the pool
 * @class: name of the class, or NULL
 * @shard: the shard, or EVENT_NO_SHARD
 * @conn: id of the connection, or 0
 * @fmt: text for people
 *
 * Context: any; takes a lock of its own and queues work. Limited per type.
 */
void event_raise(u32 type, const char *pool, const char *class, u32 shard,
		 u64 conn, const char *fmt, ...)
{
	struct srqpool_event *ev;
	unsigned long flags;
	va_list args;

	if (!READ_ONCE(event_sink) || event_limited(type))
		return;
	spin_lock_irqsave(&ring_lock, flags);
	ring_seq++;
	if (ring_head - ring_tail < RING_SIZE) {
		ev = &ring[ring_head++ % RING_SIZE];
		ev->seq = ring_seq;
		ev->type = type;
		ev->time_ns = ktime_get_real_ns();
		ev->conn = conn;
		ev->shard = shard;
		strscpy(ev->pool, pool, sizeof(ev->pool));
		strscpy(ev->class, class ? class : "", sizeof(ev->class));
		va_start(args, fmt);
		vscnprintf(ev->text, sizeof(ev->text), fmt, args);
		va_end(args);
	}
	spin_unlock_irqrestore(&ring_lock, flags);
	queue_work(event_wq, &event_work);
}

/**
 * event_set_sink - say who sends events on
 * @sink: called from work, one event at a time; NULL: nobody
 *
 * Context: process. The former sink is not running any more on return.
 */
void event_set_sink(event_sink_t sink)
{
	WRITE_ONCE(event_sink, sink);
	flush_work(&event_work);
}

int event_init(void)
{
	ring = kvcalloc(RING_SIZE, sizeof(*ring), GFP_KERNEL);
	if (!ring)
		return -ENOMEM;
	event_wq = alloc_ordered_workqueue("srqpool_event", 0);
	if (!event_wq) {
		kvfree(ring);
		return -ENOMEM;
	}
	return 0;
}

void event_exit(void)
{
	destroy_workqueue(event_wq);
	kvfree(ring);
}
