/* SPDX-License-Identifier: GPL-2.0 */
/* rings: what a reader in ring mode is given, and what it gives back. */
#ifndef SRQPOOL_RINGS_H
#define SRQPOOL_RINGS_H

#include <linux/poll.h>
#include "reader_conn.h"
#include "ring.h"

int rings_create(struct srqpool_reader *reader, struct srqpool_instance *inst);
void rings_start(struct srqpool_reader *reader);
void rings_kill(struct srqpool_reader *reader, struct list_head *msgs);
void rings_stop(struct srqpool_reader *reader);
void rings_destroy(struct srqpool_reader *reader);

struct outlet *rings_outlet(struct srqpool_reader *reader, u32 shard);
int rings_info(struct srqpool_reader *reader, struct srqpool_ring_info *info);
int rings_kick(struct srqpool_reader *reader, unsigned long number);
int rings_mmap(struct srqpool_reader *reader, struct vm_area_struct *vma);
__poll_t rings_poll(struct srqpool_reader *reader);

#endif /* SRQPOOL_RINGS_H */
