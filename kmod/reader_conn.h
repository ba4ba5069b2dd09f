/* SPDX-License-Identifier: GPL-2.0 */
/* reader_conn: what a reader and its connections are. */
#ifndef SRQPOOL_READER_CONN_H
#define SRQPOOL_READER_CONN_H

#include <linux/xarray.h>
#include "conn.h"
#include "pool.h"
#include "sends.h"

struct reader_ring;

/**
 * struct outlet - by which connections tell what they have to, in turn
 * @ready: those with something to tell
 * @flow: called under the reader's lock when one is added
 */
struct outlet {
	struct list_head ready;
	void (*flow)(struct outlet *outlet);
};

/**
 * struct srqpool_reader - an open file that is attached to a pool
 * @user: on the pool; a reference of the file, and of each connection
 * @entries: of each ring; 0 in read mode
 * @map: its buffers as a program sees them, referenced; in ring mode
 * @rings: one for each shard; in ring mode
 * @nr_rings: how many
 * @node: the list of readers, under their lock
 * @inst: the pool on its device, until it is dead
 * @conns: its connections by number, until it was told that they are down
 * @lock: what follows. Taken by the poller, never with interrupts off
 * @open: it gets connections
 * @dead: it gets nothing any more
 * @nr_known: connections in @conns
 * @nr_conns: those that are not closed
 * @nr_sends: messages it wrote that are not sent
 * @outlet: to read()
 * @hungry: connections that wait for memory to write to, by class
 * @copying: messages that are being copied to the program
 * @sends: memory to write to, by class
 * @stats: for the program
 * @wait: woken when there is something to tell
 * @idle: woken when @nr_conns or @nr_sends falls to 0
 */
struct srqpool_reader {
	struct pool_user user;
	u32 entries;
	struct srqpool_map *map;
	struct reader_ring *rings;
	u32 nr_rings;
	struct list_head node;
	struct srqpool_instance *inst;
	struct xarray conns;
	spinlock_t lock;	/* see above */
	bool open;
	bool dead;
	u32 nr_known;
	u32 nr_conns;
	u32 nr_sends;
	struct outlet outlet;
	struct list_head hungry[SRQPOOL_CLASSES_MAX];
	struct list_head copying;
	struct sends sends[SRQPOOL_CLASSES_MAX];
	struct srqpool_reader_stats stats;
	wait_queue_head_t wait;
	wait_queue_head_t idle;
};

/**
 * struct reader_conn - a connection of a reader, for as long as that knows it
 * @ref: one of the connection, one of the reader's table, one for each message
 *	written or with the program, and for each look
 * @reader: the reader, referenced
 * @number: of the connection
 * @class: index of its class
 * @max_send: bytes of the largest message that may be written to it
 * @conn: the connection until it is closed, under the reader's lock as all
 *	that follows
 * @open: it can be written to
 * @tell: what is to be told beside @msgs, a bit for each enum
 *	srqpool_record_type
 * @known: the reader was told that it is up, or will be
 * @parked: it is on a list of a ring instead of @outlet's, as it has only
 *	messages and the program cannot get one now
 * @taken: a record of it is being copied to the program: the next one waits
 * @msgs: messages to be read, in order
 * @outlet: by which it tells
 * @ready: the outlet's list
 * @hungry: the reader's list
 * @nr_sends: messages written that are not sent
 * @full: a message was refused for want of room
 */
struct reader_conn {
	struct kref ref;
	struct srqpool_reader *reader;
	u64 number;
	u32 class;
	u32 max_send;
	struct srqpool_conn *conn;
	bool open;
	unsigned long tell;
	bool known;
	bool parked;
	bool taken;
	struct list_head msgs;
	struct outlet *outlet;
	struct list_head ready;
	struct list_head hungry;
	u32 nr_sends;
	bool full;
};

void reader_put(struct srqpool_reader *reader);
void reader_conn_put(struct reader_conn *rc);
bool reader_conn_erase(struct reader_conn *rc);

#endif /* SRQPOOL_READER_CONN_H */
