/* SPDX-License-Identifier: GPL-2.0 */
/* buffer: receive buffers, where their memory comes from and who owns it. */
#ifndef SRQPOOL_BUFFER_H
#define SRQPOOL_BUFFER_H

#include <linux/list.h>
#include <linux/llist.h>
#include <linux/rcupdate.h>
#include <linux/spinlock.h>
#include <rdma/ib_verbs.h>
#include "include/srqpool.h"
#include "map.h"

struct srqpool_queue;
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

/**
 * struct srqpool_memory - where buffers come from
 * @pd: the pool's PD
 * @budget: what they are charged to
 * @map: where programs see them, or NULL
 */
struct srqpool_memory {
	struct ib_pd *pd;
	struct srqpool_budget *budget;
	struct srqpool_map *map;
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
 * struct srqpool_buf - a receive buffer, a copy in the arena, or one to be sent
 * @msg: the message in it, while held
 * @cqe: leads from a work completion back to the buffer
 * @queue: the queue it belongs to; changes only while its whole slab is free
 * @slab: the memory it is cut from
 * @list: free list, batch list, or a connection's send list
 * @box: on its way to the shard's poller
 * @sge: where it is for the device
 * @rwr: work request that posts it to the SRQ
 * @swr: work request that sends its content
 * @data: where it is for the CPU
 * @since: when it was found overdue, ns, 0 if it was not
 * @epoch: what its queue's epoch was then
 * @seq: its place in the order of posts to the queue
 * @state: enum buffer_state
 * @granules: buffers of the arena that a copy takes; 0: not a copy
 * @sent: it was written to be sent: called when that is done
 * @credit: its send has a credit
 * @owner: who may touch the memory; built only with SRQPOOL_DEBUG
 */
struct srqpool_buf {
	struct srqpool_msg msg;
	struct ib_cqe cqe;
	struct srqpool_queue *queue;
	struct srqpool_slab *slab;
	union {
		struct list_head list;
		struct llist_node box;
	};
	struct ib_sge sge;
	union {
		struct ib_recv_wr rwr;
		struct ib_send_wr swr;
	};
	void *data;
	void (*sent)(struct srqpool_buf *buf);
	u64 since;
	u64 seq;
	u32 epoch;
	u16 granules;
	u8 state;
	bool credit;
#ifdef SRQPOOL_DEBUG
	enum buffer_owner owner;
#endif
};

/**
 * struct srqpool_slab - pages mapped once and cut into buffers
 * @list: the queue's list of slabs
 * @page: the pages, one compound page
 * @dma: their address for the device
 * @first: number of the first page in the map
 * @order: how many
 * @nr: number of buffers
 * @nr_free: how many of them are on the free list, under the queue's lock
 * @keep: part of the floor: posted first, given away last
 * @block: the block of an arena that it is, or NULL
 * @kept: it is unmapped, and goes with so many buffers that are still held; 0:
 *	it is mapped
 * @rcu: frees it then
 * @buf: the buffers
 */
struct srqpool_slab {
	struct list_head list;
	struct page *page;
	u64 dma;
	pgoff_t first;
	unsigned int order;
	u32 nr;
	u32 nr_free;
	bool keep;
	struct arena_block *block;
	u32 kept;
	struct rcu_head rcu;
	struct srqpool_buf buf[];
};

static inline struct srqpool_buf *buffer_of(struct srqpool_msg *msg)
{
	return container_of(msg, struct srqpool_buf, msg);
}

struct srqpool_slab *buffer_slab_alloc(const struct srqpool_memory *mem,
				       u32 size, u32 want, bool keep);
void buffer_slab_free(const struct srqpool_memory *mem,
		      struct srqpool_slab *slab);
bool buffer_slab_try_hide(const struct srqpool_memory *mem,
			  struct srqpool_slab *slab);
void buffer_slab_leave(const struct srqpool_memory *mem,
		       struct srqpool_slab *slab, spinlock_t *lock);
void buffer_give_back_late(struct srqpool_buf *buf);
u64 buffer_offset(const struct srqpool_buf *buf);
void buffer_to_device(struct ib_device *ibdev, struct srqpool_buf *buf);
void buffer_from_device(struct srqpool_buf *buf);
const void *buffer_data(struct ib_device *ibdev, struct srqpool_buf *buf,
			u32 len);
void buffer_copy(struct ib_device *ibdev, struct srqpool_buf *to,
		 struct srqpool_buf *from, u32 len);

#endif /* SRQPOOL_BUFFER_H */
