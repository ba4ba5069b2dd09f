/* SPDX-License-Identifier: GPL-2.0 */
/* buffer: receive buffers, where their memory comes from and who owns it. */
#ifndef SRQPOOL_BUFFER_H
#define SRQPOOL_BUFFER_H

#include <linux/list.h>
#include <linux/llist.h>
#include <rdma/ib_verbs.h>

struct srqpool_queue;
struct srqpool_conn;

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

/**
 * struct srqpool_buf - one receive buffer
 * @cqe: leads from a work completion back to the buffer
 * @queue: the queue it belongs to, for life
 * @list: free list, batch list, or a connection's send list
 * @returned: the queue's list of buffers given back outside its poller
 * @sge: where it is for the device
 * @rwr: work request that posts it to the SRQ
 * @swr: work request that sends its content
 * @conn: connection that holds it, while held
 * @data: where it is for the CPU
 * @len: bytes of the message in it, while held
 * @owner: who may touch the memory; built only with SRQPOOL_DEBUG
 */
struct srqpool_buf {
	struct ib_cqe cqe;
	struct srqpool_queue *queue;
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
 * @buf: the buffers
 */
struct srqpool_slab {
	struct list_head list;
	struct page *page;
	u64 dma;
	unsigned int order;
	u32 nr;
	struct srqpool_buf buf[];
};

struct srqpool_slab *buffer_slab_alloc(struct ib_pd *pd,
				       struct srqpool_budget *budget, u32 size,
				       u32 want);
void buffer_slab_free(struct ib_device *ibdev, struct srqpool_budget *budget,
		      struct srqpool_slab *slab);
void buffer_to_device(struct ib_device *ibdev, struct srqpool_buf *buf);
void buffer_from_device(struct srqpool_buf *buf);

#endif /* SRQPOOL_BUFFER_H */
