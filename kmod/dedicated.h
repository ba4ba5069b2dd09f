/* SPDX-License-Identifier: GPL-2.0 */
/*
 * dedicated: a receive queue of its own for each connection, the way without
 * sharing, to measure sharing against.
 */
#ifndef SRQPOOL_DEDICATED_H
#define SRQPOOL_DEDICATED_H

#include "queue.h"

int dedicated_fill(struct srqpool_queue *q, struct ib_qp *qp,
		   struct list_head *posted, u32 depth);
void dedicated_repost(struct srqpool_queue *q, struct ib_qp *qp,
		      struct list_head *bufs, struct list_head *posted);
void dedicated_reclaim(struct srqpool_queue *q, struct list_head *posted);

#endif /* SRQPOOL_DEDICATED_H */
