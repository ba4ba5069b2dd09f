/* SPDX-License-Identifier: GPL-2.0 */
/* delivery: a message's way: received, held or copied, sent, given back. */
#ifndef SRQPOOL_DELIVERY_H
#define SRQPOOL_DELIVERY_H

#include "conn.h"

extern const struct srqpool_instance_ops delivery_ops;

void conn_give_back(struct srqpool_buf *buf);
void conn_send(struct srqpool_buf *buf);

#endif /* SRQPOOL_DELIVERY_H */
