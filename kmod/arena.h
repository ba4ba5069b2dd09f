/* SPDX-License-Identifier: GPL-2.0 */
/* arena: a shard's memory for copies of messages that would be held too long. */
#ifndef SRQPOOL_ARENA_H
#define SRQPOOL_ARENA_H

#include "buffer.h"

/* What a copy takes is a multiple of this. */
#define ARENA_GRANULE	512

/**
 * struct srqpool_arena - memory for copies, the shard's poller's alone
 * @mem: where its memory comes from
 * @bytes: its size
 * @nr_free: granules free
 * @blocks: its blocks, the one that had room last comes first
 */
struct srqpool_arena {
	const struct srqpool_memory *mem;
	u64 bytes;
	u32 nr_free;
	struct list_head blocks;
};

void arena_init(struct srqpool_arena *arena);
int arena_create(struct srqpool_arena *arena, const struct srqpool_memory *mem,
		 u64 bytes);
void arena_destroy(struct srqpool_arena *arena, spinlock_t *lock);
struct srqpool_buf *arena_copy(struct srqpool_arena *arena,
			       struct srqpool_buf *from, u32 len);
void arena_give_back(struct srqpool_arena *arena, struct srqpool_buf *copy);

#endif /* SRQPOOL_ARENA_H */
