/* SPDX-License-Identifier: GPL-2.0 */
/* accept: connections that come through the RDMA connection manager. */
#ifndef SRQPOOL_ACCEPT_H
#define SRQPOOL_ACCEPT_H

#include <rdma/rdma_cm.h>
#include "conn.h"

/**
 * struct accept_consumer - who gets the messages of accepted connections
 * @ops: without a revoke
 * @connect: a connection is to be accepted: NULL, or why not. Process context
 * @up: it is established; its first messages may have come before
 * @closing: nothing can be sent any more. Process context
 * @closed: no message comes any more; those it has it gives back when it likes.
 *	Called once, if @connect was, whatever that returned. Process context
 */
struct accept_consumer {
	struct srqpool_ops ops;
	const char *(*connect)(struct srqpool_conn *conn);
	void (*up)(struct srqpool_conn *conn);
	void (*closing)(struct srqpool_conn *conn);
	void (*closed)(struct srqpool_conn *conn);
};

int accept_reject(struct rdma_cm_id *id, const char *why);
int accept_request(struct conn_group *group, struct srqpool_instance *inst,
		   u32 class, const struct accept_consumer *consumer,
		   u32 announced, struct rdma_cm_id *id,
		   const struct rdma_conn_param *param);

#endif /* SRQPOOL_ACCEPT_H */
