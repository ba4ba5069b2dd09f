/* SPDX-License-Identifier: GPL-2.0 */
/*
 * srqpool for other kernel modules: attach QPs to a pool and receive from it
 * without a line about shared receive queues.
 *
 * A first cut: receiving. Sends are the caller's own, on a CQ of its own.
 *
 *	client = srqpool_open("p0", &ops);
 *	conn = srqpool_attach(client, NULL, context, &attr);
 *	... create a QP with attr on srqpool_pd(conn) ...
 *	srqpool_attach_qp(conn, qp);
 *	... ops.recv() is called for each message; srqpool_give_back() ...
 *	srqpool_disconnect(conn);	calls ops.revoke(), as others may
 *	srqpool_close(client);
 */
#ifndef SRQPOOL_H
#define SRQPOOL_H

#include <linux/types.h>

struct ib_pd;
struct ib_qp;
struct ib_qp_init_attr;
struct srqpool_buf;
struct srqpool_client;
struct srqpool_conn;

/**
 * struct srqpool_ops - who gets the messages of a connection
 * @holds: messages stay with it for a while, so small ones and those of a
 *	greedy peer are worth copying
 * @recv: a message of @len bytes is in @buf, which is the consumer's until it
 *	gives it back. Called by the shard's poller, in order of arrival per
 *	connection; under RCU, may not sleep
 * @revoke: the connection is to go: it was closed, its peer is over its quota,
 *	the pool is deleted or its device is gone. Called once per connection,
 *	from a work item, maybe before srqpool_attach() has returned. The
 *	callee moves the QP to the error state, calls srqpool_detach_begin(),
 *	destroys the QP, gives back every buffer it still has and calls
 *	srqpool_detach_end(). Without a QP only the last two
 */
struct srqpool_ops {
	bool holds;
	void (*recv)(struct srqpool_conn *conn, struct srqpool_buf *buf,
		     u32 len);
	void (*revoke)(struct srqpool_conn *conn);
};

struct srqpool_client *srqpool_open(const char *pool,
				    const struct srqpool_ops *ops);
void srqpool_close(struct srqpool_client *client);
struct srqpool_conn *srqpool_attach(struct srqpool_client *client,
				    const char *class, void *context,
				    struct ib_qp_init_attr *attr);
int srqpool_attach_qp(struct srqpool_conn *conn, struct ib_qp *qp);
void srqpool_disconnect(struct srqpool_conn *conn);
void srqpool_detach_begin(struct srqpool_conn *conn);
void srqpool_detach_end(struct srqpool_conn *conn);
void srqpool_give_back(struct srqpool_buf *buf);
const void *srqpool_data(struct srqpool_buf *buf, u32 len);
void *srqpool_context(struct srqpool_conn *conn);
struct ib_pd *srqpool_pd(struct srqpool_conn *conn);

#endif /* SRQPOOL_H */
