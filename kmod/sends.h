/* SPDX-License-Identifier: GPL-2.0 */
/* sends: memory for messages that a program writes. */
#ifndef SRQPOOL_SENDS_H
#define SRQPOOL_SENDS_H

#include "buffer.h"

/**
 * struct sends - buffers of one size, to be sent
 * @mem: where they come from; no program sees them
 * @size: bytes of one
 * @max: most of them
 * @total: how many there are
 * @nr_free: those that are not in use
 * @growing: somebody gets more
 * @free: those that are not in use
 * @slabs: their memory
 */
struct sends {
	struct srqpool_memory mem;
	u32 size;
	u32 max;
	u32 total;
	u32 nr_free;
	bool growing;
	struct list_head free;
	struct list_head slabs;
};

void sends_init(struct sends *sends, const struct srqpool_memory *mem, u32 size);
void sends_destroy(struct sends *sends);
/* How many more can be in use. */
static inline u32 sends_left(const struct sends *sends)
{
	u32 used = sends->total - sends->nr_free;

	return sends->max - min(used, sends->max);
}

struct srqpool_slab *sends_more(const struct sends *sends);
void sends_add(struct sends *sends, struct srqpool_slab *slab);
struct srqpool_buf *sends_take(struct sends *sends);
void sends_put(struct sends *sends, struct srqpool_buf *buf);

#endif /* SRQPOOL_SENDS_H */
