/* SPDX-License-Identifier: GPL-2.0 */
/* poller: who polls a shard, and how long before it waits for an event. */
#ifndef SRQPOOL_POLLER_H
#define SRQPOOL_POLLER_H

#include "shard.h"

void poller_init(struct srqpool_shard *shard, struct workqueue_struct *wq);
int poller_set_mode(struct srqpool_shard *shard, struct shard_poll mode);
void poller_stop(struct srqpool_shard *shard);
void poller_settle(struct srqpool_shard *shard);

#endif /* SRQPOOL_POLLER_H */
