// SPDX-License-Identifier: GPL-2.0
#include "sends.h"

/* Most buffers of a size, and most memory of one unless that is too few. */
#define SENDS_MAX	256
#define SENDS_BYTES	(8U << 20)
#define SENDS_FEW	4
/* Taken at once. */
#define SENDS_STEP	16

/**
 * sends_init - before anything is sent
 * @sends: empty from now on
 * @mem: where the pool's memory comes from
 * @size: bytes of a buffer
 */
void sends_init(struct sends *sends, const struct srqpool_memory *mem, u32 size)
{
	sends->mem = (struct srqpool_memory) {
		.pd = mem->pd,
		.budget = mem->budget,
	};
	sends->size = size;
	sends->max = clamp_t(u32, SENDS_BYTES / size, SENDS_FEW, SENDS_MAX);
	sends->total = 0;
	sends->nr_free = 0;
	sends->growing = false;
	INIT_LIST_HEAD(&sends->free);
	INIT_LIST_HEAD(&sends->slabs);
}

/**
 * sends_destroy - free the memory
 * @sends: set up, or zeroed; no buffer is at the device
 *
 * Context: process.
 */
void sends_destroy(struct sends *sends)
{
	struct srqpool_slab *slab, *next;

	if (!sends->mem.pd)
		return;
	list_for_each_entry_safe(slab, next, &sends->slabs, list)
		buffer_slab_free(&sends->mem, slab);
	sends_init(sends, &sends->mem, sends->size);
}

/**
 * sends_more - get memory for more buffers
 * @sends: what for
 *
 * Context: process, sleeps; no lock held.
 *
 * Return: a slab for sends_add(), or why there is none.
 */
struct srqpool_slab *sends_more(const struct sends *sends)
{
	return buffer_slab_alloc(&sends->mem, sends->size, SENDS_STEP, true);
}

/* Takes a slab of sends_more() in. Under the caller's lock, as all below. */
void sends_add(struct sends *sends, struct srqpool_slab *slab)
{
	u32 i;

	list_add_tail(&slab->list, &sends->slabs);
	sends->total += slab->nr;
	sends->nr_free += slab->nr;
	for (i = 0; i < slab->nr; i++)
		list_add_tail(&slab->buf[i].list, &sends->free);
}

/* Returns a buffer that is not in use, or NULL. */
struct srqpool_buf *sends_take(struct sends *sends)
{
	struct srqpool_buf *buf = list_first_entry_or_null(&sends->free,
							   struct srqpool_buf,
							   list);

	if (!buf)
		return NULL;
	list_del(&buf->list);
	sends->nr_free--;
	return buf;
}

/* Gives one back; what was used last is used next. */
void sends_put(struct sends *sends, struct srqpool_buf *buf)
{
	list_add(&buf->list, &sends->free);
	sends->nr_free++;
}
