// SPDX-License-Identifier: GPL-2.0
#include <linux/slab.h>
#include <linux/xarray.h>
#include <net/net_namespace.h>
#include "accept.h"
#include "consumer.h"
#include "event.h"
#include "listener.h"

/* Ignored on InfiniBand and RoCE; iWARP takes it as the limit of pending. */
#define LISTEN_BACKLOG	1024
/* An address can come back after its device. */
#define LISTEN_RETRY	HZ

static DEFINE_XARRAY(listeners);
static struct workqueue_struct *listen_wq;
static atomic64_t last_id;

static const struct accept_consumer * const consumers[] = {
	[SRQPOOL_MODE_SINK] = &consumer_sink,
	[SRQPOOL_MODE_ECHO] = &consumer_echo,
	[SRQPOOL_MODE_DELIVER] = &consumer_deliver,
};

static struct srqpool_listener *from_user(struct pool_user *user)
{
	return container_of(user, struct srqpool_listener, user);
}

void listener_put(struct srqpool_listener *l)
{
	pool_user_put(&l->user);
}

/**
 * listener_get - find a listener
 * @id: its id
 *
 * Return: the listener with a reference, or NULL.
 */
struct srqpool_listener *listener_get(u64 id)
{
	struct srqpool_listener *l;

	xa_lock(&listeners);
	l = xa_load(&listeners, id);
	if (l && READ_ONCE(l->created))
		kref_get(&l->user.ref);
	else
		l = NULL;
	xa_unlock(&listeners);
	return l;
}

/**
 * listener_next - walk the listeners
 * @id: id to start at
 *
 * Return: the first listener from there on, with a reference, or NULL.
 */
struct srqpool_listener *listener_next(u64 id)
{
	struct srqpool_listener *l;
	unsigned long index = id;

	xa_lock(&listeners);
	do {
		l = xa_find(&listeners, &index, ULONG_MAX, XA_PRESENT);
		index++;
	} while (l && !READ_ONCE(l->created));
	if (l)
		kref_get(&l->user.ref);
	xa_unlock(&listeners);
	return l;
}

/* Does the peer say how large its messages are? */
static bool is_announced(const struct rdma_conn_param *param, u32 *max)
{
	struct srqpool_connect_data data;

	if (param->private_data_len < sizeof(data))
		return false;
	memcpy(&data, param->private_data, sizeof(data));
	*max = be32_to_cpu(data.max_message);
	return data.magic == cpu_to_be32(SRQPOOL_CONNECT_MAGIC) &&
	       data.version == cpu_to_be16(SRQPOOL_CONNECT_VERSION);
}

static int listener_cm_event(struct rdma_cm_id *id, struct rdma_cm_event *ev)
{
	struct srqpool_listener *l = id->context;
	int class = l->class;
	u32 max = 0;

	if (ev->event == RDMA_CM_EVENT_ADDR_CHANGE)
		mod_delayed_work(listen_wq, &l->listen, 0);
	if (ev->event != RDMA_CM_EVENT_CONNECT_REQUEST)
		return 0;
	if (is_announced(&ev->param.conn, &max))
		class = policy_class_for(&l->inst->cfg, max);
	if (class < 0)
		return accept_reject(id, "no class holds messages of that size");
	return accept_request(&l->group, l->inst, class, l->consumer, max, id,
			      &ev->param.conn);
}

static int refuse_bind(struct srqpool_listener *l, int err,
		       struct srqpool_refusal *r)
{
	struct sockaddr_storage *addr = &l->cfg.addr;

	if (err == -EADDRINUSE)
		return policy_refuse(r, err, -1, SRQPOOL_A_LISTENER_PORT,
				     "%pISpc is in use", addr);
	if (err == -ENODEV || err == -EADDRNOTAVAIL)
		return policy_refuse(r, -EADDRNOTAVAIL, -1,
				     SRQPOOL_A_LISTENER_ADDR,
				     "%pISc is not an address of an RDMA device here",
				     addr);
	return policy_refuse(r, err, -1, SRQPOOL_A_LISTENER_ADDR,
			     "cannot listen on %pISpc (error %d)", addr, err);
}

static int bind_and_listen(struct srqpool_listener *l, struct rdma_cm_id *id,
			   struct srqpool_refusal *r)
{
	struct sockaddr *addr = (struct sockaddr *)&l->cfg.addr;
	struct ib_device *ibdev = l->inst->dev->ibdev;
	int ret;

	if (addr->sa_family == AF_INET6)
		rdma_set_afonly(id, 1);
	ret = rdma_bind_addr(id, addr);
	if (ret)
		return refuse_bind(l, ret, r);
	if (id->device != ibdev)
		return policy_refuse(r, -EADDRNOTAVAIL, -1,
				     SRQPOOL_A_LISTENER_ADDR,
				     "%pISc is not an address of device %s, which the pool is on",
				     addr, dev_name(&ibdev->dev));
	ret = rdma_listen(id, LISTEN_BACKLOG);
	if (ret)
		return refuse_bind(l, ret, r);
	return 0;
}

/*
 * A cm_id that does not listen is not kept: it may be bound to another device,
 * whose removal would wait for it.
 */
static int listener_listen(struct srqpool_listener *l, struct srqpool_refusal *r)
{
	struct rdma_cm_id *id;
	int ret;

	id = rdma_create_id(&init_net, listener_cm_event, l, RDMA_PS_TCP,
			    IB_QPT_RC);
	if (IS_ERR(id))
		return policy_refuse(r, PTR_ERR(id), -1, 0,
				     "no cm_id could be created (error %ld)",
				     PTR_ERR(id));
	ret = bind_and_listen(l, id, r);
	if (ret) {
		rdma_destroy_id(id);
		return ret;
	}
	l->cm_id = id;
	WRITE_ONCE(l->listened, true);
	return 0;
}

static void listener_deafen(struct srqpool_listener *l)
{
	if (l->cm_id)
		rdma_destroy_id(l->cm_id);
	l->cm_id = NULL;
}

static void listen_again_later(struct srqpool_listener *l)
{
	queue_delayed_work(listen_wq, &l->listen, LISTEN_RETRY);
}

/* Its address moved to another port, or was not there. */
static void listen_work(struct work_struct *work)
{
	struct srqpool_listener *l = container_of(to_delayed_work(work),
						  struct srqpool_listener,
						  listen);
	struct srqpool_refusal r = { .cls = -1 };
	bool listened = l->cm_id;

	if (READ_ONCE(l->leaving))
		return;
	listener_deafen(l);
	if (!listener_listen(l, &r))
		return;
	listen_again_later(l);
	if (listened)
		event_raise(SRQPOOL_EVENT_ERROR, l->user.pool->cfg.name, NULL,
			    EVENT_NO_SHARD, 0, "%s", r.text);
}

static int listener_attach(struct pool_user *user, struct srqpool_instance *inst,
			   struct srqpool_refusal *r)
{
	struct srqpool_listener *l = from_user(user);
	int ret;

	instance_get(inst);
	l->inst = inst;
	WRITE_ONCE(l->leaving, false);
	conn_group_open(&l->group);
	ret = listener_listen(l, r);
	/* One that was there before the device went waits for its address. */
	if (ret && READ_ONCE(l->listened))
		listen_again_later(l);
	return ret;
}

static void listener_shut(struct pool_user *user)
{
	conn_group_shut(&from_user(user)->group);
}

static void listener_detach(struct pool_user *user)
{
	struct srqpool_listener *l = from_user(user);

	conn_group_shut(&l->group);
	WRITE_ONCE(l->leaving, true);
	cancel_delayed_work_sync(&l->listen);
	listener_deafen(l);
	/* What its last event has queued finds that it leaves. */
	cancel_delayed_work_sync(&l->listen);
	conn_group_close(&l->group, "the listener closed");
	instance_put(l->inst);
	l->inst = NULL;
}

static void listener_forget(struct pool_user *user)
{
	xa_erase(&listeners, from_user(user)->id);
	atomic_inc(&event_generation);
}

static void listener_free(struct pool_user *user)
{
	kfree(from_user(user));
}

static const struct pool_user_ops listener_user_ops = {
	.attach = listener_attach,
	.shut = listener_shut,
	.detach = listener_detach,
	.forget = listener_forget,
	.free = listener_free,
};

static bool is_wildcard(const struct sockaddr_storage *addr)
{
	if (addr->ss_family == AF_INET6)
		return ipv6_addr_any(&((struct sockaddr_in6 *)addr)->sin6_addr);
	return !((struct sockaddr_in *)addr)->sin_addr.s_addr;
}

static void warn_few_buffers(struct srqpool_listener *l,
			     struct srqpool_refusal *r)
{
	u32 ceiling = l->user.pool->cfg.classes[l->class].ceiling;

	if (ceiling < l->cfg.max_conns)
		policy_warn(r, "class %s has at most %u buffers for up to %u connections: peers that stop in mid-message can take them all",
			    l->user.pool->cfg.classes[l->class].name, ceiling,
			    l->cfg.max_conns);
}

/**
 * listener_create - accept connections for a pool
 * @pool: the pool
 * @cfg: what is asked for
 * @id: out, the listener's id
 * @r: out, the refusal or a warning
 *
 * Context: process, sleeps.
 *
 * Return: 0 or a negative errno, see enum srqpool_cmd.
 */
int listener_create(struct srqpool_pool *pool, const struct listener_config *cfg,
		    u64 *id, struct srqpool_refusal *r)
{
	int class = cfg->class[0] ? pool_class(pool, cfg->class) : 0;
	struct srqpool_listener *l;
	int ret;

	if (class < 0)
		return policy_refuse(r, class, -1, SRQPOOL_A_LISTENER_CLASS,
				     "pool %s has no class %s", pool->cfg.name,
				     cfg->class);
	if (is_wildcard(&cfg->addr))
		return policy_refuse(r, -EINVAL, -1, SRQPOOL_A_LISTENER_ADDR,
				     "an address of the pool's device is needed, not the wildcard");
	l = kzalloc(sizeof(*l), GFP_KERNEL);
	if (!l)
		return policy_refuse(r, -ENOMEM, -1, 0, "out of memory");
	kref_get(&pool->ref);
	pool_user_init(&l->user, pool, &listener_user_ops);
	INIT_DELAYED_WORK(&l->listen, listen_work);
	l->id = atomic64_inc_return(&last_id);
	l->cfg = *cfg;
	l->class = class;
	l->consumer = consumers[cfg->mode];
	conn_group_init(&l->group, l->id, cfg->max_conns, &pool->conns);

	ret = xa_err(xa_store(&listeners, l->id, l, GFP_KERNEL));
	if (ret) {
		policy_refuse(r, ret, -1, 0, "out of memory");
		goto put;
	}
	ret = pool_add_user(&l->user, r);
	if (ret)
		goto put;
	*id = l->id;
	WRITE_ONCE(l->created, true);
	atomic_inc(&event_generation);
	warn_few_buffers(l, r);
put:
	listener_put(l);
	return ret;
}

/**
 * listener_delete - stop listening and close what was accepted
 * @l: the listener
 * @r: out, the refusal
 *
 * Context: process; returns when its connections are gone.
 *
 * Return: 0, or -ENOENT if somebody else deletes it already.
 */
int listener_delete(struct srqpool_listener *l, struct srqpool_refusal *r)
{
	if (atomic_xchg(&l->deleting, 1))
		return policy_refuse(r, -ENOENT, -1, SRQPOOL_A_LISTENER_ID,
				     "listener %llu is being deleted", l->id);
	pool_del_user(&l->user);
	return 0;
}

int listener_init(void)
{
	listen_wq = alloc_workqueue("srqpool_listen", WQ_UNBOUND, 0);
	return listen_wq ? 0 : -ENOMEM;
}

void listener_exit(void)
{
	destroy_workqueue(listen_wq);
	xa_destroy(&listeners);
}
