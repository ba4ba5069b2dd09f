// SPDX-License-Identifier: GPL-2.0
/* Messages are counted and their buffers given back. */
#include "consumer.h"

static void sink_recv(struct srqpool_conn *conn, struct srqpool_msg *msg)
{
	srqpool_give_back(msg);
}

const struct accept_consumer consumer_sink = {
	.ops = { .recv = sink_recv },
};
