// SPDX-License-Identifier: GPL-2.0
/* Messages are sent back unchanged; the buffer is held until that is done. */
#include "accept.h"
#include "consumer.h"
#include "delivery.h"

static void echo_recv(struct srqpool_conn *conn, struct srqpool_buf *buf,
		      u32 len)
{
	conn_send(conn, buf, len);
}

const struct srqpool_ops consumer_echo = {
	.holds = true,
	.recv = echo_recv,
	.revoke = accept_revoke,
};
