// SPDX-License-Identifier: GPL-2.0
/* Messages are sent back unchanged; the buffer is held until that is done. */
#include "consumer.h"

static void echo_recv(struct srqpool_conn *conn, struct srqpool_msg *msg)
{
	msg->flags = 0;
	srqpool_send(msg, msg->len);
}

const struct accept_consumer consumer_echo = {
	.ops = { .holds = true, .recv = echo_recv },
};
