// SPDX-License-Identifier: GPL-2.0
#include <linux/slab.h>
#include "instance.h"
#include "poller.h"
#include "refill.h"
#include "shrink.h"
#include "stock.h"

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

static void set_hold(struct srqpool_queue *q, const struct srqpool_config *cfg,
		     u32 class)
{
	struct queue_hold *hold = &q->hold;

	WRITE_ONCE(hold->quota, policy_quota(cfg, class));
	WRITE_ONCE(hold->policy, cfg->quota_policy);
	WRITE_ONCE(hold->reserve, policy_share(policy_reserve(cfg, class),
					       cfg->shards, q->shard));
	WRITE_ONCE(hold->copybreak, cfg->copybreak);
}

/* An immediate refill has no limit event. */
static struct srqpool_class_config live_class(const struct srqpool_config *cfg,
					      u32 class)
{
	struct srqpool_class_config cls = cfg->classes[class];

	if (cfg->refill == SRQPOOL_REFILL_IMMEDIATE) {
		cls.mark_kind = SRQPOOL_MARK_COUNT;
		cls.mark_value = 0;
	}
	return cls;
}

static struct shard_poll poll_mode(const struct srqpool_config *cfg)
{
	return (struct shard_poll) { .kind = cfg->poll, .usec = cfg->poll_usec };
}

static void wake_poller(struct srqpool_queue *q)
{
	shard_kick(q->owner);
}

static int create_queue(struct srqpool_instance *inst, u32 shard, u32 class,
			struct srqpool_refusal *r)
{
	struct srqpool_queue *q = instance_queue(inst, shard, class);
	int ret;

	q->mem = &inst->mem;
	q->pool = inst->cfg.name;
	q->siblings = instance_queue(inst, 0, class);
	q->stride = inst->cfg.nr_classes;
	q->shards = inst->cfg.shards;
	q->shard = shard;
	q->dedicated = inst->cfg.dedicated;
	q->immediate = inst->cfg.refill == SRQPOOL_REFILL_IMMEDIATE;
	q->cls = live_class(&inst->cfg, class);
	q->recv = instance_ops->recv;
	q->owner = &inst->shards[shard];
	q->wake_poller = wake_poller;
	q->broken = instance_ops->queue_broken;
	set_hold(q, &inst->cfg, class);
	refill_prepare(q, refill_wq, inst->cfg.aging);
	ret = queue_create(q, r);
	if (ret)
		return ret;
	return refill_fill_floor(q, r);
}

static int create_shard(struct srqpool_instance *inst, u32 index,
			struct srqpool_refusal *r)
{
	struct srqpool_shard *shard = &inst->shards[index];
	struct ib_device *ibdev = inst->dev->ibdev;
	struct srqpool_limits lim;
	u32 class, cqe;
	int ret;

	device_limits(inst->dev, &lim);
	cqe = policy_cqe(&inst->cfg, index, lim.max_cqe);
	shard->index = index;
	shard->pool = inst->cfg.name;
	shard->nr_queues = inst->cfg.nr_classes;
	shard->queues = instance_queue(inst, index, 0);
	shard->flush = instance_ops->flush;
	shard->check = instance_ops->check;
	memcpy(shard->take, instance_ops->take, sizeof(shard->take));
	shard->broken = instance_ops->shard_broken;
	poller_init(shard, poll_wq);
	for (class = 0; class < inst->cfg.nr_classes; class++) {
		ret = create_queue(inst, index, class, r);
		if (ret)
			return ret;
	}
	ret = shard_create(shard, ibdev, cqe, r);
	if (ret)
		return ret;
	/* What is left beside them is room for higher ceilings. */
	shard->max_credits = min_t(u32, POLICY_SEND_CREDITS,
				   policy_send_credits(&inst->cfg, index, cqe));
	shard->send_credits = shard->max_credits;
	shard->probe_credits = POLICY_PROBE_CREDITS;
	return 0;
}

/*
 * All queues have their floor, so what is left of the budget can go to copies,
 * handler reserves and growth.
 */
static int start(struct srqpool_instance *inst, struct srqpool_refusal *r)
{
	u64 arena = div_u64(policy_arena(&inst->cfg), inst->cfg.shards);
	u32 i;
	int ret;

	for (i = 0; i < inst->cfg.shards; i++) {
		/* A smaller arena only means fewer copies. */
		arena_create(&inst->shards[i].arena, &inst->mem, arena);
		ret = poller_set_mode(&inst->shards[i], poll_mode(&inst->cfg));
		if (ret)
			return policy_refuse(r, ret, -1, SRQPOOL_A_POOL_POLL,
					     "no thread for shard %u (error %d)",
					     i, ret);
	}
	for (i = 0; i < nr_queues(inst); i++) {
		ret = refill_start(&inst->queues[i], r);
		if (ret)
			return ret;
		shrink_add(&inst->queues[i]);
	}
	return 0;
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
	for (i = 0; i < nr_queues(inst); i++)
		queue_init(&inst->queues[i]);
	for (i = 0; i < inst->cfg.shards; i++)
		shard_init(&inst->shards[i]);
	for (i = 0; i < inst->cfg.shards; i++)
		if (rhashtable_init(&inst->shards[i].conns,
				    instance_ops->conn_params))
			return -ENOMEM;
	return 0;
}

static int alloc_map(struct srqpool_instance *inst)
{
	struct srqpool_map *map = map_create();

	if (IS_ERR(map))
		return PTR_ERR(map);
	inst->mem.map = map;
	return 0;
}

static void instance_free(struct kref *ref)
{
	struct srqpool_instance *inst = container_of(ref,
						     struct srqpool_instance,
						     ref);
	u32 i;

	/* See shard_put(). */
	synchronize_rcu();
	for (i = 0; inst->shards && i < inst->cfg.shards; i++)
		if (inst->shards[i].conns.tbl)
			rhashtable_destroy(&inst->shards[i].conns);
	kvfree(inst->shards);
	kvfree(inst->queues);
	if (inst->mem.map)
		map_put(inst->mem.map);
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
	inst->keepalive = cfg->keepalive;
	inst->rnr_code = policy_rnr_code(cfg->rnr_timer_us, &below, &above);
	inst->mem.budget = budget;
	ret = alloc_map(inst) ?: alloc_arrays(inst);
	if (ret) {
		policy_refuse(r, ret, -1, 0, "out of memory");
		instance_put(inst);
		return ERR_PTR(ret);
	}
	device_hold(dev);
	inst->mem.pd = ib_alloc_pd(dev->ibdev, 0);
	if (IS_ERR(inst->mem.pd)) {
		ret = policy_refuse(r, PTR_ERR(inst->mem.pd), -1, 0,
				    "device %s refused a PD (error %ld)",
				    cfg->dev, PTR_ERR(inst->mem.pd));
		inst->mem.pd = NULL;
		goto destroy;
	}
	for (i = 0; i < cfg->shards; i++) {
		ret = create_shard(inst, i, r);
		if (ret)
			goto destroy;
	}
	ret = start(inst, r);
	if (ret)
		goto destroy;
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
		shrink_del(&inst->queues[i]);
	for (i = 0; i < nr_queues(inst); i++)
		if (inst->queues[i].wq)
			queue_stop(&inst->queues[i]);
}

/**
 * instance_destroy - take a pool off its device
 * @inst: its refill is stopped and its connections are gone
 *
 * SRQs, CQs, buffers and PD are gone when it returns, and the device's
 * reference is dropped. Counts and counters can still be read. Buffers that are
 * still held are not the device's any more, and go when they are given back.
 *
 * Context: process, sleeps.
 */
void instance_destroy(struct srqpool_instance *inst)
{
	u32 i;

	for (i = 0; i < inst->cfg.shards; i++)
		poller_stop(&inst->shards[i]);
	for (i = 0; i < nr_queues(inst); i++)
		queue_destroy(&inst->queues[i]);
	for (i = 0; i < inst->cfg.shards; i++)
		shard_destroy(&inst->shards[i]);
	/* Who has read that a poller lives has woken it after this. */
	synchronize_rcu();
	for (i = 0; i < inst->cfg.shards; i++) {
		poller_settle(&inst->shards[i]);
		arena_destroy(&inst->shards[i].arena,
			      &inst->shards[i].late_lock);
	}
	for (i = 0; i < nr_queues(inst); i++)
		stock_free(&inst->queues[i],
			   &inst->shards[i / inst->cfg.nr_classes].late_lock);
	if (inst->mem.pd)
		ib_dealloc_pd(inst->mem.pd);
	inst->mem.pd = NULL;
	device_put(inst->dev);
}

static bool new_ceiling(struct srqpool_instance *inst, u32 class,
			const struct srqpool_config *cfg)
{
	return cfg->classes[class].ceiling !=
	       instance_queue(inst, 0, class)->cls.ceiling;
}

/*
 * Nobody may bind to a queue while its ceiling changes. Takes back the claims
 * on the first @nr queues, by class.
 */
static void unclaim(struct srqpool_instance *inst,
		    const struct srqpool_config *cfg, u32 nr)
{
	while (nr--)
		if (new_ceiling(inst, nr / cfg->shards, cfg))
			queue_unclaim(instance_queue(inst, nr % cfg->shards,
						     nr / cfg->shards));
}

static int claim_ceilings(struct srqpool_instance *inst,
			  const struct srqpool_config *cfg,
			  struct srqpool_refusal *r)
{
	u32 class, i;

	for (i = 0; i < nr_queues(inst); i++) {
		class = i / cfg->shards;
		if (!new_ceiling(inst, class, cfg) ||
		    queue_claim(instance_queue(inst, i % cfg->shards, class)))
			continue;
		unclaim(inst, cfg, i);
		return policy_refuse(r, -EBUSY, -1, SRQPOOL_A_POOL_CLASS,
				     "class %s has connections: its ceiling cannot change, because a QP cannot change its SRQ",
				     cfg->classes[class].name);
	}
	return 0;
}

static void set_queue(struct srqpool_queue *q, const struct srqpool_config *cfg,
		      u32 class)
{
	struct srqpool_class_config cls = live_class(cfg, class);

	set_hold(q, cfg, class);
	refill_set_aging(q, cfg->aging);
	if (memcmp(&cls, &q->cls, sizeof(cls)))
		queue_set_class(q, &cls);
}

/**
 * instance_set - change what can change while it is attached
 * @inst: the instance
 * @cfg: as it is to be, checked
 * @r: out, the refusal
 *
 * Context: process, sleeps; one caller at a time.
 *
 * Return: 0, or -EBUSY and nothing was changed.
 */
int instance_set(struct srqpool_instance *inst, const struct srqpool_config *cfg,
		 struct srqpool_refusal *r)
{
	u32 below, above, shard, class;
	int ret;

	ret = claim_ceilings(inst, cfg, r);
	if (ret)
		return ret;
	WRITE_ONCE(inst->keepalive, cfg->keepalive);
	WRITE_ONCE(inst->rnr_code,
		   policy_rnr_code(cfg->rnr_timer_us, &below, &above));
	for (shard = 0; shard < inst->cfg.shards; shard++) {
		if (poller_set_mode(&inst->shards[shard], poll_mode(cfg)))
			policy_warn(r, "no thread for shard %u, it is polled by event",
				    shard);
		for (class = 0; class < inst->cfg.nr_classes; class++)
			set_queue(instance_queue(inst, shard, class), cfg, class);
	}
	/* What is to be built anew is when this returns. */
	for (shard = 0; shard < nr_queues(inst); shard++)
		flush_delayed_work(&inst->queues[shard].work);
	return 0;
}

/* Bytes of its arenas. */
u64 instance_arena(struct srqpool_instance *inst)
{
	u64 bytes = 0;
	u32 i;

	for (i = 0; i < inst->cfg.shards; i++)
		bytes += READ_ONCE(inst->shards[i].arena.bytes);
	return bytes;
}

static bool queue_degraded(struct srqpool_queue *q)
{
	bool degraded;

	spin_lock_irq(&q->lock);
	degraded = policy_degraded(q->lost, q->depth);
	spin_unlock_irq(&q->lock);
	return degraded;
}

/* Are so many buffers of a queue lost that somebody should know? */
bool instance_degraded(struct srqpool_instance *inst)
{
	u32 s, c;

	for (s = 0; s < inst->cfg.shards; s++)
		for (c = 0; c < inst->cfg.nr_classes; c++)
			if (queue_degraded(instance_queue(inst, s, c)))
				return true;
	return false;
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
	int ret = shrink_init();

	if (ret)
		return ret;
	instance_ops = ops;
	poll_wq = alloc_workqueue("srqpool_poll", WQ_HIGHPRI | WQ_UNBOUND, 0);
	if (!poll_wq)
		goto exit_shrink;
	refill_wq = alloc_workqueue("srqpool_refill",
				    WQ_HIGHPRI | WQ_UNBOUND | WQ_MEM_RECLAIM, 0);
	if (!refill_wq)
		goto destroy_poll_wq;
	return 0;

destroy_poll_wq:
	destroy_workqueue(poll_wq);
exit_shrink:
	shrink_exit();
	return -ENOMEM;
}

void instance_exit(void)
{
	destroy_workqueue(refill_wq);
	destroy_workqueue(poll_wq);
	shrink_exit();
}
