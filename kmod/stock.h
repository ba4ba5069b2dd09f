/* SPDX-License-Identifier: GPL-2.0 */
/* stock: the buffers of a queue: where each of them is, and its way around. */
#ifndef SRQPOOL_STOCK_H
#define SRQPOOL_STOCK_H

#include "queue.h"

void stock_init(struct srqpool_queue *q);
void stock_add(struct srqpool_queue *q, struct srqpool_slab *slab);
struct srqpool_slab *stock_take_surplus(struct srqpool_queue *q, u32 max);
void stock_reclaim(struct srqpool_queue *q);
void stock_free(struct srqpool_queue *q, spinlock_t *lock);
void stock_free_slab(struct srqpool_queue *q, struct srqpool_slab *slab);

void stock_make_reserve(struct srqpool_queue *q);
void stock_trim_reserve(struct srqpool_queue *q);
u32 stock_post(struct srqpool_queue *q, u32 max);
u32 stock_post_reserve(struct srqpool_queue *q);
enum queue_level stock_level(struct srqpool_queue *q);
bool stock_overdue(struct srqpool_queue *q);

void stock_prepare(struct srqpool_queue *q, struct srqpool_buf *buf);
u32 stock_post_own(struct srqpool_queue *q, struct ib_qp *qp,
		   struct list_head *posted, u32 max);
void stock_reclaim_own(struct srqpool_queue *q, struct list_head *posted);
void stock_reposted(struct srqpool_queue *q, u32 n);

void stock_took(struct srqpool_queue *q, struct srqpool_buf *buf);
void stock_give_back(struct srqpool_queue *q, struct srqpool_buf *buf);
void stock_end_batch(struct srqpool_queue *q);

#endif /* SRQPOOL_STOCK_H */
