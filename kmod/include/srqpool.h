/* SPDX-License-Identifier: GPL-2.0 */
/*
 * srqpool for consumers of messages: what the module's own consumers are
 * written on, and other kernel modules attach their QPs with, without a line
 * about shared receive queues.
 *
 *	client = srqpool_open("p0", &ops);
 *	conn = srqpool_attach(client, NULL, context, &attr);
 *	... create a QP with attr on srqpool_pd(conn) ...
 *	srqpool_attach_qp(conn, qp);
 *	... ops.recv() is called for each message; srqpool_give_back() ...
 *	srqpool_disconnect(conn);	calls ops.revoke(), as others may
 *	srqpool_close(client);
 *
 * A message can be given back at any time, also after all that, when its pool
 * and its device are gone; but before the module that has it is.
 */
#ifndef SRQPOOL_H
#define SRQPOOL_H

#include <linux/list.h>
#include <linux/types.h>

struct ib_pd;
struct ib_qp;
struct ib_qp_init_attr;
struct srqpool_client;
struct srqpool_conn;

/* Flags of struct srqpool_msg. */
#define SRQPOOL_MSG_IMM		1	/* @imm came with it */

/**
 * struct srqpool_msg - a received message
 * @list: the consumer's, while it has the message
 * @conn: the connection it came on. Its memory stays while one of its messages
 *	is not given back
 * @time_ns: when it was received, CLOCK_MONOTONIC
 * @len: bytes
 * @flags: SRQPOOL_MSG_*
 * @imm: immediate data, as it came
 */
struct srqpool_msg {
	struct list_head list;
	struct srqpool_conn *conn;
	u64 time_ns;
	u32 len;
	u32 flags;
	__be32 imm;
};

/**
 * struct srqpool_ops - who gets the messages of a connection
 * @holds: messages stay with it for a while, so small ones and those of a
 *	greedy peer are worth copying
 * @recv: a message, which is the consumer's until it gives it back or sends
 *	it. Called by the shard's poller, in order of arrival per connection;
 *	under RCU, may not sleep
 * @revoke: the connection is to go: it was closed, its peer is over its quota,
 *	the pool is deleted or its device is gone. Called once per connection,
 *	from a work item, maybe before srqpool_attach() has returned. The
 *	callee moves the QP to the error state, calls srqpool_detach_begin(),
 *	after which no message comes, destroys the QP and calls
 *	srqpool_detach_end(). Without a QP only the last. It sends nothing any
 *	more. Messages it still has are its own until it gives them back, which
 *	nobody waits for: their content stays, though not for the device
 */
struct srqpool_ops {
	bool holds;
	void (*recv)(struct srqpool_conn *conn, struct srqpool_msg *msg);
	void (*revoke)(struct srqpool_conn *conn);
};

struct srqpool_client *srqpool_open_by(const char *pool,
				       const struct srqpool_ops *ops,
				       const char *module);
/* `srqctl dev show` names the caller while it has the client. */
#define srqpool_open(pool, ops)	srqpool_open_by(pool, ops, KBUILD_MODNAME)
void srqpool_close(struct srqpool_client *client);
struct srqpool_conn *srqpool_attach(struct srqpool_client *client,
				    const char *class, void *context,
				    struct ib_qp_init_attr *attr);
int srqpool_attach_qp(struct srqpool_conn *conn, struct ib_qp *qp);
void srqpool_disconnect(struct srqpool_conn *conn);
void srqpool_detach_begin(struct srqpool_conn *conn);
void srqpool_detach_end(struct srqpool_conn *conn);
void srqpool_give_back(struct srqpool_msg *msg);
void srqpool_send(struct srqpool_msg *msg, u32 len);
const void *srqpool_data(struct srqpool_msg *msg, u32 len);
void *srqpool_context(struct srqpool_conn *conn);
struct ib_pd *srqpool_pd(struct srqpool_conn *conn);

#endif /* SRQPOOL_H */
