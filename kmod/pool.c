// SPDX-License-Identifier: GPL-2.0
#include <linux/slab.h>
#include <linux/xarray.h>
#include "delivery.h"
#include "event.h"
#include "keepalive.h"
#include "pool.h"

static DEFINE_XARRAY(pools);
static DEFINE_MUTEX(pools_mutex);	/* names are given out one at a time */
static atomic64_t last_id;

/*
 * References and look-up
 */

static void pool_free(struct kref *ref)
{
	struct srqpool_pool *pool = container_of(ref, struct srqpool_pool, ref);

	WARN_ON(atomic64_read(&pool->budget.pinned));
	kfree(pool);
}

void pool_put(struct srqpool_pool *pool)
{
	kref_put(&pool->ref, pool_free);
}

/* Any pool from an id on, those in creation included. */
static struct srqpool_pool *next_any(u64 id)
{
	struct srqpool_pool *pool;
	unsigned long index = id;

	xa_lock(&pools);
	pool = xa_find(&pools, &index, ULONG_MAX, XA_PRESENT);
	if (pool)
		kref_get(&pool->ref);
	xa_unlock(&pools);
	return pool;
}

/**
 * pool_next - walk the pools
 * @id: id to start at
 *
 * Return: the first pool from there on, with a reference, or NULL.
 */
struct srqpool_pool *pool_next(u64 id)
{
	struct srqpool_pool *pool;

	while ((pool = next_any(id))) {
		if (READ_ONCE(pool->created))
			return pool;
		id = pool->id + 1;
		pool_put(pool);
	}
	return NULL;
}

static struct srqpool_pool *find_any(const char *name)
{
	struct srqpool_pool *pool;
	u64 id = 0;

	while ((pool = next_any(id))) {
		if (!strcmp(pool->cfg.name, name))
			return pool;
		id = pool->id + 1;
		pool_put(pool);
	}
	return NULL;
}

/**
 * pool_get - find a pool
 * @name: its name
 *
 * Return: the pool with a reference, or NULL.
 */
struct srqpool_pool *pool_get(const char *name)
{
	struct srqpool_pool *pool = find_any(name);

	if (pool && !READ_ONCE(pool->created)) {
		pool_put(pool);
		return NULL;
	}
	return pool;
}

/**
 * pool_instance - what a pool has on its device
 * @pool: the pool
 *
 * Return: the instance with a reference, or NULL while the pool is detached.
 */
struct srqpool_instance *pool_instance(struct srqpool_pool *pool)
{
	struct srqpool_instance *inst;

	spin_lock(&pool->inst_lock);
	inst = pool->inst;
	if (inst)
		instance_get(inst);
	spin_unlock(&pool->inst_lock);
	return inst;
}

static void set_instance(struct srqpool_pool *pool,
			 struct srqpool_instance *inst)
{
	spin_lock(&pool->inst_lock);
	pool->inst = inst;
	spin_unlock(&pool->inst_lock);
	atomic_inc(&event_generation);
}

/**
 * pool_config - a pool's configuration and state
 * @pool: the pool
 * @cfg: out
 * @state: out
 */
void pool_config(struct srqpool_pool *pool, struct srqpool_config *cfg,
		 enum srqpool_pool_state *state)
{
	mutex_lock(&pool->mutex);
	*cfg = pool->cfg;
	*state = pool->state;
	if (pool->inst && *state == SRQPOOL_POOL_ACTIVE &&
	    instance_degraded(pool->inst))
		*state = SRQPOOL_POOL_DEGRADED;
	mutex_unlock(&pool->mutex);
}

/**
 * pool_class - find a class
 * @pool: the pool
 * @name: of the class
 *
 * Return: its index, or -ENOENT.
 */
int pool_class(struct srqpool_pool *pool, const char *name)
{
	u32 i;

	for (i = 0; i < pool->cfg.nr_classes; i++)
		if (!strcmp(pool->cfg.classes[i].name, name))
			return i;
	return -ENOENT;
}

/*
 * Statistics
 */

static void totals_since_start(struct srqpool_pool *pool,
			       struct srqpool_totals *sum)
{
	lockdep_assert_held(&pool->mutex);
	*sum = pool->carried;
	if (pool->inst || pool->leaving)
		instance_count(pool->inst ?: pool->leaving, sum);
}

/**
 * pool_totals - what a pool counted since its last reset
 * @pool: the pool
 * @sum: out
 */
void pool_totals(struct srqpool_pool *pool, struct srqpool_totals *sum)
{
	mutex_lock(&pool->mutex);
	totals_since_start(pool, sum);
	totals_sub(sum, &pool->base);
	mutex_unlock(&pool->mutex);
}

/**
 * pool_rnr_naks - RNR NAKs of the pool's device since the pool's last reset
 * @pool: the pool
 * @naks: out
 *
 * Return: false if they are not counted, or the device is gone.
 */
bool pool_rnr_naks(struct srqpool_pool *pool, u64 *naks)
{
	bool known;

	mutex_lock(&pool->mutex);
	known = pool->inst && device_rnr_naks(pool->inst->dev, naks);
	if (known)
		*naks -= pool->rnr_base;
	mutex_unlock(&pool->mutex);
	return known;
}

static void rnr_restart(struct srqpool_pool *pool)
{
	pool->rnr_base = 0;
	if (pool->inst)
		device_rnr_naks(pool->inst->dev, &pool->rnr_base);
}

/**
 * pool_reset - restart a pool's statistics
 * @pool: the pool
 */
void pool_reset(struct srqpool_pool *pool)
{
	u32 i;

	mutex_lock(&pool->mutex);
	totals_since_start(pool, &pool->base);
	rnr_restart(pool);
	if (pool->inst)
		for (i = 0; i < pool->cfg.shards * pool->cfg.nr_classes; i++)
			queue_reset(&pool->inst->queues[i]);
	mutex_unlock(&pool->mutex);
}

/*
 * Users: what lives on a pool
 */

static void user_detached(struct srqpool_pool *pool)
{
	if (atomic_dec_and_test(&pool->nr_attached))
		wake_up_all(&pool->wait);
}

/* Under the mutex: from now on it is the caller's to detach. */
static bool claim_user(struct srqpool_pool *pool, struct pool_user *user)
{
	lockdep_assert_held(&pool->mutex);
	if (!user->attached)
		return false;
	user->attached = false;
	return true;
}

static int attach_user(struct srqpool_pool *pool, struct pool_user *user,
		       struct srqpool_refusal *r)
{
	lockdep_assert_held(&pool->mutex);
	user->attached = true;
	atomic_inc(&pool->nr_attached);
	return user->ops->attach(user, pool->inst, r);
}

/**
 * pool_user_init - begin something that lives on a pool
 * @user: to set up; the caller has its first reference
 * @pool: a reference is handed over, until @user is free
 * @ops: what it can do
 */
void pool_user_init(struct pool_user *user, struct srqpool_pool *pool,
		    const struct pool_user_ops *ops)
{
	kref_init(&user->ref);
	INIT_LIST_HEAD(&user->node);
	user->pool = pool;
	user->ops = ops;
}

static void user_free(struct kref *ref)
{
	struct pool_user *user = container_of(ref, struct pool_user, ref);
	struct srqpool_pool *pool = user->pool;

	user->ops->free(user);
	pool_put(pool);
}

/* Context: any in which its @free and pool_put() may be called. */
void pool_user_put(struct pool_user *user)
{
	kref_put(&user->ref, user_free);
}

/* It is not on the pool's list any more: drop the pool's reference. */
static void forget_user(struct pool_user *user)
{
	if (user->ops->forget)
		user->ops->forget(user);
	pool_user_put(user);
}

/**
 * pool_add_user - put something on its pool, which takes a reference
 * @user: from pool_user_init()
 * @r: out, the refusal
 *
 * Context: process, sleeps.
 *
 * Return: 0; else -EBUSY while the pool is not on its device, or what
 * attaching returned, and the pool has forgotten it.
 */
int pool_add_user(struct pool_user *user, struct srqpool_refusal *r)
{
	struct srqpool_pool *pool = user->pool;
	int ret;

	kref_get(&user->ref);

	mutex_lock(&pool->mutex);
	if (!pool->inst) {
		ret = policy_refuse(r, -EBUSY, -1, 0, "pool %s is %s",
				    pool->cfg.name,
				    pool->state == SRQPOOL_POOL_DELETING ?
				    "being deleted" : "detached, its device is gone");
		mutex_unlock(&pool->mutex);
		forget_user(user);
		return ret;
	}
	list_add_tail(&user->node, &pool->users);
	pool->nr_users++;
	ret = attach_user(pool, user, r);
	mutex_unlock(&pool->mutex);
	if (ret)
		pool_del_user(user);
	return ret;
}

/* Under the mutex: takes a user off the list, unless somebody else did. */
static bool unlink_user(struct srqpool_pool *pool, struct pool_user *user)
{
	lockdep_assert_held(&pool->mutex);
	if (list_empty(&user->node))
		return false;
	list_del_init(&user->node);
	pool->nr_users--;
	return true;
}

/**
 * pool_del_user - take something off its pool
 * @user: on it; the caller has a reference of its own
 *
 * It is off the list before it is detached: a pool that attaches again
 * meanwhile must not find it. The teardown of the pool waits for it all the
 * same, because it counts as attached until it is not.
 *
 * Context: process, sleeps until its connections are gone.
 */
void pool_del_user(struct pool_user *user)
{
	struct srqpool_pool *pool = user->pool;
	bool attached, linked;

	mutex_lock(&pool->mutex);
	while (!(attached = claim_user(pool, user)) && pool->tearing) {
		mutex_unlock(&pool->mutex);
		wait_event(pool->wait, !READ_ONCE(pool->tearing));
		mutex_lock(&pool->mutex);
	}
	linked = unlink_user(pool, user);
	mutex_unlock(&pool->mutex);
	if (attached) {
		user->ops->detach(user);
		user_detached(pool);
	}
	if (linked)
		forget_user(user);
}

static struct pool_user *claim_next_user(struct srqpool_pool *pool)
{
	struct pool_user *user;

	mutex_lock(&pool->mutex);
	list_for_each_entry(user, &pool->users, node) {
		if (claim_user(pool, user)) {
			kref_get(&user->ref);
			mutex_unlock(&pool->mutex);
			return user;
		}
	}
	mutex_unlock(&pool->mutex);
	return NULL;
}

static void detach_users(struct srqpool_pool *pool)
{
	struct pool_user *user;

	while ((user = claim_next_user(pool))) {
		user->ops->detach(user);
		user_detached(pool);
		pool_user_put(user);
	}
	wait_event(pool->wait, !atomic_read(&pool->nr_attached));
}

static void release_users(struct srqpool_pool *pool)
{
	struct pool_user *user;

	for (;;) {
		mutex_lock(&pool->mutex);
		user = list_first_entry_or_null(&pool->users, struct pool_user,
						node);
		if (user)
			unlink_user(pool, user);
		mutex_unlock(&pool->mutex);
		if (!user)
			return;
		forget_user(user);
	}
}

/*
 * Attach and detach
 */

/* Under the mutex: the instance is the caller's to take down. */
static struct srqpool_instance *claim_instance(struct srqpool_pool *pool)
{
	struct srqpool_instance *inst = pool->inst;

	lockdep_assert_held(&pool->mutex);
	if (!inst)
		return NULL;
	pool->tearing = true;
	pool->leaving = inst;
	set_instance(pool, NULL);
	return inst;
}

static void shut_users(struct srqpool_pool *pool)
{
	struct pool_user *user;

	mutex_lock(&pool->mutex);
	list_for_each_entry(user, &pool->users, node)
		user->ops->shut(user);
	mutex_unlock(&pool->mutex);
}

/* No new connection, no refill, no connection, and then no SRQ, CQ, PD. */
static void take_down(struct srqpool_pool *pool, struct srqpool_instance *inst)
{
	shut_users(pool);
	instance_stop_refill(inst);
	detach_users(pool);
	instance_destroy(inst);

	mutex_lock(&pool->mutex);
	instance_count(inst, &pool->carried);
	pool->leaving = NULL;
	WRITE_ONCE(pool->tearing, false);
	wake_up_all(&pool->wait);
	mutex_unlock(&pool->mutex);
	instance_put(inst);
}

static void pool_detach(struct srqpool_pool *pool, struct srqpool_device *dev)
{
	struct srqpool_instance *inst = NULL;

	mutex_lock(&pool->mutex);
	if (pool->inst && pool->inst->dev == dev) {
		inst = claim_instance(pool);
		pool->state = SRQPOOL_POOL_DETACHED;
	}
	mutex_unlock(&pool->mutex);
	if (!inst)
		return;
	event_raise(SRQPOOL_EVENT_DEV_GONE, pool->cfg.name, NULL, EVENT_NO_SHARD,
		    0, "device %s was removed", pool->cfg.dev);
	take_down(pool, inst);
}

/* Under the mutex: the pool is on its device from now on. */
static void attached(struct srqpool_pool *pool, struct srqpool_instance *inst,
		     struct srqpool_refusal *r)
{
	struct pool_user *user;

	lockdep_assert_held(&pool->mutex);
	pool->guid = inst->dev->ibdev->node_guid;
	pool->state = SRQPOOL_POOL_ACTIVE;
	set_instance(pool, inst);
	rnr_restart(pool);
	list_for_each_entry(user, &pool->users, node)
		if (attach_user(pool, user, r))
			event_raise(SRQPOOL_EVENT_ERROR, pool->cfg.name, NULL,
				    EVENT_NO_SHARD, 0, "%s", r->text);
}

static int try_attach(struct srqpool_pool *pool, struct srqpool_device *dev,
		      struct srqpool_refusal *r)
{
	enum srqpool_pool_state state;
	struct srqpool_instance *inst;
	struct srqpool_config cfg;
	int ret = 0;

	pool_config(pool, &cfg, &state);
	inst = instance_create(dev, &cfg, &pool->budget, r);
	if (IS_ERR(inst))
		return PTR_ERR(inst);

	mutex_lock(&pool->mutex);
	if (READ_ONCE(dev->gone) || pool->inst ||
	    pool->state != SRQPOOL_POOL_DETACHED)
		ret = policy_refuse(r, -ENODEV, -1, SRQPOOL_A_POOL_DEV,
				    "device %s is going away", pool->cfg.dev);
	else if (memcmp(&pool->cfg, &cfg, sizeof(cfg)))
		ret = -EAGAIN;
	else
		attached(pool, inst, r);
	mutex_unlock(&pool->mutex);
	if (ret) {
		instance_stop_refill(inst);
		instance_destroy(inst);
		instance_put(inst);
	}
	return ret;
}

/* Puts a pool on a device, unless that is on its way out. */
static int pool_attach(struct srqpool_pool *pool, struct srqpool_device *dev,
		       struct srqpool_refusal *r)
{
	int ret;

	do {
		ret = try_attach(pool, dev, r);
	} while (ret == -EAGAIN);	/* it was changed meanwhile */
	return ret;
}

static void device_added(struct srqpool_device *dev)
{
	struct srqpool_refusal r = {};
	struct srqpool_pool *pool;
	u64 id;

	for (id = 0; (pool = pool_next(id)); id = pool->id + 1, pool_put(pool)) {
		if (READ_ONCE(pool->state) != SRQPOOL_POOL_DETACHED ||
		    strcmp(pool->cfg.dev, dev_name(&dev->ibdev->dev)) ||
		    pool->guid != dev->ibdev->node_guid)
			continue;
		if (pool_attach(pool, dev, &r))
			event_raise(SRQPOOL_EVENT_ERROR, pool->cfg.name, NULL,
				    EVENT_NO_SHARD, 0, "%s", r.text);
		else
			event_raise(SRQPOOL_EVENT_DEV_BACK, pool->cfg.name, NULL,
				    EVENT_NO_SHARD, 0, "device %s is back",
				    pool->cfg.dev);
	}
}

static void device_removed(struct srqpool_device *dev)
{
	struct srqpool_pool *pool;
	u64 id;

	for (id = 0; (pool = next_any(id)); id = pool->id + 1, pool_put(pool))
		pool_detach(pool, dev);
}

/*
 * Create, change, delete
 */

static struct srqpool_pool *pool_alloc(const struct srqpool_config *cfg)
{
	struct srqpool_pool *pool = kzalloc(sizeof(*pool), GFP_KERNEL);

	if (!pool)
		return NULL;
	kref_init(&pool->ref);
	pool->id = atomic64_inc_return(&last_id);
	pool->cfg = *cfg;
	pool->budget.max = cfg->budget;
	mutex_init(&pool->mutex);
	pool->state = SRQPOOL_POOL_DETACHED;
	INIT_LIST_HEAD(&pool->users);
	init_waitqueue_head(&pool->wait);
	spin_lock_init(&pool->inst_lock);
	return pool;
}

/* Takes the name. */
static int pool_insert(struct srqpool_pool *pool, struct srqpool_refusal *r)
{
	struct srqpool_pool *other;
	int ret;

	mutex_lock(&pools_mutex);
	other = find_any(pool->cfg.name);
	if (other) {
		pool_put(other);
		ret = policy_refuse(r, -EEXIST, -1, SRQPOOL_A_POOL_NAME,
				    "pool %s exists", pool->cfg.name);
	} else {
		ret = xa_err(xa_store(&pools, pool->id, pool, GFP_KERNEL));
		if (ret)
			policy_refuse(r, ret, -1, 0, "out of memory");
	}
	mutex_unlock(&pools_mutex);
	return ret;
}

static int create_on(struct srqpool_device *dev, struct srqpool_config *cfg,
		     struct srqpool_refusal *r)
{
	struct srqpool_limits lim;
	struct srqpool_pool *pool;
	int ret;

	device_limits(dev, &lim);
	if (!lim.max_srq || !lim.max_srq_wr)
		return policy_refuse(r, -EOPNOTSUPP, -1, SRQPOOL_A_POOL_DEV,
				     "device %s has no shared receive queues",
				     cfg->dev);
	ret = policy_check(cfg, &lim, r);
	if (ret)
		return ret;
	pool = pool_alloc(cfg);
	if (!pool)
		return policy_refuse(r, -ENOMEM, -1, 0, "out of memory");
	pool->limits = lim;
	ret = pool_insert(pool, r);
	if (ret)
		goto put;
	ret = event_add_pool(cfg->name);
	if (ret) {
		policy_refuse(r, ret, -1, 0, "out of memory");
		goto erase;
	}
	ret = pool_attach(pool, dev, r);
	if (ret)
		goto del_events;
	WRITE_ONCE(pool->created, true);
	atomic_inc(&event_generation);
	return 0;

del_events:
	event_del_pool(cfg->name);
erase:
	xa_erase(&pools, pool->id);
put:
	pool_put(pool);
	return ret;
}

/**
 * pool_create - create a pool on its device
 * @cfg: what is asked for; automatic values are filled in
 * @r: out, the refusal or a warning
 *
 * Context: process, sleeps.
 *
 * Return: 0 or a negative errno, see enum srqpool_cmd.
 */
int pool_create(struct srqpool_config *cfg, struct srqpool_refusal *r)
{
	struct srqpool_device *dev;
	int ret;

	if (!policy_name_ok(cfg->name))
		return policy_refuse(r, -EINVAL, -1, SRQPOOL_A_POOL_NAME,
				     "bad pool name: 1 to %d printable characters without '/' and blank",
				     SRQPOOL_NAME_MAX);
	dev = device_get(cfg->dev);
	if (!dev)
		return policy_refuse(r, -ENODEV, -1, SRQPOOL_A_POOL_DEV,
				     "there is no RDMA device %s", cfg->dev);
	ret = create_on(dev, cfg, r);
	device_put(dev);
	return ret;
}

static int check_deletable(struct srqpool_pool *pool, bool force,
			   struct srqpool_refusal *r)
{
	if (pool->state == SRQPOOL_POOL_DELETING)
		return policy_refuse(r, -EBUSY, -1, SRQPOOL_A_POOL_NAME,
				     "pool %s is being deleted", pool->cfg.name);
	if (!force && (pool->nr_users || atomic_read(&pool->conns)))
		return policy_refuse(r, -EBUSY, -1, SRQPOOL_A_POOL_NAME,
				     "pool %s has %u listeners or readers, and %d connections",
				     pool->cfg.name, pool->nr_users,
				     atomic_read(&pool->conns));
	return 0;
}

/**
 * pool_delete - delete a pool
 * @pool: the pool
 * @force: with its listeners and connections
 * @r: out, the refusal
 *
 * Context: process; returns when everything of it is gone.
 *
 * Return: 0 or -EBUSY.
 */
int pool_delete(struct srqpool_pool *pool, bool force, struct srqpool_refusal *r)
{
	struct srqpool_instance *inst;
	int ret;

	mutex_lock(&pool->mutex);
	ret = check_deletable(pool, force, r);
	if (ret) {
		mutex_unlock(&pool->mutex);
		return ret;
	}
	pool->state = SRQPOOL_POOL_DELETING;
	inst = claim_instance(pool);
	mutex_unlock(&pool->mutex);

	if (inst)
		take_down(pool, inst);
	/* The device's removal may have been faster, and still be at it. */
	wait_event(pool->wait, !READ_ONCE(pool->tearing) &&
		   !atomic_read(&pool->nr_attached));
	release_users(pool);
	event_del_pool(pool->cfg.name);
	xa_erase(&pools, pool->id);
	atomic_inc(&event_generation);
	pool_put(pool);
	return 0;
}

static int cannot_change(struct srqpool_refusal *r, int cls, int attr,
			 const char *what)
{
	return policy_refuse(r, -EOPNOTSUPP, cls, attr,
			     "%s of a live pool cannot change", what);
}

/* A ceiling changes only with the SRQ, and that only without connections. */
static int check_ceilings(struct srqpool_pool *pool,
			  const struct srqpool_config *to,
			  struct srqpool_refusal *r)
{
	struct srqpool_instance *inst = pool->inst;
	u64 need;
	u32 i;

	for (i = 0; inst && i < to->shards; i++) {
		need = policy_cqe_needed(to, i) + inst->shards[i].max_credits;
		if (need > inst->shards[i].cqe)
			return policy_refuse(r, -ENOSPC, -1,
					     SRQPOOL_A_POOL_CLASS,
					     "the ceilings need %llu entries of a CQ that was made with %u",
					     need, inst->shards[i].cqe);
	}
	return 0;
}

static int check_fixed(const struct srqpool_config *now,
		       const struct srqpool_config *to, struct srqpool_refusal *r)
{
	u32 i;

	if (strcmp(now->dev, to->dev))
		return cannot_change(r, -1, SRQPOOL_A_POOL_DEV, "the device");
	if (now->shards != to->shards)
		return cannot_change(r, -1, SRQPOOL_A_POOL_SHARDS, "the shards");
	if (now->refill != to->refill)
		return cannot_change(r, -1, SRQPOOL_A_POOL_REFILL,
				     "the refill mode");
	if (now->dedicated != to->dedicated)
		return cannot_change(r, -1, SRQPOOL_A_POOL_DEDICATED,
				     "dedicated");
	for (i = 0; i < now->nr_classes; i++)
		if (now->classes[i].size != to->classes[i].size)
			return policy_refuse(r, -EOPNOTSUPP, -1,
					     SRQPOOL_A_POOL_CLASS,
					     "class %s: the size of a live pool cannot change",
					     now->classes[i].name);
	return 0;
}

/*
 * The new budget is set before it is compared: a growth under way either sees
 * it and stops, or is seen here.
 */
static int set_budget(struct srqpool_pool *pool, u64 budget,
		      struct srqpool_refusal *r)
{
	u64 pinned = atomic64_read(&pool->budget.pinned);

	if (pinned <= budget) {
		WRITE_ONCE(pool->budget.max, budget);
		smp_mb();	/* pairs with the cmpxchg in budget_charge() */
		pinned = atomic64_read(&pool->budget.pinned);
	}
	if (pinned > budget) {
		WRITE_ONCE(pool->budget.max, pool->cfg.budget);
		return policy_refuse(r, -ENOSPC, -1, SRQPOOL_A_POOL_BUDGET,
				     "%llu bytes are pinned, the budget cannot be %llu",
				     pinned, budget);
	}
	pool->cfg.budget = budget;
	return 0;
}

/* All of it is possible; the budget, which can still fail, is set already. */
static int check_change(struct srqpool_pool *pool, struct srqpool_config *to,
			struct srqpool_refusal *r)
{
	int ret;

	ret = check_fixed(&pool->cfg, to, r);
	if (ret)
		return ret;
	ret = policy_check(to, &pool->limits, r);
	if (ret)
		return ret;
	ret = check_ceilings(pool, to, r);
	if (ret)
		return ret;
	return set_budget(pool, to->budget, r);
}

/**
 * pool_set - change a pool: all of it or nothing
 * @pool: the pool
 * @edit: makes the changes in a copy of its configuration
 * @context: for @edit
 * @r: out, the refusal or a warning
 *
 * Context: process, sleeps.
 *
 * Return: 0; what @edit returned; -EINVAL for an impossible value, -ENOSPC for
 * a budget below what is pinned, -EBUSY for another ceiling of a class with
 * connections, -EOPNOTSUPP for what a live pool cannot change.
 */
int pool_set(struct srqpool_pool *pool, pool_edit_t edit, void *context,
	     struct srqpool_refusal *r)
{
	struct srqpool_config to;
	u64 budget;
	int ret;

	mutex_lock(&pool->mutex);
	to = pool->cfg;
	budget = to.budget;
	ret = edit(&to, context, r);
	if (ret)
		goto unlock;
	ret = check_change(pool, &to, r);
	if (ret)
		goto unlock;
	if (pool->inst)
		ret = instance_set(pool->inst, &to, r);
	if (ret)
		set_budget(pool, budget, r);
	else
		pool->cfg = to;
unlock:
	mutex_unlock(&pool->mutex);
	return ret;
}

static const struct srqpool_device_ops pool_device_ops = {
	.added = device_added,
	.removed = device_removed,
	.srq_event = queue_device_event,
};

int pool_init(void)
{
	int ret = conn_init();

	if (ret)
		return ret;
	ret = instance_init(&delivery_ops);
	if (ret)
		goto exit_conn;
	ret = keepalive_init();
	if (ret)
		goto exit_instance;
	ret = device_init(&pool_device_ops);
	if (ret)
		goto exit_keepalive;
	return 0;

exit_keepalive:
	keepalive_exit();
exit_instance:
	instance_exit();
exit_conn:
	conn_exit();
	return ret;
}

/* Nobody can create pools any more. */
void pool_exit(void)
{
	struct srqpool_refusal r = {};
	struct srqpool_pool *pool;

	while ((pool = next_any(0))) {
		pool_delete(pool, true, &r);
		pool_put(pool);
	}
	device_exit();
	keepalive_exit();
	instance_exit();
	conn_exit();
}
