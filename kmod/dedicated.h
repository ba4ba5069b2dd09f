/* SPDX-License-Identifier: GPL-2.0 */
/*
 * dedicated: a receive queue of its own for each connection, the way without
 * sharing, to measure sharing against.
 */
#ifndef SRQPOOL_DEDICATED_H
#define SRQPOOL_DEDICATED_H

#include "queue.h"

int dedicated_fill(struct srqpool_queue *q, struct ib_qp *qp,
		   struct srqpool_buf **own, u32 depth);
u32 dedicated_repost(struct srqpool_queue *q, struct ib_qp *qp,
		     struct list_head *bufs);
void dedicated_reclaim(struct srqpool_queue *q, struct srqpool_buf **own,
		       u32 depth);

#endif /* SRQPOOL_DEDICATED_H */
