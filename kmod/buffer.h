/* SPDX-License-Identifier: GPL-2.0 */
/* buffer: receive buffers, where their memory comes from and who owns it. */
#ifndef SRQPOOL_BUFFER_H
#define SRQPOOL_BUFFER_H

#include <linux/list.h>
#include <linux/llist.h>
#include <rdma/ib_verbs.h>

struct srqpool_queue;
struct srqpool_conn;
struct srqpool_slab;
struct arena_block;

/**
 * struct srqpool_budget - bytes a pool pins, and the most it may
 * @pinned: bytes pinned now
 * @max: never exceeded; may be lowered below @pinned, which only stops growth
 */
struct srqpool_budget {
	atomic64_t pinned;
	u64 max;
};

enum buffer_owner {
	BUFFER_CPU,
	BUFFER_DEVICE,
};

enum buffer_state {
	BUFFER_FREE,
	BUFFER_POSTED,
	BUFFER_HELD,
	BUFFER_LOST,
};

/**
 * struct srqpool_buf - one receive buffer, or a copy in the arena
 * @cqe: leads from a work completion back to the buffer
 * @queue: the queue it belongs to; changes only while its whole slab is free
 * @slab: the memory it is cut from
 * @list: free list, batch list, or a connection's send list
 * @returned: the queue's list of buffers given back outside its poller
 * @sge: where it is for the device
 * @rwr: work request that posts it to the SRQ
 * @swr: work request that sends its content
 * @conn: connection that holds it, while held
 * @data: where it is for the CPU
 * @len: bytes of the message in it, while held; while posted, what its queue's
 *	epoch was when it was found overdue
 * @since: when it was received, ns, while held; while posted, when it was found
 *	overdue, 0 if it was not
 * @seq: its place in the order of posts to the queue
 * @state: enum buffer_state
 * @granules: buffers of the arena that a copy takes; 0: not a copy
 * @owner: who may touch the memory; built only with SRQPOOL_DEBUG
 */
struct srqpool_buf {
	struct ib_cqe cqe;
	struct srqpool_queue *queue;
	struct srqpool_slab *slab;
	union {
		struct list_head list;
		struct llist_node returned;
	};
	struct ib_sge sge;
	union {
		struct ib_recv_wr rwr;
		struct ib_send_wr swr;
	};
	struct srqpool_conn *conn;
	void *data;
	u32 len;
	u64 since;
	u64 seq;
	u8 state;
	u16 granules;
#ifdef SRQPOOL_DEBUG
	enum buffer_owner owner;
#endif
};

/**
 * struct srqpool_slab - pages mapped once and cut into buffers
 * @list: the queue's list of slabs
 * @page: the pages, one compound page
 * @dma: their address for the device
 * @order: how many
 * @nr: number of buffers
 * @nr_free: how many of them are on the free list, under the queue's lock
 * @keep: part of the floor: posted first, given away last
 * @block: the block of an arena that it is, or NULL
 * @buf: the buffers
 */
struct srqpool_slab {
	struct list_head list;
	struct page *page;
	u64 dma;
	unsigned int order;
	u32 nr;
	u32 nr_free;
	bool keep;
	struct arena_block *block;
	struct srqpool_buf buf[];
};

struct srqpool_slab *buffer_slab_alloc(struct ib_pd *pd,
				       struct srqpool_budget *budget, u32 size,
				       u32 want, bool keep);
void buffer_slab_free(struct ib_device *ibdev, struct srqpool_budget *budget,
		      struct srqpool_slab *slab);
void buffer_to_device(struct ib_device *ibdev, struct srqpool_buf *buf);
void buffer_from_device(struct srqpool_buf *buf);
const void *buffer_data(struct ib_device *ibdev, struct srqpool_buf *buf,
			u32 len);
void buffer_copy(struct ib_device *ibdev, struct srqpool_buf *to,
		 struct srqpool_buf *from, u32 len);

#endif /* SRQPOOL_BUFFER_H */
