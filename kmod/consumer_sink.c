// SPDX-License-Identifier: GPL-2.0
/* Messages are counted and their buffers given back. */
#include "accept.h"
#include "consumer.h"
#include "delivery.h"

static void sink_recv(struct srqpool_conn *conn, struct srqpool_buf *buf,
		      u32 len)
{
	conn_give_back(conn, buf);
}

const struct srqpool_ops consumer_sink = {
	.recv = sink_recv,
	.revoke = accept_revoke,
};
