/* SPDX-License-Identifier: GPL-2.0 */
/* ring: descriptors and returns in memory that is shared with a program. */
#ifndef SRQPOOL_RING_H
#define SRQPOOL_RING_H

#include <linux/srqpool.h>
#include <linux/types.h>

struct reader_conn;
struct srqpool_msg;
struct vm_area_struct;

/**
 * struct ring_slot - a message that the program has, or will take
 * @msg: the message, or NULL
 * @rc: its connection, referenced
 */
struct ring_slot {
	struct srqpool_msg *msg;
	struct reader_conn *rc;
};

/**
 * struct ring - a ring, under its owner's lock
 * @entries: descriptors, returns and slots, a power of two
 * @bytes: of @shared
 * @shared: what the program can write to: each of its words is read once, and
 *	is only believed within bounds
 * @desc_head: descriptors given
 * @desc_tail: descriptors that the program was seen to have taken
 * @return_head: returns seen
 * @return_tail: returns taken
 * @flags: SRQPOOL_RING_*
 * @slots: by index of a message
 * @free: indices of free slots, a stack
 * @nr_free: its height
 */
struct ring {
	u32 entries;
	size_t bytes;
	struct srqpool_ring *shared;
	u32 desc_head;
	u32 desc_tail;
	u32 return_head;
	u32 return_tail;
	u32 flags;
	struct ring_slot *slots;
	u16 *free;
	u32 nr_free;
};

int ring_create(struct ring *ring, u32 entries);
void ring_destroy(struct ring *ring);
int ring_mmap(struct ring *ring, struct vm_area_struct *vma);
void ring_set_flags(struct ring *ring, u32 flags);

bool ring_has_news(const struct ring *ring);
bool ring_has_room(struct ring *ring);
void ring_push(struct ring *ring, const struct srqpool_desc *desc);
u32 ring_take_slot(struct ring *ring, struct srqpool_msg *msg,
		   struct reader_conn *rc);

bool ring_has_returns(const struct ring *ring);
bool ring_look(struct ring *ring);
bool ring_pop(struct ring *ring, struct srqpool_return *ret);
struct ring_slot ring_put_slot(struct ring *ring, u32 index);

#endif /* SRQPOOL_RING_H */
