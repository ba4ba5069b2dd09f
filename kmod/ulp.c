// SPDX-License-Identifier: GPL-2.0
/* The API for other modules; see include/srqpool.h. */
#include <linux/module.h>
#include <linux/slab.h>
#include "delivery.h"
#include "holder.h"
#include "keepalive.h"
#include "pool.h"

/**
 * struct srqpool_client - a module that receives from a pool
 * @user: on the pool
 * @ops: who gets its messages
 * @inst_lock: @inst
 * @inst: the pool on its device, while attached
 * @holder: the module
 * @group: its connections
 */
struct srqpool_client {
	struct pool_user user;
	const struct srqpool_ops *ops;
	spinlock_t inst_lock;	/* see above */
	struct srqpool_instance *inst;
	struct conn_group group;
	struct srqpool_holder holder;
};

static struct srqpool_client *from_user(struct pool_user *user)
{
	return container_of(user, struct srqpool_client, user);
}

static void client_free(struct pool_user *user)
{
	kfree(from_user(user));
}

static struct srqpool_instance *set_inst(struct srqpool_client *client,
					 struct srqpool_instance *inst)
{
	spin_lock(&client->inst_lock);
	swap(client->inst, inst);
	spin_unlock(&client->inst_lock);
	return inst;
}

static int client_attach(struct pool_user *user, struct srqpool_instance *inst,
			 struct srqpool_refusal *r)
{
	struct srqpool_client *client = from_user(user);

	instance_get(inst);
	set_inst(client, inst);
	conn_group_open(&client->group);
	return 0;
}

static void client_shut(struct pool_user *user)
{
	conn_group_shut(&from_user(user)->group);
}

static void client_detach(struct pool_user *user)
{
	struct srqpool_client *client = from_user(user);

	conn_group_shut(&client->group);
	conn_group_close(&client->group, "the pool is taken off its device");
	instance_put(set_inst(client, NULL));
}

static const struct pool_user_ops client_ops = {
	.attach = client_attach,
	.shut = client_shut,
	.detach = client_detach,
	.free = client_free,
};

/**
 * srqpool_open_by - become a user of a pool; use srqpool_open()
 * @name: of the pool
 * @ops: who gets the messages; outlives the client
 * @module: name of the caller, for those who want to unload this module
 *
 * A pool with a user is deleted only by force. When its device goes, the
 * connections are revoked; when it comes back, new ones can be attached.
 *
 * Context: process, sleeps.
 *
 * Return: the client; -ENOENT without such a pool, -EBUSY while it is not on
 * its device, -ENOMEM.
 */
struct srqpool_client *srqpool_open_by(const char *name,
				       const struct srqpool_ops *ops,
				       const char *module)
{
	struct srqpool_pool *pool = pool_get(name);
	struct srqpool_refusal r = { .cls = -1 };
	struct srqpool_client *client;
	int ret;

	if (!pool)
		return ERR_PTR(-ENOENT);
	client = kzalloc(sizeof(*client), GFP_KERNEL);
	if (!client) {
		pool_put(pool);
		return ERR_PTR(-ENOMEM);
	}
	pool_user_init(&client->user, pool, &client_ops);
	client->ops = ops;
	spin_lock_init(&client->inst_lock);
	conn_group_init(&client->group, 0, U32_MAX, &pool->conns);
	ret = pool_add_user(&client->user, &r);
	if (!ret) {
		holder_add(&client->holder, module);
		holder_attached(&client->holder, name, pool->cfg.dev);
		return client;
	}
	pool_user_put(&client->user);
	return ERR_PTR(ret);
}
EXPORT_SYMBOL_GPL(srqpool_open_by);

/**
 * srqpool_close - end the use of a pool
 * @client: not to be used any more
 *
 * Its messages can still be given back.
 *
 * Context: process, sleeps until its connections were revoked and @ops->revoke
 * has returned for each.
 */
void srqpool_close(struct srqpool_client *client)
{
	pool_del_user(&client->user);
	holder_del(&client->holder);
	pool_user_put(&client->user);
}
EXPORT_SYMBOL_GPL(srqpool_close);

static void revoke(struct srqpool_conn *conn)
{
	conn->ops->revoke(conn);
	conn_gone(conn);
}

static struct srqpool_instance *get_inst(struct srqpool_client *client)
{
	struct srqpool_instance *inst;

	spin_lock(&client->inst_lock);
	inst = client->inst;
	if (inst)
		instance_get(inst);
	spin_unlock(&client->inst_lock);
	return inst;
}

/**
 * srqpool_attach - make a connection, before its QP is created
 * @client: the client
 * @class: name of the class it draws from, NULL for the pool's first
 * @context: for srqpool_context()
 * @attr: attributes of the QP to come, of the pool's device; receive CQ, SRQ and
 *	event handler are filled in. An event handler that was given is called
 *	too, with its own context. Without a send CQ, all that concerns sends is
 *	filled in, and only srqpool_send() sends
 *
 * Context: process, sleeps.
 *
 * Return: the connection; -ENOENT without such a class, -ENODEV while the pool
 * is not on its device, -EAGAIN if it cannot take one now.
 */
struct srqpool_conn *srqpool_attach(struct srqpool_client *client,
				    const char *class, void *context,
				    struct ib_qp_init_attr *attr)
{
	int index = class ? pool_class(client->user.pool, class) : 0;
	struct srqpool_instance *inst;
	struct srqpool_conn *conn;
	const char *refused;

	if (index < 0)
		return ERR_PTR(index);
	inst = get_inst(client);
	if (!inst)
		return ERR_PTR(-ENODEV);
	conn = conn_attach(&client->group, inst, index, client->ops, revoke,
			   context, attr, &refused);
	instance_put(inst);
	if (!conn)
		return ERR_PTR(-EAGAIN);
	keepalive_start();
	return conn;
}
EXPORT_SYMBOL_GPL(srqpool_attach);

/**
 * srqpool_attach_qp - the QP is created
 * @conn: attached
 * @qp: made with the attributes of srqpool_attach(), not in a state yet in
 *	which it receives
 *
 * Context: process, sleeps; not while @ops->revoke runs.
 *
 * Return: 0, or a negative errno: the connection is then to be given up with
 * srqpool_disconnect().
 */
int srqpool_attach_qp(struct srqpool_conn *conn, struct ib_qp *qp)
{
	int ret = conn_attach_qp(conn, qp);

	if (!ret)
		conn_established(conn);
	return ret;
}
EXPORT_SYMBOL_GPL(srqpool_attach_qp);

/**
 * srqpool_disconnect - have a connection revoked
 * @conn: attached
 *
 * Context: any.
 */
void srqpool_disconnect(struct srqpool_conn *conn)
{
	conn_close(conn, "its module closed it");
}
EXPORT_SYMBOL_GPL(srqpool_disconnect);

/**
 * srqpool_detach_begin - wait for what a QP in the error state still completes
 * @conn: being revoked
 *
 * After it no message is delivered.
 *
 * Context: @ops->revoke; bounded by about a second.
 */
void srqpool_detach_begin(struct srqpool_conn *conn)
{
	conn_detach_begin(conn);
	conn_drained(conn);
}
EXPORT_SYMBOL_GPL(srqpool_detach_begin);

/**
 * srqpool_detach_end - the end of a connection
 * @conn: its QP is destroyed; not to be used any more. Messages that came on it
 *	can be kept
 *
 * Context: @ops->revoke; bounded by what the CQ can hold.
 */
void srqpool_detach_end(struct srqpool_conn *conn)
{
	conn_detach_end(conn);
}
EXPORT_SYMBOL_GPL(srqpool_detach_end);

/**
 * srqpool_give_back - give a received message back
 * @msg: from @ops->recv, or by now the consumer's
 *
 * Also when its connection, its client, its pool or its device is gone.
 *
 * Context: any; cheapest in @ops->recv.
 */
void srqpool_give_back(struct srqpool_msg *msg)
{
	struct srqpool_shard *shard = msg->conn->shard;
	struct srqpool_buf *buf = buffer_of(msg);

	if (shard_in_poller(shard))
		conn_give_back(buf);
	else
		shard_put(shard, SHARD_RETURNED, &buf->box);
}
EXPORT_SYMBOL_GPL(srqpool_give_back);

/**
 * srqpool_send - send the content of a received message back to its peer, with
 *	immediate data if its flags say so
 * @msg: from @ops->recv, not given back: it is when the send is done. Its
 *	connection was attached without a send CQ
 * @len: bytes of it
 *
 * Context: any, before @ops->revoke; cheapest in @ops->recv. It waits for room
 * in the send queue, in order.
 */
void srqpool_send(struct srqpool_msg *msg, u32 len)
{
	struct srqpool_shard *shard = msg->conn->shard;
	struct srqpool_buf *buf = buffer_of(msg);

	msg->len = len;
	if (WARN_ON_ONCE(!msg->conn->pool_sends))
		srqpool_give_back(msg);
	else if (shard_in_poller(shard))
		conn_send(buf);
	else
		shard_put(shard, SHARD_OUTGOING, &buf->box);
}
EXPORT_SYMBOL_GPL(srqpool_send);

static void sync_data(struct srqpool_buf *buf, u32 len)
{
	buffer_data(buf->msg.conn->inst->dev->ibdev, buf, len);
}

/**
 * srqpool_data - look at a message
 * @msg: from @ops->recv, not given back
 * @len: bytes that are looked at
 *
 * Context: any.
 *
 * Return: the bytes; not to be written.
 */
const void *srqpool_data(struct srqpool_msg *msg, u32 len)
{
	struct srqpool_shard *shard = msg->conn->shard;
	struct srqpool_buf *buf = buffer_of(msg);
	unsigned long flags;

	/* It is unmapped under the lock, and RCU is waited for before. */
	rcu_read_lock();
	if (!READ_ONCE(shard->dead)) {
		sync_data(buf, len);
	} else {
		spin_lock_irqsave(&shard->late_lock, flags);
		if (!buf->slab->kept)
			sync_data(buf, len);
		spin_unlock_irqrestore(&shard->late_lock, flags);
	}
	rcu_read_unlock();
	return buf->data;
}
EXPORT_SYMBOL_GPL(srqpool_data);

/* What srqpool_attach() was given. */
void *srqpool_context(struct srqpool_conn *conn)
{
	return conn->context;
}
EXPORT_SYMBOL_GPL(srqpool_context);

/* The PD to create the QP on. */
struct ib_pd *srqpool_pd(struct srqpool_conn *conn)
{
	return conn->inst->mem.pd;
}
EXPORT_SYMBOL_GPL(srqpool_pd);
