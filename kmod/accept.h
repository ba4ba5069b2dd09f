/* SPDX-License-Identifier: GPL-2.0 */
/* accept: connections that come through the RDMA connection manager. */
#ifndef SRQPOOL_ACCEPT_H
#define SRQPOOL_ACCEPT_H

#include <rdma/rdma_cm.h>
#include "conn.h"

int accept_reject(struct rdma_cm_id *id, const char *why);
int accept_request(struct conn_group *group, struct srqpool_instance *inst,
		   u32 class, const struct srqpool_ops *ops,
		   struct rdma_cm_id *id, const struct rdma_conn_param *param);
void accept_revoke(struct srqpool_conn *conn);

#endif /* SRQPOOL_ACCEPT_H */
