/* SPDX-License-Identifier: GPL-2.0 */
/* queue: one SRQ, of a class in a shard: its life, its limit, its events. */
#ifndef SRQPOOL_QUEUE_H
#define SRQPOOL_QUEUE_H

#include <linux/mutex.h>
#include <linux/spinlock.h>
#include <linux/workqueue.h>
#include "buffer.h"
#include "policy.h"
#include "stats.h"

struct srqpool_shard;

/* Elements of one chained post: what is done with interrupts off stays short. */
#define QUEUE_CHAIN_MAX		64

enum queue_flag {
	QUEUE_HARD,	/* a limit event waits for the refill work */
	QUEUE_ERROR,	/* an SRQ error event does */
	QUEUE_REARM,	/* the mark was changed: arm again */
	QUEUE_REBUILD,	/* the SRQ is to be made anew */
	QUEUE_SCAN,	/* the poller is to look for lost buffers */
	QUEUE_LATE,	/* in test builds: a limit event is kept back */
};

/* Where the number of posted buffers, an upper bound, is to the mark. */
enum queue_level {
	QUEUE_LOW,	/* under it, or nothing left */
	QUEUE_AT_MARK,
	QUEUE_ABOVE,	/* the limit can be armed */
};

/**
 * struct queue_hold - what a connection may hold of a queue's buffers
 * @quota: buffers
 * @policy: enum srqpool_quota_policy
 * @reserve: below so many posted, nothing is held
 * @copybreak: bytes up to which a message is not held
 */
struct queue_hold {
	u32 quota;
	u32 policy;
	u32 reserve;
	u32 copybreak;
};

/**
 * struct srqpool_queue - one SRQ
 * @srq: the SRQ; NULL once destroyed, under @mutex
 * @mem: where its buffers come from
 * @pool: name of the pool, for events
 * @siblings: the queue of the same class in the first shard
 * @stride: from there to that in the next shard
 * @shards: shards of the pool
 * @shard: which of them this queue belongs to
 * @dedicated: depth of each connection's own receive queue: there is no SRQ
 * @immediate: each buffer is posted alone, as it comes back
 * @depth: its share of the ceiling, under @lock
 * @max_wr: entries the SRQ was asked for, 5/4 of @depth. The device may have
 *	granted more; more are never posted
 * @recv: completion handler of its buffers
 * @owner: its shard
 * @wake_poller: called by the refill work: the poller has something to do
 * @broken: called by the refill work: no connection may stay, see there
 * @hold: what a connection may hold; can change
 * @taken: buffers completed in the poller's present batch
 * @revived: those of them that were thought lost
 * @reposted: buffers posted again to the QP that has them for itself
 * @back: buffers given back in the poller's present batch
 * @nr_back: how many
 * @done: highest @seq of a completed buffer; the poller's
 * @lock: the counts, @free, @slabs and posting. Any context, IRQs off
 * @free: free buffers, those that are to stay first
 * @cls: the class as configured; mark and floor can change
 * @floor: its share of the floor
 * @target: buffers that should be posted
 * @reserve_size: buffers the handler reserve should have
 * @reserve: the handler reserve, a chain that only waits to be posted
 * @nr_reserve: its length
 * @total: buffers there are: @posted + @held + @nr_free + @lost
 * @posted: posted and not polled as completed: an upper bound of what is in
 *	the SRQ
 * @held: received and not given back
 * @nr_free: neither posted nor held, those of @reserve among them
 * @lost: swallowed by the device
 * @low_water: lowest @posted since the last reset
 * @max_in_use: highest @held since the last reset
 * @measured_mark: what an automatic mark was measured to be
 * @seq: posts so far, the last one's place in their order
 * @consumed: completions so far
 * @epoch: rises when all connections of the epoch before the last are gone
 * @epoch_conns: connections bound in the present epoch and before it, by parity
 * @filled: the first fill is done
 * @stopping: nothing is posted any more
 * @rebuilding: the SRQ is being made anew: nothing is posted, nobody may bind
 * @starved_since: when it fell empty, 0 if it is not
 * @starved_reset: how often it had been empty at the last reset
 * @stats: what is counted under @lock
 * @armed: the limit is armed. Set by who arms, xchg'ed by the event handler
 * @event_ns: when the last limit event came, until a post answered it
 * @limit_events: limit events while armed
 * @spurious_events: limit events while not armed
 * @flags: enum queue_flag, for the refill work and the poller
 * @mutex: ib_modify_srq() and ib_query_srq(), one at a time
 * @limit: what was armed last, under @mutex
 * @slabs: memory of the buffers
 * @work: the refill work
 * @refill: its memory between two runs; nobody else's
 * @wq: where it runs
 * @node: list of live queues
 * @shrink: list of queues the shrinker looks at
 */
struct srqpool_queue {
	struct ib_srq *srq;
	const struct srqpool_memory *mem;
	const char *pool;
	struct srqpool_queue *siblings;
	u32 stride;
	u32 shards;
	u32 shard;
	u32 dedicated;
	bool immediate;
	u32 depth;
	u32 max_wr;
	void (*recv)(struct ib_cq *cq, struct ib_wc *wc);
	struct srqpool_shard *owner;
	void (*wake_poller)(struct srqpool_queue *q);
	void (*broken)(struct srqpool_queue *q, const char *reason);

	struct queue_hold hold;

	u32 taken;
	u32 revived;
	u32 nr_back;
	u32 reposted;
	struct list_head back;
	u64 done;

	spinlock_t lock ____cacheline_aligned_in_smp;
	struct list_head free;
	struct srqpool_class_config cls;
	u32 floor;
	u32 target;
	u32 reserve_size;
	struct ib_recv_wr *reserve;
	u32 nr_reserve;
	u32 total;
	u32 posted;
	u32 held;
	u32 nr_free;
	u32 lost;
	u32 low_water;
	u32 max_in_use;
	u32 measured_mark;
	u64 seq;
	u64 consumed;
	u32 epoch;
	u32 epoch_conns[2];
	bool filled;
	bool stopping;
	bool rebuilding;
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
	struct refill_memory {
		u64 looked_ns;
		u64 consumed;
		u64 rate;
		u64 latency_ns;
		u64 latency_count;
		u64 latency_sum;
		u64 low_ns;
		u64 aged_ns;
		u32 aging;
		u32 stretch;
		bool overdue;
		u64 error_ns;
		u64 error_consumed;
	} refill;
	struct workqueue_struct *wq;
	struct list_head node;
	struct list_head shrink;
};

/**
 * struct queue_view - a queue's counts, all of one moment
 *
 * The fields are those of struct srqpool_queue; @mark is what is armed, or
 * will be.
 */
struct queue_view {
	u32 depth;
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

void queue_init(struct srqpool_queue *q);
int queue_create(struct srqpool_queue *q, struct srqpool_refusal *r);
int queue_rebuild(struct srqpool_queue *q);
void queue_stop(struct srqpool_queue *q);
void queue_destroy(struct srqpool_queue *q);

int queue_arm(struct srqpool_queue *q, u32 target);
int queue_device_limit(struct srqpool_queue *q, u32 *limit);
void queue_set_class(struct srqpool_queue *q,
		     const struct srqpool_class_config *cls);
void queue_device_event(struct ib_srq *srq);
void queue_late_event(struct srqpool_queue *q);

bool queue_claim(struct srqpool_queue *q);
void queue_unclaim(struct srqpool_queue *q);
int queue_bind(struct srqpool_queue *q);
void queue_unbind(struct srqpool_queue *q, int slot);
void queue_read(struct srqpool_queue *q, struct queue_view *view);
void queue_reset(struct srqpool_queue *q);
void queue_count(struct srqpool_queue *q, struct srqpool_totals *sum);

/**
 * queue_kick - have the refill work look at a queue
 * @q: the queue
 *
 * Context: any.
 */
static inline void queue_kick(struct srqpool_queue *q)
{
	if (!READ_ONCE(q->stopping))
		mod_delayed_work(q->wq, &q->work, 0);
}

/* Under the lock: what would be armed for a target. */
static inline u32 queue_mark(const struct srqpool_queue *q, u32 target)
{
	return policy_mark(&q->cls, q->shards, q->shard, target,
			   q->measured_mark);
}

/* Under the lock: connections bound. */
static inline u32 queue_conns(const struct srqpool_queue *q)
{
	return q->epoch_conns[0] + q->epoch_conns[1];
}

#endif /* SRQPOOL_QUEUE_H */
