// SPDX-License-Identifier: GPL-2.0
#include <linux/mm.h>
#include <linux/nospec.h>
#include <linux/slab.h>
#include "compat.h"
#include "records.h"
#include "rings.h"

/* Descriptors given and returns taken at once. */
#define RINGS_BATCH	(4 * SHARD_BATCH)

/**
 * struct reader_ring - the ring of a shard
 * @reader: whose it is
 * @outlet: of the shard's connections
 * @parked: connections that have only messages, which have no slot
 * @ring: the ring
 * @shard: the shard
 * @hook: on it
 * @news: the program may sleep, and has to be told
 */
struct reader_ring {
	struct srqpool_reader *reader;
	struct outlet outlet;
	struct list_head parked;
	struct ring ring;
	struct srqpool_shard *shard;
	struct shard_hook hook;
	bool news;
};

/*
 * To the program
 */

static void wake_reader(struct srqpool_reader *reader)
{
	if (wq_has_sleeper(&reader->wait))
		wake_up_interruptible_poll(&reader->wait,
					   EPOLLIN | EPOLLRDNORM);
}

static void give_message(struct reader_ring *r, struct reader_conn *rc,
			 struct srqpool_msg *msg, struct srqpool_desc *desc)
{
	struct srqpool_reader *reader = r->reader;

	/* The device's bytes become the CPU's. */
	srqpool_data(msg, msg->len);
	list_del(&msg->list);
	kref_get(&rc->ref);
	desc->index = ring_take_slot(&r->ring, msg, rc);
	desc->offset = buffer_offset(buffer_of(msg));
	reader->stats.messages++;
	reader->stats.bytes += msg->len;
}

/* While the program has as many messages as it may, other records go on. */
static struct reader_conn *next_conn(struct reader_ring *r)
{
	struct reader_conn *rc, *next;

	list_for_each_entry_safe(rc, next, &r->outlet.ready, ready) {
		if (!ring_has_room(&r->ring))
			return NULL;
		if (records_next_type(rc, r->ring.nr_free) >= 0)
			return rc;
		rc->parked = true;
		list_move_tail(&rc->ready, &r->parked);
	}
	return NULL;
}

static void give_next(struct reader_ring *r, struct reader_conn *rc)
{
	struct srqpool_desc desc = {};
	struct srqpool_msg *msg = records_next(rc, r->ring.nr_free,
					       &desc.record);

	list_del_init(&rc->ready);
	if (msg)
		give_message(r, rc, msg, &desc);
	else
		rc->tell &= ~BIT(desc.record.type);
	ring_push(&r->ring, &desc);
	r->news = true;
	if (records_any(rc))
		list_add_tail(&rc->ready, &r->outlet.ready);
	else if (desc.record.type == SRQPOOL_RECORD_DOWN &&
		 reader_conn_erase(rc))
		reader_conn_put(rc);
}

static void give(struct reader_ring *r)
{
	struct reader_conn *rc;
	int left = RINGS_BATCH;

	lockdep_assert_held(&r->reader->lock);
	while (left-- && (rc = next_conn(r)))
		give_next(r, rc);
}

/* The poller tells the program at the end of its batch, and goes on if it can. */
static void flow(struct outlet *outlet)
{
	struct reader_ring *r = container_of(outlet, struct reader_ring,
					     outlet);

	give(r);
	if (shard_in_poller(r->shard))
		return;
	wake_reader(r->reader);
	if (!list_empty(&outlet->ready))
		shard_kick(r->shard);
}

/*
 * From the program
 */

static bool is_right(const struct srqpool_return *ret,
		     const struct ring_slot *slot)
{
	if (ret->reserved || ret->flags & ~SRQPOOL_RETURN_SEND)
		return false;
	if (!(ret->flags & SRQPOOL_RETURN_SEND))
		return !ret->len;
	return ret->len <= min(slot->msg->len, slot->rc->max_send);
}

/* A slot is free: so one of those that wait for it has its turn. */
static void unpark_one(struct reader_ring *r)
{
	struct reader_conn *rc;

	rc = list_first_entry_or_null(&r->parked, struct reader_conn, ready);
	if (rc)
		records_unpark(rc);
}

static void take_one(struct reader_ring *r, const struct srqpool_return *ret)
{
	struct ring_slot slot = ring_put_slot(&r->ring, ret->index);
	struct srqpool_reader *reader = r->reader;
	bool right = slot.msg && is_right(ret, &slot);

	if (!right)
		reader->stats.bad_returns++;
	if (!slot.msg)
		return;
	unpark_one(r);
	if (right && ret->flags & SRQPOOL_RETURN_SEND && slot.rc->open) {
		reader->stats.sent++;
		srqpool_send(slot.msg, ret->len);
	} else {
		srqpool_give_back(slot.msg);
	}
	reader_conn_put(slot.rc);
}

static void take(struct reader_ring *r)
{
	struct srqpool_return ret;
	int left = RINGS_BATCH;

	if (!ring_look(&r->ring))
		r->reader->stats.bad_returns++;
	while (left-- && ring_pop(&r->ring, &ret))
		take_one(r, &ret);
}

/*
 * By the poller. It holds a reference on the reader through its connections or
 * its hook, so no reference that is dropped here is the reader's last.
 */

static void look_locked(struct reader_ring *r)
{
	if (r->reader->dead)
		return;
	if (r->ring.flags)
		ring_set_flags(&r->ring, 0);
	take(r);
	give(r);
}

static void look(struct shard_hook *hook)
{
	struct reader_ring *r = container_of(hook, struct reader_ring, hook);
	struct srqpool_reader *reader = r->reader;
	bool news;

	if (!ring_has_returns(&r->ring) && !READ_ONCE(r->news) &&
	    !READ_ONCE(r->ring.flags) && list_empty_careful(&r->outlet.ready))
		return;
	spin_lock(&reader->lock);
	look_locked(r);
	news = r->news;
	r->news = false;
	spin_unlock(&reader->lock);
	if (news)
		wake_reader(reader);
}

static bool stop_locked(struct reader_ring *r)
{
	u32 flags = SRQPOOL_RING_KICK_RETURN;

	if (r->reader->dead)
		return false;
	if (!list_empty(&r->outlet.ready))
		flags |= SRQPOOL_RING_KICK_TAKE;
	ring_set_flags(&r->ring, flags);
	/* Either the program sees the flags, or we what it did before. */
	smp_mb();
	return r->news || ring_has_returns(&r->ring) || next_conn(r);
}

static bool stop(struct shard_hook *hook)
{
	struct reader_ring *r = container_of(hook, struct reader_ring, hook);
	bool more;

	spin_lock(&r->reader->lock);
	more = stop_locked(r);
	spin_unlock(&r->reader->lock);
	return more;
}

/*
 * Calls of the program
 */

struct outlet *rings_outlet(struct srqpool_reader *reader, u32 shard)
{
	return &reader->rings[shard].outlet;
}

/* Returns 0, or -EINVAL in read mode. */
int rings_info(struct srqpool_reader *reader, struct srqpool_ring_info *info)
{
	if (!reader->entries)
		return -EINVAL;
	*info = (struct srqpool_ring_info) {
		.rings = reader->nr_rings,
		.entries = reader->entries,
		.ring_bytes = reader->rings[0].ring.bytes,
	};
	return 0;
}

/* Returns 0, -EINVAL without such a ring, -ENODEV when the pool is gone. */
int rings_kick(struct srqpool_reader *reader, unsigned long number)
{
	int ret = 0;

	if (number >= reader->nr_rings)
		return -EINVAL;
	number = array_index_nospec(number, reader->nr_rings);
	spin_lock(&reader->lock);
	if (reader->dead)
		ret = -ENODEV;
	else
		shard_kick(reader->rings[number].shard);
	spin_unlock(&reader->lock);
	return ret;
}

/**
 * rings_mmap - map a ring or the buffers
 * @reader: the reader
 * @vma: where
 *
 * Context: process, under the mm's lock.
 *
 * Return: 0; -EINVAL in read mode or for another place or size; -EACCES to
 * write to buffers; -ENODEV when the pool is gone; -ENOMEM.
 */
int rings_mmap(struct srqpool_reader *reader, struct vm_area_struct *vma)
{
	const pgoff_t first = SRQPOOL_MMAP_RING(0) >> PAGE_SHIFT;
	const pgoff_t stride = (SRQPOOL_MMAP_RING(1) >> PAGE_SHIFT) - first;
	pgoff_t number;

	if (!reader->entries || !(vma->vm_flags & VM_SHARED))
		return -EINVAL;
	if (READ_ONCE(reader->dead))
		return -ENODEV;
	compat_vm_flags_set(vma, VM_DONTEXPAND | VM_DONTDUMP | VM_DONTCOPY);
	if (vma->vm_pgoff < first)
		return map_mmap(reader->map, vma, first);
	number = (vma->vm_pgoff - first) / stride;
	if ((vma->vm_pgoff - first) % stride || number >= reader->nr_rings)
		return -EINVAL;
	number = array_index_nospec(number, reader->nr_rings);
	return ring_mmap(&reader->rings[number].ring, vma);
}

/* What poll() is to say. */
__poll_t rings_poll(struct srqpool_reader *reader)
{
	__poll_t events = EPOLLOUT | EPOLLWRNORM;
	u32 i;

	/* Pairs with the release of who has marked the rings. */
	if (smp_load_acquire(&reader->dead))
		return EPOLLHUP | EPOLLIN | EPOLLRDNORM;
	for (i = 0; i < reader->nr_rings; i++)
		if (ring_has_news(&reader->rings[i].ring))
			events |= EPOLLIN | EPOLLRDNORM;
	return events;
}

/*
 * Their life
 */

static int create_one(struct srqpool_reader *reader,
		      struct srqpool_instance *inst, u32 number)
{
	struct reader_ring *r = &reader->rings[number];

	r->reader = reader;
	r->shard = &inst->shards[number];
	INIT_LIST_HEAD(&r->outlet.ready);
	INIT_LIST_HEAD(&r->parked);
	r->outlet.flow = flow;
	r->hook.look = look;
	r->hook.stop = stop;
	return ring_create(&r->ring, reader->entries);
}

/**
 * rings_create - make the rings of a reader
 * @reader: in ring mode, gets no connection yet
 * @inst: the pool on its device
 *
 * Context: process, sleeps.
 *
 * Return: 0 or -ENOMEM; rings_destroy() is to be called in any case.
 */
int rings_create(struct srqpool_reader *reader, struct srqpool_instance *inst)
{
	int ret = 0;

	map_get(inst->mem.map);
	reader->map = inst->mem.map;
	reader->rings = kvcalloc(inst->cfg.shards, sizeof(*reader->rings),
				 GFP_KERNEL_ACCOUNT);
	if (!reader->rings)
		return -ENOMEM;
	for (; !ret && reader->nr_rings < inst->cfg.shards; reader->nr_rings++)
		ret = create_one(reader, inst, reader->nr_rings);
	return ret;
}

/* Has the pollers look at the rings. */
void rings_start(struct srqpool_reader *reader)
{
	u32 i;

	for (i = 0; i < reader->nr_rings; i++)
		shard_add_hook(reader->rings[i].shard, &reader->rings[i].hook);
}

static void kill_one(struct reader_ring *r, struct list_head *msgs)
{
	struct ring_slot slot;
	u32 i;

	for (i = 0; i < r->ring.entries; i++) {
		slot = ring_put_slot(&r->ring, i);
		if (!slot.msg)
			continue;
		list_add_tail(&slot.msg->list, msgs);
		reader_conn_put(slot.rc);
	}
	ring_set_flags(&r->ring, SRQPOOL_RING_DEAD);
}

/* Under the reader's lock: the program has nothing any more. */
void rings_kill(struct srqpool_reader *reader, struct list_head *msgs)
{
	u32 i;

	for (i = 0; i < reader->nr_rings; i++)
		kill_one(&reader->rings[i], msgs);
}

/**
 * rings_stop - have the pollers look at them no more
 * @reader: dead
 *
 * Context: process, sleeps.
 */
void rings_stop(struct srqpool_reader *reader)
{
	u32 i;

	for (i = 0; i < reader->nr_rings; i++)
		shard_del_hook(reader->rings[i].shard, &reader->rings[i].hook);
	if (reader->nr_rings)
		synchronize_rcu();
}

/* Context: process, sleeps; the file is closed and unmapped. */
void rings_destroy(struct srqpool_reader *reader)
{
	u32 i;

	for (i = 0; i < reader->nr_rings; i++)
		ring_destroy(&reader->rings[i].ring);
	kvfree(reader->rings);
	if (reader->map)
		map_put(reader->map);
}
