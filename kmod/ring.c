// SPDX-License-Identifier: GPL-2.0
#include <linux/mm.h>
#include <linux/nospec.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>
#include "ring.h"

static struct srqpool_desc *descs(const struct ring *ring)
{
	return (void *)ring->shared + SRQPOOL_RING_DESCS;
}

static const struct srqpool_return *returns(const struct ring *ring)
{
	return (void *)ring->shared + SRQPOOL_RING_RETURNS(ring->entries);
}

/**
 * ring_create - make a ring
 * @ring: zeroed
 * @entries: a power of two from SRQPOOL_RING_MIN to SRQPOOL_RING_MAX
 *
 * Context: process, sleeps.
 *
 * Return: 0 or -ENOMEM; ring_destroy() is to be called in any case.
 */
int ring_create(struct ring *ring, u32 entries)
{
	ring->entries = entries;
	ring->bytes = PAGE_ALIGN(SRQPOOL_RING_RETURNS(entries) +
				 entries * sizeof(struct srqpool_return));
	ring->shared = vmalloc_user(ring->bytes);
	ring->slots = kvcalloc(entries, sizeof(*ring->slots),
			       GFP_KERNEL_ACCOUNT);
	ring->free = kvcalloc(entries, sizeof(*ring->free),
			      GFP_KERNEL_ACCOUNT);
	if (!ring->shared || !ring->slots || !ring->free)
		return -ENOMEM;
	for (ring->nr_free = 0; ring->nr_free < entries; ring->nr_free++)
		ring->free[ring->nr_free] = ring->nr_free;
	return 0;
}

/* Context: process, sleeps; no program has it mapped. */
void ring_destroy(struct ring *ring)
{
	kvfree(ring->free);
	kvfree(ring->slots);
	vfree(ring->shared);
}

/* Returns 0, or -EINVAL for another size. */
int ring_mmap(struct ring *ring, struct vm_area_struct *vma)
{
	if (vma->vm_end - vma->vm_start != ring->bytes)
		return -EINVAL;
	return remap_vmalloc_range(vma, ring->shared, 0);
}

void ring_set_flags(struct ring *ring, u32 flags)
{
	ring->flags = flags;
	WRITE_ONCE(ring->shared->flags, flags);
}

/*
 * To the program
 */

/* Is there something that the program has not taken? Without the lock. */
bool ring_has_news(const struct ring *ring)
{
	return READ_ONCE(ring->desc_head) != READ_ONCE(ring->shared->desc_tail);
}

/* Can a descriptor be given? */
bool ring_has_room(struct ring *ring)
{
	u32 tail;

	if (ring->desc_head - ring->desc_tail < ring->entries)
		return true;
	/* What it has read it has read before this. */
	tail = smp_load_acquire(&ring->shared->desc_tail);
	if (ring->desc_head - tail >= ring->entries)
		return false;
	ring->desc_tail = tail;
	return true;
}

/* Gives a descriptor; there is room. */
void ring_push(struct ring *ring, const struct srqpool_desc *desc)
{
	descs(ring)[ring->desc_head & (ring->entries - 1)] = *desc;
	WRITE_ONCE(ring->desc_head, ring->desc_head + 1);
	/* It is whole before the program sees it. */
	smp_store_release(&ring->shared->desc_head, ring->desc_head);
}

/**
 * ring_take_slot - note a message that the program gets
 * @ring: a slot is free
 * @msg: the message
 * @rc: its connection, whose reference is the slot's from now on
 *
 * Return: its index.
 */
u32 ring_take_slot(struct ring *ring, struct srqpool_msg *msg,
		   struct reader_conn *rc)
{
	u32 index = ring->free[--ring->nr_free];

	ring->slots[index] = (struct ring_slot) { .msg = msg, .rc = rc };
	return index;
}

/*
 * From the program
 */

/* Are there returns that nobody has looked at? Without the lock. */
bool ring_has_returns(const struct ring *ring)
{
	return READ_ONCE(ring->return_tail) !=
	       READ_ONCE(ring->shared->return_head);
}

static void took(struct ring *ring, u32 tail)
{
	WRITE_ONCE(ring->return_tail, tail);
	WRITE_ONCE(ring->shared->return_tail, tail);
}

/**
 * ring_look - see how many returns there are
 * @ring: the ring
 *
 * Return: false if the program says that there are more than entries: they are
 * all passed over.
 */
bool ring_look(struct ring *ring)
{
	/* The returns are whole when this is seen. */
	ring->return_head = smp_load_acquire(&ring->shared->return_head);
	if (ring->return_head - ring->return_tail <= ring->entries)
		return true;
	took(ring, ring->return_head);
	return false;
}

/* Takes the next of the returns that ring_look() saw; false if there is none. */
bool ring_pop(struct ring *ring, struct srqpool_return *ret)
{
	const struct srqpool_return *from;

	if (ring->return_tail == ring->return_head)
		return false;
	from = &returns(ring)[ring->return_tail & (ring->entries - 1)];
	ret->index = READ_ONCE(from->index);
	ret->flags = READ_ONCE(from->flags);
	ret->len = READ_ONCE(from->len);
	ret->reserved = READ_ONCE(from->reserved);
	took(ring, ring->return_tail + 1);
	return true;
}

/**
 * ring_put_slot - the program has given a message back
 * @ring: the ring
 * @index: what it says
 *
 * Return: what was there; no message if it had none of that index.
 */
struct ring_slot ring_put_slot(struct ring *ring, u32 index)
{
	struct ring_slot slot = {};

	if (index >= ring->entries)
		return slot;
	/* A guess of the CPU must not read behind the end. */
	index = array_index_nospec(index, ring->entries);
	swap(slot, ring->slots[index]);
	if (slot.msg)
		ring->free[ring->nr_free++] = index;
	return slot;
}
