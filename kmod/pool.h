/* SPDX-License-Identifier: GPL-2.0 */
/* pool: the life of pools, and their coming and going with the device. */
#ifndef SRQPOOL_POOL_H
#define SRQPOOL_POOL_H

#include <linux/kref.h>
#include <linux/mutex.h>
#include <linux/wait.h>
#include "instance.h"

struct pool_user;

/**
 * struct pool_user_ops - something that lives on a pool
 * @attach: the pool is on its device: start. Process context, under the
 *	pool's mutex. On failure @detach follows
 * @shut: take no new connections. Under the pool's mutex
 * @detach: stop, close the connections, wait until they are gone. Process
 *	context, no lock held. Once for each @attach
 * @forget: the pool does not know it any more. Process context; may be NULL
 * @free: the last reference is gone. Any context that pool_user_put() is
 *	called from
 */
struct pool_user_ops {
	int (*attach)(struct pool_user *user, struct srqpool_instance *inst,
		      struct srqpool_refusal *r);
	void (*shut)(struct pool_user *user);
	void (*detach)(struct pool_user *user);
	void (*forget)(struct pool_user *user);
	void (*free)(struct pool_user *user);
};

/**
 * struct pool_user - embedded in what lives on a pool
 * @ref: the creator's, the pool's while it lives on it, and others'
 * @pool: referenced
 * @node: the pool's list
 * @ops: what it can do
 * @attached: attach was called and nobody has begun to detach
 */
struct pool_user {
	struct kref ref;
	struct srqpool_pool *pool;
	struct list_head node;
	const struct pool_user_ops *ops;
	bool attached;
};

/**
 * struct srqpool_pool - a pool
 * @ref: one until it is deleted, one for each look
 * @id: for users
 * @guid: node GUID of its device
 * @limits: of the machine, when the pool was created
 * @budget: bytes pinned and allowed
 * @conns: connections
 * @mutex: everything below, and @cfg
 * @cfg: as asked for and changed since
 * @created: visible
 * @state: enum srqpool_pool_state
 * @users: listeners
 * @nr_users: length of @users
 * @nr_attached: users attached, or being detached
 * @tearing: somebody takes the instance down
 * @wait: woken when @nr_attached or @tearing falls to 0
 * @carried: counters of earlier instances
 * @base: counters at the last reset
 * @rnr_base: RNR NAKs of the device then
 * @leaving: the instance that is being taken down, for its counters
 * @inst_lock: @inst
 * @inst: what it has on its device; NULL while detached
 */
struct srqpool_pool {
	struct kref ref;
	u64 id;
	__be64 guid;
	struct srqpool_limits limits;
	struct srqpool_budget budget;
	atomic_t conns;
	struct mutex mutex;	/* see above */
	struct srqpool_config cfg;
	bool created;
	enum srqpool_pool_state state;
	struct list_head users;
	u32 nr_users;
	atomic_t nr_attached;
	bool tearing;
	wait_queue_head_t wait;
	struct srqpool_totals carried;
	struct srqpool_totals base;
	u64 rnr_base;
	struct srqpool_instance *leaving;
	spinlock_t inst_lock;	/* see above */
	struct srqpool_instance *inst;
};

/* Changes a copy of a pool's configuration; returns 0 or a negative errno. */
typedef int (*pool_edit_t)(struct srqpool_config *cfg, void *context,
			   struct srqpool_refusal *r);

int pool_init(void);
void pool_exit(void);

int pool_create(struct srqpool_config *cfg, struct srqpool_refusal *r);
int pool_delete(struct srqpool_pool *pool, bool force,
		struct srqpool_refusal *r);
int pool_set(struct srqpool_pool *pool, pool_edit_t edit, void *context,
	     struct srqpool_refusal *r);
void pool_reset(struct srqpool_pool *pool);

struct srqpool_pool *pool_get(const char *name);
struct srqpool_pool *pool_next(u64 id);
void pool_put(struct srqpool_pool *pool);
struct srqpool_instance *pool_instance(struct srqpool_pool *pool);
int pool_class(struct srqpool_pool *pool, const char *name);
void pool_config(struct srqpool_pool *pool, struct srqpool_config *cfg,
		 enum srqpool_pool_state *state);
void pool_totals(struct srqpool_pool *pool, struct srqpool_totals *sum);
bool pool_rnr_naks(struct srqpool_pool *pool, u64 *naks);

void pool_user_init(struct pool_user *user, struct srqpool_pool *pool,
		    const struct pool_user_ops *ops);
void pool_user_put(struct pool_user *user);
int pool_add_user(struct pool_user *user, struct srqpool_refusal *r);
void pool_del_user(struct pool_user *user);

#endif /* SRQPOOL_POOL_H */
