// SPDX-License-Identifier: GPL-2.0
#include <linux/slab.h>
#include "reader.h"
#include "records.h"
#include "rings.h"

/* Connections that are closed and whose end a reader has not read. */
#define READER_BEHIND	4096
/* Readers that are asked to take a connection. */
#define ADOPT_TRIES	16

/* Those that are open, the one that had a connection last at the end. */
static LIST_HEAD(readers);
static DEFINE_SPINLOCK(readers_lock);

/*
 * Its connections
 */

/* The one whose turn it is, open just now, with a reference; or NULL. */
static struct srqpool_reader *next_reader(const struct srqpool_instance *inst)
{
	struct srqpool_reader *reader;

	spin_lock(&readers_lock);
	list_for_each_entry(reader, &readers, node) {
		if (reader->inst != inst || !READ_ONCE(reader->open))
			continue;
		list_move_tail(&reader->node, &readers);
		kref_get(&reader->user.ref);
		spin_unlock(&readers_lock);
		return reader;
	}
	spin_unlock(&readers_lock);
	return NULL;
}

static struct reader_conn *conn_alloc(struct srqpool_reader *reader,
				      struct srqpool_conn *conn)
{
	struct reader_conn *rc = kzalloc(sizeof(*rc), GFP_KERNEL);
	u32 size = conn->queue->cls.size;

	if (!rc)
		return NULL;
	kref_init(&rc->ref);
	kref_get(&reader->user.ref);
	rc->reader = reader;
	rc->number = conn->number;
	rc->class = conn->queue - instance_queue(conn->inst, conn->shard->index, 0);
	rc->max_send = conn->announced ? min(conn->announced, size) : size;
	rc->conn = conn;
	rc->open = true;
	rc->outlet = reader->entries ?
		     rings_outlet(reader, conn->shard->index) :
		     &reader->outlet;
	INIT_LIST_HEAD(&rc->msgs);
	INIT_LIST_HEAD(&rc->ready);
	INIT_LIST_HEAD(&rc->hungry);
	return rc;
}

static bool may_adopt(const struct srqpool_reader *reader)
{
	return reader->open &&
	       reader->nr_known - reader->nr_conns < READER_BEHIND;
}

/* Returns -EAGAIN if the reader takes none. */
static int adopt(struct srqpool_reader *reader, struct srqpool_conn *conn)
{
	struct reader_conn *rc;
	int ret;

	ret = xa_reserve(&reader->conns, conn->number, GFP_KERNEL);
	if (ret)
		return ret;
	rc = conn_alloc(reader, conn);
	ret = -ENOMEM;
	if (!rc)
		goto release;
	spin_lock(&reader->lock);
	ret = -EAGAIN;
	if (may_adopt(reader)) {
		kref_get(&rc->ref);
		xa_store(&reader->conns, rc->number, rc, 0);
		reader->nr_known++;
		reader->nr_conns++;
		reader->stats.conns++;
		conn->context = rc;
		ret = 0;
	}
	spin_unlock(&reader->lock);
	if (!ret)
		return 0;
	reader_conn_put(rc);
release:
	xa_release(&reader->conns, conn->number);
	return ret;
}

/**
 * reader_adopt - give a connection to one of the readers of its pool
 * @conn: its context becomes a struct reader_conn
 *
 * Context: process, sleeps.
 *
 * Return: NULL, or why not.
 */
const char *reader_adopt(struct srqpool_conn *conn)
{
	struct srqpool_reader *reader;
	int ret = -EAGAIN, tries;

	for (tries = 0; ret == -EAGAIN && tries < ADOPT_TRIES; tries++) {
		reader = next_reader(conn->inst);
		if (!reader)
			return "no program reads from the pool";
		ret = adopt(reader, conn);
		reader_put(reader);
	}
	if (ret == -EAGAIN)
		return "the programs that read from the pool are behind";
	return ret ? "out of memory" : NULL;
}

/**
 * reader_mute - send nothing to a connection any more
 * @rc: the connection
 *
 * Context: process.
 */
void reader_mute(struct reader_conn *rc)
{
	struct srqpool_reader *reader = rc->reader;

	spin_lock(&reader->lock);
	rc->open = false;
	list_del_init(&rc->hungry);
	spin_unlock(&reader->lock);
}

/**
 * reader_forget - a connection is closed
 * @rc: not the connection's any more; the reader is told, if it knows it
 *
 * Context: process.
 */
void reader_forget(struct reader_conn *rc)
{
	struct srqpool_reader *reader = rc->reader;
	bool was_known;

	spin_lock(&reader->lock);
	rc->conn = NULL;
	records_tell(rc, SRQPOOL_RECORD_DOWN);
	was_known = !rc->known && reader_conn_erase(rc);
	if (!--reader->nr_conns)
		wake_up_all(&reader->idle);
	spin_unlock(&reader->lock);
	if (was_known)
		reader_conn_put(rc);
	reader_conn_put(rc);
}

/**
 * reader_hang_up - close a connection
 * @reader: the reader
 * @number: of the connection
 *
 * Context: process.
 *
 * Return: 0, or -ENOTCONN if it is not one of the reader's, or closed.
 */
int reader_hang_up(struct srqpool_reader *reader, u64 number)
{
	struct reader_conn *rc;
	int ret = -ENOTCONN;

	spin_lock(&reader->lock);
	rc = xa_load(&reader->conns, number);
	if (rc && rc->open) {
		conn_close(rc->conn, "its reader closed it");
		ret = 0;
	}
	spin_unlock(&reader->lock);
	return ret;
}

/*
 * Its end. It is final: a pool that comes back has new readers.
 */

static bool set_inst(struct srqpool_reader *reader,
		     struct srqpool_instance *inst)
{
	bool was;

	spin_lock(&readers_lock);
	was = reader->inst;
	reader->inst = inst;
	if (inst)
		list_add_tail(&reader->node, &readers);
	else
		list_del_init(&reader->node);
	spin_unlock(&readers_lock);
	return was;
}

static void shut(struct srqpool_reader *reader)
{
	spin_lock(&reader->lock);
	reader->open = false;
	spin_unlock(&reader->lock);
}

/* Gives back what it has, and closes its connections. */
static void kill(struct srqpool_reader *reader)
{
	struct reader_conn *rc;
	unsigned long number;
	LIST_HEAD(msgs);

	spin_lock(&reader->lock);
	reader->open = false;
	rings_kill(reader, &msgs);
	/* The rings say so before poll() does. */
	smp_store_release(&reader->dead, true);
	list_splice_init(&reader->copying, &msgs);
	xa_for_each(&reader->conns, number, rc) {
		list_splice_init(&rc->msgs, &msgs);
		list_del_init(&rc->ready);
		list_del_init(&rc->hungry);
		if (rc->conn)
			conn_close(rc->conn, "its reader is gone");
	}
	spin_unlock(&reader->lock);
	wake_up_all(&reader->wait);
	records_drop(&msgs);
}

static bool is_idle(struct srqpool_reader *reader)
{
	bool idle;

	spin_lock(&reader->lock);
	idle = !reader->nr_conns && !reader->nr_sends;
	spin_unlock(&reader->lock);
	return idle;
}

static void empty_table(struct srqpool_reader *reader)
{
	unsigned long number = 0;
	struct reader_conn *rc;

	do {
		spin_lock(&reader->lock);
		rc = xa_find(&reader->conns, &number, ULONG_MAX, XA_PRESENT);
		if (rc)
			reader_conn_erase(rc);
		spin_unlock(&reader->lock);
		if (rc)
			reader_conn_put(rc);
	} while (rc);
}

static struct srqpool_reader *from_user(struct pool_user *user)
{
	return container_of(user, struct srqpool_reader, user);
}

static int user_attach(struct pool_user *user, struct srqpool_instance *inst,
		       struct srqpool_refusal *r)
{
	struct srqpool_reader *reader = from_user(user);
	int ret;
	u32 i;

	if (reader->dead)
		return 0;
	ret = reader->entries ? rings_create(reader, inst) : 0;
	if (ret) {
		/* It is not to be tried again. */
		WRITE_ONCE(reader->dead, true);
		return ret;
	}
	instance_get(inst);
	for (i = 0; i < inst->cfg.nr_classes; i++)
		sends_init(&reader->sends[i], &inst->mem,
			   inst->cfg.classes[i].size);
	spin_lock(&reader->lock);
	reader->open = true;
	spin_unlock(&reader->lock);
	rings_start(reader);
	set_inst(reader, inst);
	return 0;
}

static void user_shut(struct pool_user *user)
{
	shut(from_user(user));
}

static void user_detach(struct pool_user *user)
{
	struct srqpool_reader *reader = from_user(user);
	struct srqpool_instance *inst = reader->inst;
	u32 i;

	if (!set_inst(reader, NULL))
		return;
	kill(reader);
	wait_event(reader->idle, is_idle(reader));
	rings_stop(reader);
	empty_table(reader);
	for (i = 0; i < SRQPOOL_CLASSES_MAX; i++)
		sends_destroy(&reader->sends[i]);
	instance_put(inst);
}

static void user_free(struct pool_user *user)
{
	struct srqpool_reader *reader = from_user(user);

	xa_destroy(&reader->conns);
	kfree(reader);
}

static const struct pool_user_ops user_ops = {
	.attach = user_attach,
	.shut = user_shut,
	.detach = user_detach,
	.free = user_free,
};

/**
 * reader_open - become a reader of a pool
 * @name: of the pool
 * @entries: of a ring; 0: it reads
 *
 * Context: process, sleeps.
 *
 * Return: the reader; -ENOENT without such a pool, -ENODEV while it is not on
 * its device, -ENOMEM.
 */
struct srqpool_reader *reader_open(const char *name, u32 entries)
{
	struct srqpool_pool *pool = pool_get(name);
	struct srqpool_refusal r = { .cls = -1 };
	struct srqpool_reader *reader;
	int ret, i;

	if (!pool)
		return ERR_PTR(-ENOENT);
	reader = kzalloc(sizeof(*reader), GFP_KERNEL);
	if (!reader) {
		pool_put(pool);
		return ERR_PTR(-ENOMEM);
	}
	pool_user_init(&reader->user, pool, &user_ops);
	reader->entries = entries;
	INIT_LIST_HEAD(&reader->node);
	xa_init(&reader->conns);
	spin_lock_init(&reader->lock);
	records_init(reader);
	for (i = 0; i < SRQPOOL_CLASSES_MAX; i++)
		INIT_LIST_HEAD(&reader->hungry[i]);
	init_waitqueue_head(&reader->wait);
	init_waitqueue_head(&reader->idle);
	ret = pool_add_user(&reader->user, &r);
	if (!ret)
		return reader;
	rings_destroy(reader);
	reader_put(reader);
	return ERR_PTR(ret == -EBUSY ? -ENODEV : ret);
}

/**
 * reader_close - a program is gone
 * @reader: not to be used any more
 *
 * Context: process, sleeps until its connections are closed.
 */
void reader_close(struct srqpool_reader *reader)
{
	pool_del_user(&reader->user);
	rings_destroy(reader);
	reader_put(reader);
}

/* Copies what it did so far. */
void reader_stats(struct srqpool_reader *reader,
		  struct srqpool_reader_stats *stats)
{
	spin_lock(&reader->lock);
	*stats = reader->stats;
	stats->open_conns = reader->nr_conns;
	stats->sending = reader->nr_sends;
	spin_unlock(&reader->lock);
}
