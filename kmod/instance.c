// SPDX-License-Identifier: GPL-2.0
#include <linux/slab.h>
#include "instance.h"
#include "refill.h"

static const struct srqpool_instance_ops *instance_ops;
static struct workqueue_struct *poll_wq;
static struct workqueue_struct *refill_wq;

/* The queue of a class in a shard. */
struct srqpool_queue *instance_queue(struct srqpool_instance *inst, u32 shard,
				     u32 class)
{
	return &inst->queues[shard * inst->cfg.nr_classes + class];
}

static u32 nr_queues(const struct srqpool_instance *inst)
{
	return inst->cfg.shards * inst->cfg.nr_classes;
}

static int create_queue(struct srqpool_instance *inst, u32 shard, u32 class,
			struct srqpool_budget *budget, struct srqpool_refusal *r)
{
	struct srqpool_queue *q = instance_queue(inst, shard, class);
	int ret;

	q->pd = inst->pd;
	q->budget = budget;
	q->pool = inst->cfg.name;
	q->shards = inst->cfg.shards;
	q->shard = shard;
	q->cls = inst->cfg.classes[class];
	q->depth = policy_share(q->cls.ceiling, q->shards, shard);
	q->max_wr = policy_srq_wr(q->depth);
	q->recv = instance_ops->recv;
	refill_prepare(q, refill_wq);
	ret = queue_create(q, r);
	if (ret)
		return ret;
	return refill_first(q, policy_share(q->cls.floor, q->shards, shard), r);
}

static int create_shard(struct srqpool_instance *inst, u32 index,
			struct srqpool_budget *budget, struct srqpool_refusal *r)
{
	struct srqpool_shard *shard = &inst->shards[index];
	struct ib_device *ibdev = inst->dev->ibdev;
	u32 cqe = min_t(u64, policy_cqe(&inst->cfg, index),
			ibdev->attrs.max_cqe);
	u32 class;
	int ret;

	shard->index = index;
	shard->pool = inst->cfg.name;
	shard->nr_queues = inst->cfg.nr_classes;
	shard->queues = instance_queue(inst, index, 0);
	shard->flush = instance_ops->flush;
	shard->wq = poll_wq;
	for (class = 0; class < inst->cfg.nr_classes; class++) {
		ret = create_queue(inst, index, class, budget, r);
		if (ret)
			return ret;
	}
	return shard_create(shard, ibdev, cqe, r);
}

/* Connection tables exist as long as the memory: shows look into them. */
static int alloc_arrays(struct srqpool_instance *inst)
{
	u32 i;

	inst->queues = kvcalloc(nr_queues(inst), sizeof(*inst->queues),
				GFP_KERNEL);
	inst->shards = kvcalloc(inst->cfg.shards, sizeof(*inst->shards),
				GFP_KERNEL);
	if (!inst->queues || !inst->shards)
		return -ENOMEM;
	for (i = 0; i < inst->cfg.shards; i++)
		if (rhashtable_init(&inst->shards[i].conns,
				    instance_ops->conn_params))
			return -ENOMEM;
	return 0;
}

static void instance_free(struct kref *ref)
{
	struct srqpool_instance *inst = container_of(ref,
						     struct srqpool_instance,
						     ref);
	u32 i;

	for (i = 0; inst->shards && i < inst->cfg.shards; i++)
		if (inst->shards[i].conns.tbl)
			rhashtable_destroy(&inst->shards[i].conns);
	kvfree(inst->shards);
	kvfree(inst->queues);
	kfree(inst);
}

void instance_get(struct srqpool_instance *inst)
{
	kref_get(&inst->ref);
}

/* Context: process; the last reference frees memory and may sleep. */
void instance_put(struct srqpool_instance *inst)
{
	kref_put(&inst->ref, instance_free);
}

/**
 * instance_create - put a pool on its device
 * @dev: the device; a reference is taken until instance_destroy()
 * @cfg: checked by policy_check()
 * @budget: the pool's budget
 * @r: out, the refusal
 *
 * Every queue is filled to its floor and armed.
 *
 * Context: process, sleeps.
 *
 * Return: the instance, or an error pointer and nothing left behind.
 */
struct srqpool_instance *instance_create(struct srqpool_device *dev,
					 const struct srqpool_config *cfg,
					 struct srqpool_budget *budget,
					 struct srqpool_refusal *r)
{
	struct srqpool_instance *inst = kzalloc(sizeof(*inst), GFP_KERNEL);
	u32 below, above, i;
	int ret;

	if (!inst)
		return ERR_PTR(policy_refuse(r, -ENOMEM, -1, 0, "out of memory"));
	kref_init(&inst->ref);
	inst->dev = dev;
	inst->cfg = *cfg;
	inst->rnr_code = policy_rnr_code(cfg->rnr_timer_us, &below, &above);
	ret = alloc_arrays(inst);
	if (ret) {
		policy_refuse(r, ret, -1, 0, "out of memory");
		instance_put(inst);
		return ERR_PTR(ret);
	}
	device_hold(dev);
	inst->pd = ib_alloc_pd(dev->ibdev, 0);
	if (IS_ERR(inst->pd)) {
		ret = policy_refuse(r, PTR_ERR(inst->pd), -1, 0,
				    "device %s refused a PD (error %ld)",
				    cfg->dev, PTR_ERR(inst->pd));
		inst->pd = NULL;
		goto destroy;
	}
	for (i = 0; i < cfg->shards; i++) {
		ret = create_shard(inst, i, budget, r);
		if (ret)
			goto destroy;
	}
	return inst;

destroy:
	instance_stop_refill(inst);
	instance_destroy(inst);
	instance_put(inst);
	return ERR_PTR(ret);
}

/**
 * instance_stop_refill - post nothing any more
 * @inst: the instance; no connection is accepted any more
 *
 * Context: process, sleeps.
 */
void instance_stop_refill(struct srqpool_instance *inst)
{
	u32 i;

	for (i = 0; i < nr_queues(inst); i++)
		if (inst->queues[i].srq)
			queue_stop(&inst->queues[i]);
}

/**
 * instance_destroy - take a pool off its device
 * @inst: its refill is stopped and its connections are gone
 *
 * SRQs, CQs, buffers and PD are gone when it returns, and the device's
 * reference is dropped. Counts and counters can still be read.
 *
 * Context: process, sleeps.
 */
void instance_destroy(struct srqpool_instance *inst)
{
	u32 i;

	for (i = 0; i < inst->cfg.shards; i++)
		shard_stop(&inst->shards[i]);
	for (i = 0; i < nr_queues(inst); i++)
		queue_destroy(&inst->queues[i]);
	for (i = 0; i < inst->cfg.shards; i++)
		shard_destroy(&inst->shards[i]);
	for (i = 0; i < nr_queues(inst); i++)
		queue_free_buffers(&inst->queues[i]);
	if (inst->pd)
		ib_dealloc_pd(inst->pd);
	inst->pd = NULL;
	device_put(inst->dev);
}

/**
 * instance_count - add an instance's counters to a sum
 * @inst: the instance
 * @sum: added to
 */
void instance_count(struct srqpool_instance *inst, struct srqpool_totals *sum)
{
	u32 i;

	for (i = 0; i < inst->cfg.shards; i++)
		totals_add(sum, &inst->shards[i].stats);
	for (i = 0; i < nr_queues(inst); i++)
		queue_count(&inst->queues[i], sum);
}

/**
 * instance_init - before the first instance
 * @ops: what the floor above gives
 *
 * Return: 0 or -ENOMEM.
 */
int instance_init(const struct srqpool_instance_ops *ops)
{
	instance_ops = ops;
	poll_wq = alloc_workqueue("srqpool_poll", WQ_HIGHPRI | WQ_UNBOUND, 0);
	if (!poll_wq)
		return -ENOMEM;
	refill_wq = alloc_workqueue("srqpool_refill",
				    WQ_HIGHPRI | WQ_UNBOUND | WQ_MEM_RECLAIM, 0);
	if (!refill_wq) {
		destroy_workqueue(poll_wq);
		return -ENOMEM;
	}
	return 0;
}

void instance_exit(void)
{
	destroy_workqueue(refill_wq);
	destroy_workqueue(poll_wq);
}
