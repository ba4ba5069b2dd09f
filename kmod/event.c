// SPDX-License-Identifier: GPL-2.0
#include <linux/hashtable.h>
#include <linux/ktime.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <linux/stringhash.h>
#include <linux/workqueue.h>
#include "event.h"
#include "event_log.h"

/* Events raised and not sent yet; what does not fit is dropped, @seq tells. */
#define RING_SIZE	1024

/* From 1: to netlink, 0 is a dump that has not begun. */
atomic_t event_generation = ATOMIC_INIT(1);

/* Held for the time of one event, with interrupts off: the ring and the logs. */
static DEFINE_SPINLOCK(event_lock);
static struct srqpool_event *ring;
static unsigned int ring_head, ring_tail;
static u32 last_seq;
static DEFINE_HASHTABLE(logs, 6);
static u64 last_log;
static struct workqueue_struct *event_wq;
static event_sink_t event_sink;

static bool ring_pop(struct srqpool_event *ev)
{
	unsigned long flags;
	bool any;

	spin_lock_irqsave(&event_lock, flags);
	any = ring_tail != ring_head;
	if (any)
		*ev = ring[ring_tail++ % RING_SIZE];
	spin_unlock_irqrestore(&event_lock, flags);
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

static u32 hash_of(const char *pool)
{
	return full_name_hash(NULL, pool, strlen(pool));
}

static struct event_log *find_log(const char *pool)
{
	struct event_log *log;

	lockdep_assert_held(&event_lock);
	hash_for_each_possible(logs, log, named, hash_of(pool))
		if (!strcmp(log->pool, pool))
			return log;
	return NULL;
}

/* The log is NULL once the pool is deleted. */
static void tell(struct event_log *log, struct srqpool_event *ev)
{
	lockdep_assert_held(&event_lock);
	ev->seq = ++last_seq;
	ev->time_ns = ktime_get_real_ns();
	if (ring_head - ring_tail < RING_SIZE)
		ring[ring_head++ % RING_SIZE] = *ev;
	if (log)
		event_log_keep(log, ev);
}

/* One event for all of its kind that were kept back in a second that is over. */
static void tell_kept_back(struct event_log *log, u32 type)
{
	struct srqpool_event ev = { .type = type, .shard = EVENT_NO_SHARD };
	u32 n = policy_rate_over(&log->rates[type], ktime_get_ns());

	if (!n)
		return;
	strscpy(ev.pool, log->pool, sizeof(ev.pool));
	scnprintf(ev.text, sizeof(ev.text),
		  "%u more of these within a second, not told one by one", n);
	tell(log, &ev);
}

static void rest_work_fn(struct work_struct *work)
{
	struct event_log *log = container_of(to_delayed_work(work),
					     struct event_log, rest);
	bool again = false;
	unsigned long flags;
	u32 type;

	spin_lock_irqsave(&event_lock, flags);
	for (type = 0; type < EVENT_TYPES; type++) {
		tell_kept_back(log, type);
		again |= log->rates[type].kept_back;
	}
	spin_unlock_irqrestore(&event_lock, flags);
	queue_work(event_wq, &event_work);
	if (again)
		queue_delayed_work(event_wq, &log->rest, HZ);
}

/* A pool that tells too much is not told all of, and silences no other. */
static bool may_tell(struct event_log *log, u32 type)
{
	if (!log)
		return true;
	tell_kept_back(log, type);
	if (policy_rate_allow(&log->rates[type], policy_event_rate(type)))
		return true;
	queue_delayed_work(event_wq, &log->rest, HZ);
	return false;
}

/**
 * event_raise - tell whoever listens, and keep it for who asks later
 * @type: enum srqpool_event_type
 * @pool: name of the pool
 * @class: name of the class, or NULL
 * @shard: the shard, or EVENT_NO_SHARD
 * @conn: id of the connection, or 0
 * @fmt: text for people
 *
 * Context: any; takes a lock of its own and queues work. Limited for each pool
 * and type: see policy_event_rate().
 */
void event_raise(u32 type, const char *pool, const char *class, u32 shard,
		 u64 conn, const char *fmt, ...)
{
	struct srqpool_event ev = {
		.type = type, .shard = shard, .conn = conn,
	};
	struct event_log *log;
	unsigned long flags;
	va_list args;

	if (!READ_ONCE(event_sink))
		return;
	strscpy(ev.pool, pool, sizeof(ev.pool));
	strscpy(ev.class, class ? class : "", sizeof(ev.class));
	spin_lock_irqsave(&event_lock, flags);
	log = find_log(pool);
	if (may_tell(log, type)) {
		va_start(args, fmt);
		vscnprintf(ev.text, sizeof(ev.text), fmt, args);
		va_end(args);
		tell(log, &ev);
	}
	spin_unlock_irqrestore(&event_lock, flags);
	queue_work(event_wq, &event_work);
}

/**
 * event_add_pool - keep the last events of a pool from now on
 * @pool: its name, which no other has
 *
 * Context: process.
 *
 * Return: 0 or -ENOMEM.
 */
int event_add_pool(const char *pool)
{
	struct event_log *log = event_log_alloc(pool);
	unsigned long flags;

	if (!log)
		return -ENOMEM;
	INIT_DELAYED_WORK(&log->rest, rest_work_fn);
	spin_lock_irqsave(&event_lock, flags);
	log->id = ++last_log;
	hash_add(logs, &log->named, hash_of(pool));
	spin_unlock_irqrestore(&event_lock, flags);
	return 0;
}

/**
 * event_del_pool - forget the events of a pool
 * @pool: its name
 *
 * Context: process, waits.
 */
void event_del_pool(const char *pool)
{
	struct event_log *log;
	unsigned long flags;

	spin_lock_irqsave(&event_lock, flags);
	log = find_log(pool);
	if (log)
		hash_del(&log->named);
	spin_unlock_irqrestore(&event_lock, flags);
	if (WARN_ON(!log))
		return;
	cancel_delayed_work_sync(&log->rest);
	event_log_free(log);
}

/**
 * event_next - read the next of the last events of a pool
 * @pool: its name
 * @at: where; the caller goes on by @at->next++
 * @ev: out, the event
 *
 * Context: any. Each call copies one event under the lock, so that whoever
 * raises one never waits for longer.
 *
 * Return: false at the end, and when the pool is gone.
 */
bool event_next(const char *pool, struct event_cursor *at,
		struct srqpool_event *ev)
{
	struct event_log *log;
	unsigned long flags;
	bool any = false;

	spin_lock_irqsave(&event_lock, flags);
	log = find_log(pool);
	if (log)
		any = event_log_read(log, at, ev);
	else
		at->missed |= at->next < at->end;
	spin_unlock_irqrestore(&event_lock, flags);
	return any;
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
	WARN_ON(!hash_empty(logs));
	destroy_workqueue(event_wq);
	kvfree(ring);
}
