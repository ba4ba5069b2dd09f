/* SPDX-License-Identifier: GPL-2.0 */
/* queue: one SRQ, the buffers of a class in a shard, and their accounting. */
#ifndef SRQPOOL_QUEUE_H
#define SRQPOOL_QUEUE_H

#include <linux/mutex.h>
#include <linux/spinlock.h>
#include <linux/workqueue.h>
#include "buffer.h"
#include "policy.h"
#include "stats.h"

/* Elements of one chained post: what is done with interrupts off stays short. */
#define QUEUE_CHAIN_MAX		64

enum queue_flag {
	QUEUE_HARD,	/* a limit event waits for the refill work */
	QUEUE_ERROR,	/* an SRQ error event does */
	QUEUE_REARM,	/* the mark was changed: arm again */
};

/**
 * struct srqpool_queue - one SRQ
 * @srq: the SRQ; NULL once destroyed, under @mutex
 * @pd: the pool's PD
 * @budget: the pool's budget
 * @pool: name of the pool, for events
 * @shards: shards of the pool
 * @shard: which of them this queue belongs to
 * @depth: its share of the ceiling
 * @max_wr: entries the SRQ was asked for, 5/4 of @depth. The device may have
 *	granted more; more are never posted
 * @recv: completion handler of its buffers
 * @taken: buffers completed in the poller's present batch
 * @back: buffers given back in the poller's present batch
 * @nr_back: how many
 * @returned: buffers given back by others
 * @lock: the counts, @free, and posting. Any context, IRQs off
 * @free: buffers neither posted nor held
 * @cls: the class as configured; the mark can change
 * @target: buffers that should be posted
 * @total: buffers there are: @posted + @held + @nr_free + @lost
 * @posted: posted and not polled as completed: an upper bound of what is in
 *	the SRQ
 * @held: received and not given back
 * @nr_free: length of @free
 * @lost: swallowed by the device
 * @low_water: lowest @posted since the last reset
 * @max_in_use: highest @held since the last reset
 * @conns: connections bound to it
 * @filled: the first fill is done
 * @stopping: nothing is posted any more
 * @starved_since: when it fell empty, 0 if it is not
 * @starved_reset: how often it had been empty at the last reset
 * @stats: what is counted under @lock
 * @armed: the limit is armed. Set by who arms, xchg'ed by the event handler
 * @event_ns: when the last limit event came, until a post answered it
 * @limit_events: limit events while armed
 * @spurious_events: limit events while not armed
 * @flags: enum queue_flag, for the refill work
 * @mutex: ib_modify_srq() and ib_query_srq(), one at a time
 * @limit: what was armed last, under @mutex
 * @slabs: memory of the buffers; only the refill work adds
 * @work: the refill work
 * @wq: where it runs
 * @node: list of live queues
 */
struct srqpool_queue {
	struct ib_srq *srq;
	struct ib_pd *pd;
	struct srqpool_budget *budget;
	const char *pool;
	u32 shards;
	u32 shard;
	u32 depth;
	u32 max_wr;
	void (*recv)(struct ib_cq *cq, struct ib_wc *wc);

	u32 taken;
	u32 nr_back;
	struct list_head back;
	struct llist_head returned;

	spinlock_t lock ____cacheline_aligned_in_smp;
	struct list_head free;
	struct srqpool_class_config cls;
	u32 target;
	u32 total;
	u32 posted;
	u32 held;
	u32 nr_free;
	u32 lost;
	u32 low_water;
	u32 max_in_use;
	u32 conns;
	bool filled;
	bool stopping;
	u64 starved_since;
	u64 starved_reset;
	struct srqpool_totals stats;

	u32 armed ____cacheline_aligned_in_smp;
	u64 event_ns;
	atomic64_t limit_events;
	atomic64_t spurious_events;
	unsigned long flags;
	struct mutex mutex;	/* see above */
	u32 limit;
	struct list_head slabs;
	struct delayed_work work;
	struct workqueue_struct *wq;
	struct list_head node;
};

/**
 * struct queue_view - a queue's counts, all of one moment
 *
 * The fields are those of struct srqpool_queue; @mark is what is armed, or
 * will be.
 */
struct queue_view {
	u32 target;
	u32 mark;
	u32 total;
	u32 posted;
	u32 held;
	u32 free;
	u32 lost;
	u32 low_water;
	u32 max_in_use;
	u32 conns;
	bool armed;
	enum srqpool_queue_state state;
};

int queue_create(struct srqpool_queue *q, struct srqpool_refusal *r);
void queue_stop(struct srqpool_queue *q);
void queue_destroy(struct srqpool_queue *q);
void queue_free_buffers(struct srqpool_queue *q);
void queue_kick(struct srqpool_queue *q);

void queue_add_slab(struct srqpool_queue *q, struct srqpool_slab *slab);
u32 queue_post(struct srqpool_queue *q, u32 max);
int queue_arm(struct srqpool_queue *q);
int queue_device_limit(struct srqpool_queue *q, u32 *limit);
void queue_set_mark(struct srqpool_queue *q, u32 kind, u32 value);

void queue_took(struct srqpool_queue *q, struct srqpool_buf *buf);
void queue_give_back(struct srqpool_queue *q, struct srqpool_buf *buf);
void queue_return(struct srqpool_queue *q, struct srqpool_buf *buf);
void queue_end_batch(struct srqpool_queue *q);

void queue_bind(struct srqpool_queue *q, int conns);
void queue_read(struct srqpool_queue *q, struct queue_view *view);
void queue_reset(struct srqpool_queue *q);
void queue_count(struct srqpool_queue *q, struct srqpool_totals *sum);
void queue_device_event(struct ib_srq *srq);

#endif /* SRQPOOL_QUEUE_H */
