/* SPDX-License-Identifier: GPL-2.0 */
/* refill: when and how much to post, and when to arm. */
#ifndef SRQPOOL_REFILL_H
#define SRQPOOL_REFILL_H

#include "queue.h"

/* The watchdog looks this often, and more often while no event can come. */
#define REFILL_WATCHDOG_MS		1000
#define REFILL_WATCHDOG_DISARMED_MS	50

void refill_prepare(struct srqpool_queue *q, struct workqueue_struct *wq,
		    u32 aging);
void refill_set_aging(struct srqpool_queue *q, u32 aging);
int refill_fill_floor(struct srqpool_queue *q, struct srqpool_refusal *r);
int refill_grow(struct srqpool_queue *q, u32 want);
void refill_release(struct srqpool_queue *q);
int refill_start(struct srqpool_queue *q, struct srqpool_refusal *r);

#endif /* SRQPOOL_REFILL_H */
