/* SPDX-License-Identifier: GPL-2.0 */
/* shard: one private CQ, what a poll of it does, and the queues it serves. */
#ifndef SRQPOOL_SHARD_H
#define SRQPOOL_SHARD_H

#include <linux/rhashtable.h>
#include "arena.h"
#include "queue.h"

/* How often connections over their quota are looked at. */
#define SHARD_TICK_MS	25

/* Completions taken at once, and in one run of the poller. */
#define SHARD_BATCH	32
#define SHARD_BUDGET	512

/* What others have for the poller. */
enum shard_box {
	SHARD_RETURNED,	/* buffers given back */
	SHARD_OUTGOING,	/* buffers to be sent */
	SHARD_LEAVING,	/* connections that are detached */
	SHARD_PROBES,	/* connections whose peer is to be asked */
	SHARD_BOXES
};

typedef void (*shard_take_t)(struct llist_node *node);

/**
 * struct shard_hook - something that the poller looks at
 * @node: the shard's list
 * @look: called at the end of each batch, under RCU
 * @stop: called before the poller waits for an event, under RCU: what happens
 *	from now on has to kick the shard. Returns true if something has
 *	happened: then it does not wait
 */
struct shard_hook {
	struct list_head node;
	void (*look)(struct shard_hook *hook);
	bool (*stop)(struct shard_hook *hook);
};

/**
 * struct shard_poll - how a shard is polled
 * @kind: enum srqpool_poll
 * @usec: how long hybrid polling spins
 */
struct shard_poll {
	u32 kind;
	u32 usec;
};

/**
 * struct srqpool_shard - one CQ
 * @cq: the CQ
 * @cqe: its entries, as asked for
 * @index: which shard of the pool
 * @pool: name of the pool, for events
 * @nr_queues: one per class
 * @queues: indexed by class
 * @nr_conns: connections, where each has entries of the CQ reserved
 * @conns: its connections by the address of their QP; used by conn.c
 * @arena: memory for copies; the poller's
 * @flush: called at the end of a batch for each node on @dirty
 * @check: called for each node on @over, now and then
 * @dirty: connections with something to do at the end of the batch; the
 *	poller's
 * @blocked: connections that wait for a send credit; the poller's
 * @over: connections over their quota; the poller's
 * @box: what others have for the poller
 * @take: called by the poller for each in them, in the order they came
 * @poller: the task that polls just now, or NULL
 * @failed: the CQ is broken, see @broken
 * @broken: called by the poller: no connection may stay
 * @max_credits: send credits there are
 * @send_credits: CQ entries left for sends that own no buffer; the poller's
 * @probe_credits: others, for keep-alives when there is none of these; the
 *	poller's
 * @returns: messages that consumers gave back; the poller's
 * @empty: the present batch was all there was in the CQ; the poller's
 * @now: time of the poller's present batch, ns
 * @wq: where the poller runs
 * @poll: the poller; a work item never runs twice at once
 * @busy: the thread that polls instead, in busy mode
 * @mode: how it is polled
 * @spin: what automatic polling has learned; the poller's
 * @tick: has the poller look at @over
 * @ticked: it is time for that
 * @dead: the CQ is about to go, nothing is queued any more
 * @settled: nobody polls any more: who puts something into a box also empties
 *	it. Under @late_lock
 * @late_lock: from then on, what was the poller's. Any context, IRQs off
 * @consumed: completions taken since the start; the poller's
 * @hooks: what else the poller looks at; under RCU, changed under @wait_lock
 * @wait_lock: @waiters
 * @waiters: shard_barrier() calls the poller has not seen yet
 * @watched: those it has; the poller's
 * @stats: what the poller counts
 * @wc: the poller's batch
 */
struct srqpool_shard {
	struct ib_cq *cq;
	u32 cqe;
	u32 index;
	const char *pool;
	u32 nr_queues;
	struct srqpool_queue *queues;
	atomic_t nr_conns;
	struct rhashtable conns;
	struct srqpool_arena arena;
	void (*flush)(struct list_head *node);
	void (*check)(struct list_head *node);
	struct list_head dirty;
	struct list_head blocked;
	struct list_head over;
	struct llist_head box[SHARD_BOXES];
	shard_take_t take[SHARD_BOXES];
	struct task_struct *poller;
	bool failed;
	void (*broken)(struct srqpool_shard *shard);
	u32 max_credits;
	u32 send_credits;
	u32 probe_credits;
	u64 returns;
	bool empty;
	u64 now;
	struct workqueue_struct *wq;
	struct work_struct poll;
	struct task_struct *busy;
	struct shard_poll mode;
	struct shard_spin {
		u32 batch;
		u32 tries;
		u32 hits;
		u32 pause;
	} spin;
	struct delayed_work tick;
	bool ticked;
	bool dead;
	bool settled;
	spinlock_t late_lock;	/* see above */
	u64 consumed;
	struct list_head hooks;
	spinlock_t wait_lock;	/* see above */
	struct list_head waiters;
	struct list_head watched;
	struct srqpool_totals stats;
	struct ib_wc wc[SHARD_BATCH];
};

void shard_init(struct srqpool_shard *shard);
int shard_create(struct srqpool_shard *shard, struct ib_device *ibdev, u32 cqe,
		 struct srqpool_refusal *r);
void shard_destroy(struct srqpool_shard *shard);
u32 shard_poll_batch(struct srqpool_shard *shard);
bool shard_arm(struct srqpool_shard *shard);
void shard_barrier(struct srqpool_shard *shard);
void shard_watch(struct srqpool_shard *shard, struct list_head *node);
void shard_put(struct srqpool_shard *shard, enum shard_box box,
	       struct llist_node *node);
void shard_settle(struct srqpool_shard *shard);
void shard_add_hook(struct srqpool_shard *shard, struct shard_hook *hook);
void shard_del_hook(struct srqpool_shard *shard, struct shard_hook *hook);

/* Is the caller called by the shard's poller? */
static inline bool shard_in_poller(const struct srqpool_shard *shard)
{
	return READ_ONCE(shard->poller) == current && in_task() &&
	       !irqs_disabled();
}

/**
 * shard_kick - have the poller run
 * @shard: the shard
 *
 * Context: any.
 */
static inline void shard_kick(struct srqpool_shard *shard)
{
	if (!READ_ONCE(shard->dead) &&
	    READ_ONCE(shard->mode.kind) != SRQPOOL_POLL_BUSY)
		queue_work(shard->wq, &shard->poll);
}

#endif /* SRQPOOL_SHARD_H */
