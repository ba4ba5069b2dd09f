/* SPDX-License-Identifier: GPL-2.0 */
/* instance: what a pool has on its device while it is attached. */
#ifndef SRQPOOL_INSTANCE_H
#define SRQPOOL_INSTANCE_H

#include <linux/kref.h>
#include "device.h"
#include "shard.h"

/**
 * struct srqpool_instance - PD, shards and queues of an attached pool
 * @ref: memory only; the objects of the device go with instance_stop()
 * @dev: the device
 * @mem: its memory, with a PD of its own
 * @cfg: the pool as it was when it attached
 * @rnr_code: wire code of the RNR timer, may change
 * @keepalive: seconds, may change
 * @next_shard: where the next connection goes
 * @shards: cfg.shards of them
 * @queues: cfg.shards times cfg.nr_classes, by shard, then class
 */
struct srqpool_instance {
	struct kref ref;
	struct srqpool_device *dev;
	struct srqpool_memory mem;
	struct srqpool_config cfg;
	u8 rnr_code;
	u32 keepalive;
	atomic_t next_shard;
	struct srqpool_shard *shards;
	struct srqpool_queue *queues;
};

/**
 * struct srqpool_instance_ops - what the floor above gives
 * @recv: completion handler of received buffers
 * @flush: posts the sends of a connection, at the end of a poll batch
 * @check: looks at a connection that was over its quota
 * @take: what the poller does with what others have for it
 * @queue_broken: closes the connections of a queue; process context
 * @shard_broken: closes those of a shard; in its poller
 * @conn_params: how it hashes connections by QP
 */
struct srqpool_instance_ops {
	void (*recv)(struct ib_cq *cq, struct ib_wc *wc);
	void (*flush)(struct list_head *node);
	void (*check)(struct list_head *node);
	shard_take_t take[SHARD_BOXES];
	void (*queue_broken)(struct srqpool_queue *q, const char *reason);
	void (*shard_broken)(struct srqpool_shard *shard);
	const struct rhashtable_params *conn_params;
};

int instance_init(const struct srqpool_instance_ops *ops);
void instance_exit(void);

struct srqpool_instance *instance_create(struct srqpool_device *dev,
					 const struct srqpool_config *cfg,
					 struct srqpool_budget *budget,
					 struct srqpool_refusal *r);
void instance_stop_refill(struct srqpool_instance *inst);
void instance_destroy(struct srqpool_instance *inst);
void instance_get(struct srqpool_instance *inst);
void instance_put(struct srqpool_instance *inst);

struct srqpool_queue *instance_queue(struct srqpool_instance *inst, u32 shard,
				     u32 class);
int instance_set(struct srqpool_instance *inst, const struct srqpool_config *cfg,
		 struct srqpool_refusal *r);
u64 instance_arena(struct srqpool_instance *inst);
bool instance_degraded(struct srqpool_instance *inst);
void instance_count(struct srqpool_instance *inst, struct srqpool_totals *sum);

#endif /* SRQPOOL_INSTANCE_H */
