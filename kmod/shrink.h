/* SPDX-License-Identifier: GPL-2.0 */
/* shrink: gives free buffers back when the system is short of memory. */
#ifndef SRQPOOL_SHRINK_H
#define SRQPOOL_SHRINK_H

#include "queue.h"

int shrink_init(void);
void shrink_exit(void);
void shrink_add(struct srqpool_queue *q);
void shrink_del(struct srqpool_queue *q);

#endif /* SRQPOOL_SHRINK_H */
