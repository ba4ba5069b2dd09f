// SPDX-License-Identifier: GPL-2.0
#include <linux/bitmap.h>
#include <linux/slab.h>
#include "arena.h"

/* A slab of buffer.c in one piece is no larger than 64 KiB. */
#define BLOCK_GRANULES	(65536 / ARENA_GRANULE)

/**
 * struct arena_block - a slab whose buffers are granules
 * @list: the arena's list
 * @slab: the memory
 * @used: which of its granules are taken
 */
struct arena_block {
	struct list_head list;
	struct srqpool_slab *slab;
	DECLARE_BITMAP(used, BLOCK_GRANULES);
};

/* Before anybody can look at it. */
void arena_init(struct srqpool_arena *arena)
{
	INIT_LIST_HEAD(&arena->blocks);
}

static int add_block(struct srqpool_arena *arena, u32 granules)
{
	struct arena_block *block = kzalloc(sizeof(*block), GFP_KERNEL);

	if (!block)
		return -ENOMEM;
	block->slab = buffer_slab_alloc(arena->mem, ARENA_GRANULE, granules,
					true);
	if (IS_ERR(block->slab)) {
		int ret = PTR_ERR(block->slab);

		kfree(block);
		return ret;
	}
	block->slab->block = block;
	arena->nr_free += block->slab->nr;
	list_add_tail(&block->list, &arena->blocks);
	WRITE_ONCE(arena->bytes, arena->bytes +
		   (PAGE_SIZE << block->slab->order));
	return 0;
}

/**
 * arena_create - take the memory
 * @arena: set up by arena_init()
 * @mem: where it comes from; stays
 * @bytes: at most so much; less than a page is nothing
 *
 * Context: process, sleeps.
 *
 * Return: 0, or why not all could be had; what could be stays.
 */
int arena_create(struct srqpool_arena *arena, const struct srqpool_memory *mem,
		 u64 bytes)
{
	int ret;

	arena->mem = mem;
	while (arena->bytes + PAGE_SIZE <= bytes) {
		ret = add_block(arena, min_t(u64, (bytes - arena->bytes) /
					     ARENA_GRANULE, BLOCK_GRANULES));
		if (ret)
			return ret;
	}
	return 0;
}

/**
 * arena_destroy - give the memory back
 * @arena: nobody copies any more
 * @lock: what copies that are still held are given back under from now on, by
 *	buffer_give_back_late()
 *
 * Context: process.
 */
void arena_destroy(struct srqpool_arena *arena, spinlock_t *lock)
{
	struct arena_block *block, *next;

	list_for_each_entry_safe(block, next, &arena->blocks, list) {
		buffer_slab_leave(arena->mem, block->slab, lock);
		kfree(block);
	}
	INIT_LIST_HEAD(&arena->blocks);
	WRITE_ONCE(arena->bytes, 0);
}

static struct srqpool_buf *block_take(struct arena_block *block, u32 granules)
{
	unsigned long at;

	at = bitmap_find_next_zero_area(block->used, block->slab->nr, 0,
					granules, 0);
	if (at >= block->slab->nr)
		return NULL;
	bitmap_set(block->used, at, granules);
	return &block->slab->buf[at];
}

/**
 * arena_copy - copy a received message
 * @arena: the arena
 * @from: received
 * @len: bytes of the message
 *
 * Context: the shard's poller.
 *
 * Return: the copy, or NULL if there is no room for it.
 */
struct srqpool_buf *arena_copy(struct srqpool_arena *arena,
			       struct srqpool_buf *from, u32 len)
{
	u32 granules = max_t(u32, DIV_ROUND_UP(len, ARENA_GRANULE), 1);
	struct arena_block *block;
	struct srqpool_buf *copy;

	if (granules > BLOCK_GRANULES || granules > arena->nr_free)
		return NULL;
	list_for_each_entry(block, &arena->blocks, list) {
		copy = block_take(block, granules);
		if (!copy)
			continue;
		list_move(&block->list, &arena->blocks);
		arena->nr_free -= granules;
		copy->granules = granules;
		buffer_copy(arena->mem->pd->device, copy, from, len);
		return copy;
	}
	return NULL;
}

/**
 * arena_give_back - free a copy
 * @arena: the arena
 * @copy: nobody uses it
 *
 * Context: the shard's poller.
 */
void arena_give_back(struct srqpool_arena *arena, struct srqpool_buf *copy)
{
	struct arena_block *block = copy->slab->block;

	buffer_from_device(copy);
	copy->state = BUFFER_FREE;
	bitmap_clear(block->used, copy - copy->slab->buf, copy->granules);
	arena->nr_free += copy->granules;
}
