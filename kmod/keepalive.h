/* SPDX-License-Identifier: GPL-2.0 */
/* keepalive: finds out that a peer is gone, or takes nothing. */
#ifndef SRQPOOL_KEEPALIVE_H
#define SRQPOOL_KEEPALIVE_H

#include "conn.h"

/*
 * How long a QP waits for an acknowledgment before it sends again, as
 * 4.096 us * 2^code, 0.54 s (IBTA volume 1, 9.9.2.1.1). How often it does is said
 * by the peer.
 */
#define KEEPALIVE_ACK_TIMEOUT	17

int keepalive_init(void);
void keepalive_exit(void);
void keepalive_start(void);
void keepalive_take(struct llist_node *node);
void keepalive_leave(struct srqpool_conn *conn);

#endif /* SRQPOOL_KEEPALIVE_H */
