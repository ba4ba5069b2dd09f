/* SPDX-License-Identifier: GPL-2.0 */
/* conn: the life of a connection: attach, find, close, drain, detach. */
#ifndef SRQPOOL_CONN_H
#define SRQPOOL_CONN_H

#include <linux/completion.h>
#include <linux/rhashtable.h>
#include "instance.h"

/* Send queues stay shallow: what does not fit waits on the connection. */
#define CONN_SQ_DEPTH		16
/* And one place for a probe. */
#define CONN_SQ_PROBE		1
/* Of a longer burst every this many-th send is signalled, and the last. */
#define CONN_SIGNAL_EVERY	8

/**
 * struct conn_group - connections accepted for one owner
 * @owner: id of the owner, shown with each connection
 * @lock: what follows
 * @list: the connections, until they are gone altogether
 * @nr: how many
 * @max: most of them
 * @shut: no more are accepted
 * @total: the pool's count of connections
 * @empty: woken when @nr falls to 0
 */
struct conn_group {
	u64 owner;
	spinlock_t lock;	/* see above */
	struct list_head list;
	u32 nr;
	u32 max;
	bool shut;
	atomic_t *total;
	wait_queue_head_t empty;
};

/* Bit of struct conn_probe @flags: it is on its way to the poller. */
#define CONN_PROBE_BOXED	0

/**
 * struct conn_probe - whether the peer is there; used by keepalive.c
 * @cqe: leads back from its completion
 * @box: on its way to the poller
 * @flags: CONN_PROBE_BOXED
 * @asked_at: when it was posted, ns; 0 if it is not under way
 * @credits: where its entry of the CQ is from; the poller's
 */
struct conn_probe {
	struct ib_cqe cqe;
	struct llist_node box;
	unsigned long flags;
	u64 asked_at;
	u32 *credits;
};

/**
 * struct srqpool_conn - one connection
 * @hash: the shard's table, by @qp
 * @qp: the QP; the address is compared after the QP is gone
 * @number: its id for users
 * @ref: one until it is gone and its messages are given back, one for each look
 * @state: enum srqpool_conn_state, changed by cmpxchg
 * @reason: why it closes
 * @inst: the pool on its device
 * @shard: its shard for life
 * @queue: the queue it draws from
 * @slot: what it was bound to that with
 * @dedicated: it has a receive queue of its own
 * @own_posted: the buffers in that; the poller's
 * @own_back: those that wait to be posted again
 * @group: whom it belongs to; gone when the connection is
 * @owner: id of that
 * @ops: who gets its messages
 * @context: for @ops
 * @revoke: by whom it was made: takes its QP from it
 * @pool_sends: its sends complete on the shard's CQ
 * @announced: bytes of the largest message of its peer, as that said; 0 if it
 *	did not
 * @drained: no message is delivered any more
 * @qp_event: handler of its QP's events beside ours, or NULL
 * @qp_context: for that
 * @hashed: it is in @hash
 * @connected: its QP is known to be connected
 * @dirty: the shard's dirty or blocked list; the poller's, like all to
 *	@alive_at
 * @over: the shard's list of connections over their quota
 * @over_since: since when it is, in a stretch in which buffers of others came
 *	back, ns
 * @over_returns: how many of others had come back then
 * @returns: messages its consumer gave back
 * @outstanding: messages its consumer has, and those it wrote
 * @left: it is detached, and goes with the last of these
 * @waiting: buffers to send, without room in the send queue yet
 * @sending: buffers in the send queue, in order
 * @nr_waiting: length of @waiting
 * @nr_sending: length of @sending
 * @unsignalled: sends since the last signalled one
 * @held: buffers it holds
 * @copied: messages that were copied into the arena
 * @rx_msgs: messages received
 * @rx_bytes: their bytes
 * @tx_msgs: messages sent
 * @idle_since: time of the last message, ns
 * @sent_at: when the peer took the last of its sends, or the first was posted, ns
 * @alive_at: when the last probe said that the peer is there, ns
 * @probe: that
 * @member: the group's list
 * @close: closes it
 * @forget: what is left to do after that
 * @leave: on its way to the poller, that sets @left
 * @free: frees it
 * @saw_last_wqe: LAST_WQE_REACHED came
 * @last_wqe: completed by it
 * @unhashed: completed when the address of its QP may be used again
 * @peer: address of the peer
 * @local: our address
 * @rcu: frees it
 */
struct srqpool_conn {
	struct rhash_head hash;
	struct ib_qp *qp;
	u64 number;
	struct kref ref;
	atomic_t state;
	const char *reason;
	struct srqpool_instance *inst;
	struct srqpool_shard *shard;
	struct srqpool_queue *queue;
	int slot;
	bool dedicated;
	struct list_head own_posted;
	struct list_head own_back;
	struct conn_group *group;
	u64 owner;
	const struct srqpool_ops *ops;
	void *context;
	void (*revoke)(struct srqpool_conn *conn);
	u32 announced;
	bool pool_sends;
	bool drained;
	void (*qp_event)(struct ib_event *ev, void *context);
	void *qp_context;
	bool hashed;
	bool connected;

	struct list_head dirty;
	struct list_head over;
	u64 over_since;
	u64 over_returns;
	u64 returns;
	u32 outstanding;
	bool left;
	struct list_head waiting;
	struct list_head sending;
	u32 nr_waiting;
	u32 nr_sending;
	u32 unsignalled;
	u32 held;
	u64 copied;
	u64 rx_msgs;
	u64 rx_bytes;
	u64 tx_msgs;
	u64 idle_since;
	u64 sent_at;
	u64 alive_at;
	struct conn_probe probe;

	struct list_head member;
	struct work_struct close;
	struct work_struct forget;
	struct llist_node leave;
	struct work_struct free;
	unsigned long saw_last_wqe;
	struct completion last_wqe;
	struct completion unhashed;
	struct sockaddr_storage peer;
	struct sockaddr_storage local;
	struct rcu_head rcu;
};

extern const struct rhashtable_params conn_params;

int conn_init(void);
void conn_exit(void);

void conn_group_init(struct conn_group *group, u64 owner, u32 max,
		     atomic_t *total);
void conn_group_open(struct conn_group *group);
void conn_group_shut(struct conn_group *group);
void conn_group_close(struct conn_group *group, const char *reason);

struct srqpool_conn *conn_attach(struct conn_group *group,
				 struct srqpool_instance *inst, u32 class,
				 const struct srqpool_ops *ops,
				 void (*revoke)(struct srqpool_conn *conn),
				 void *context, struct ib_qp_init_attr *attr,
				 const char **refused);
int conn_attach_qp(struct srqpool_conn *conn, struct ib_qp *qp);
void conn_established(struct srqpool_conn *conn);
void conn_detach_begin(struct srqpool_conn *conn);
void conn_drained(struct srqpool_conn *conn);
void conn_detach_end(struct srqpool_conn *conn);
void conn_forget(struct srqpool_conn *conn, work_func_t forget);
void conn_gone(struct srqpool_conn *conn);

void conn_close(struct srqpool_conn *conn, const char *reason);
void conn_failed(struct srqpool_conn *conn, const struct ib_wc *wc);
void conn_close_queue(struct srqpool_queue *q, const char *reason);
void conn_close_shard(struct srqpool_shard *shard, const char *reason);

struct srqpool_conn *conn_get(u64 number);
struct srqpool_conn *conn_next(u64 number);
void conn_hold(struct srqpool_conn *conn);
void conn_put(struct srqpool_conn *conn);

static inline bool conn_is_closing(const struct srqpool_conn *conn)
{
	return atomic_read(&conn->state) == SRQPOOL_CONN_CLOSING;
}

#endif /* SRQPOOL_CONN_H */
