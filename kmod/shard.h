/* SPDX-License-Identifier: GPL-2.0 */
/* shard: one private CQ, its only poller, and the queues it serves. */
#ifndef SRQPOOL_SHARD_H
#define SRQPOOL_SHARD_H

#include <linux/rhashtable.h>
#include "queue.h"

/* Completions taken at once, and in one run of the poller. */
#define SHARD_BATCH	32
#define SHARD_BUDGET	512

/**
 * struct srqpool_shard - one CQ
 * @cq: the CQ
 * @cqe: its entries, as asked for
 * @index: which shard of the pool
 * @pool: name of the pool, for events
 * @nr_queues: one per class
 * @queues: indexed by class
 * @conns: its connections by the address of their QP; used by conn.c
 * @flush: called at the end of a batch for each node on @dirty
 * @dirty: connections with sends to post; the poller's
 * @wq: where the poller runs
 * @poll: the poller; a work item never runs twice at once
 * @dead: the CQ is about to go, nothing is queued any more
 * @consumed: completions taken since the start; the poller's
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
	struct rhashtable conns;
	void (*flush)(struct list_head *node);
	struct list_head dirty;
	struct workqueue_struct *wq;
	struct work_struct poll;
	bool dead;
	u64 consumed;
	spinlock_t wait_lock;	/* see above */
	struct list_head waiters;
	struct list_head watched;
	struct srqpool_totals stats;
	struct ib_wc wc[SHARD_BATCH];
};

int shard_create(struct srqpool_shard *shard, struct ib_device *ibdev, u32 cqe,
		 struct srqpool_refusal *r);
void shard_stop(struct srqpool_shard *shard);
void shard_destroy(struct srqpool_shard *shard);
void shard_kick(struct srqpool_shard *shard);
void shard_barrier(struct srqpool_shard *shard);

#endif /* SRQPOOL_SHARD_H */
