// SPDX-License-Identifier: GPL-2.0
/* Messages go to the program that reads the connection, and stay with it. */
#include "consumer.h"
#include "reader.h"
#include "records.h"

static void deliver_recv(struct srqpool_conn *conn, struct srqpool_msg *msg)
{
	records_message(srqpool_context(conn), msg);
}

static void deliver_up(struct srqpool_conn *conn)
{
	records_up(srqpool_context(conn));
}

static void deliver_closing(struct srqpool_conn *conn)
{
	struct reader_conn *rc = srqpool_context(conn);

	if (rc)
		reader_mute(rc);
}

static void deliver_closed(struct srqpool_conn *conn)
{
	struct reader_conn *rc = srqpool_context(conn);

	if (rc)
		reader_forget(rc);
}

const struct accept_consumer consumer_deliver = {
	.ops = { .holds = true, .recv = deliver_recv },
	.connect = reader_adopt,
	.up = deliver_up,
	.closing = deliver_closing,
	.closed = deliver_closed,
};
