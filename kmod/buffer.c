// SPDX-License-Identifier: GPL-2.0
#include <linux/mm.h>
#include <linux/slab.h>
#include "buffer.h"
#include "fault.h"

/* Slabs larger than one buffer are at most 64 KiB: larger pages get scarce. */
#define SLAB_ORDER_MAX	get_order(65536)

static size_t slab_bytes(unsigned int order)
{
	return PAGE_SIZE << order;
}

static bool budget_charge(struct srqpool_budget *budget, size_t bytes)
{
	s64 old = atomic64_read(&budget->pinned);

	do {
		if (old + bytes > READ_ONCE(budget->max))
			return false;
	} while (!atomic64_try_cmpxchg(&budget->pinned, &old, old + bytes));
	/* pool_set() may have lowered it meanwhile. */
	if (old + bytes <= READ_ONCE(budget->max))
		return true;
	atomic64_sub(bytes, &budget->pinned);
	return false;
}

/*
 * What stays comes in the largest slab that wastes nothing when @want more
 * buffers are needed; what is to go again comes in the smallest.
 */
static unsigned int slab_order(u32 size, u32 want, bool keep)
{
	unsigned int order = get_order(size);

	while (keep && order < SLAB_ORDER_MAX && slab_bytes(order + 1) / size <= want)
		order++;
	return order;
}

/* Returns NULL without memory, an error pointer of -ENOSPC without budget. */
static struct page *slab_pages(struct srqpool_budget *budget, int node,
			       unsigned int order, gfp_t gfp)
{
	struct page *page;

	if (!budget_charge(budget, slab_bytes(order)))
		return ERR_PTR(-ENOSPC);
	page = alloc_pages_node(node, GFP_KERNEL | __GFP_COMP | __GFP_ZERO |
				__GFP_NOWARN | gfp, order);
	if (!page)
		atomic64_sub(slab_bytes(order), &budget->pinned);
	return page;
}

static void slab_cut(struct ib_pd *pd, struct srqpool_slab *slab, u32 size)
{
	void *data = page_address(slab->page);
	u32 i;

	for (i = 0; i < slab->nr; i++) {
		struct srqpool_buf *buf = &slab->buf[i];

		buf->slab = slab;
		buf->data = data + (size_t)i * size;
		buf->sge.addr = slab->dma + (u64)i * size;
		buf->sge.length = size;
		buf->sge.lkey = pd->local_dma_lkey;
	}
}

/**
 * buffer_slab_alloc - allocate, map and cut memory for buffers
 * @mem: where it comes from
 * @size: bytes of a buffer
 * @want: buffers wanted, at least 1
 * @keep: they are to stay
 *
 * Context: process, sleeps, no lock held.
 *
 * Return: a slab of 1 to @want buffers, so the caller asks again for what is
 * missing; -ENOSPC at the budget, -ENOMEM without memory, -EIO if it cannot
 * be mapped for the device.
 */
struct srqpool_slab *buffer_slab_alloc(const struct srqpool_memory *mem,
				       u32 size, u32 want, bool keep)
{
	unsigned int order = slab_order(size, want, keep);
	int node = ibdev_to_node(mem->pd->device);
	struct srqpool_slab *slab;
	struct page *page = NULL;
	int ret = -ENOMEM;
	u32 nr;

	if (fault_hit(FAULT_ALLOC))
		return ERR_PTR(-ENOMEM);
	if (order > get_order(size)) {
		page = slab_pages(mem->budget, node, order, __GFP_NORETRY);
		if (IS_ERR_OR_NULL(page))
			order = get_order(size);
	}
	if (IS_ERR_OR_NULL(page))
		page = slab_pages(mem->budget, node, order, __GFP_RETRY_MAYFAIL);
	if (IS_ERR(page))
		return ERR_CAST(page);
	if (!page)
		return ERR_PTR(-ENOMEM);

	nr = min_t(size_t, slab_bytes(order) / size, want);
	slab = kvzalloc_node(struct_size(slab, buf, nr),
			     GFP_KERNEL | __GFP_NOWARN | __GFP_RETRY_MAYFAIL,
			     node);
	if (!slab)
		goto free_pages;
	slab->page = page;
	slab->order = order;
	slab->nr = nr;
	slab->keep = keep;
	if (mem->map)
		ret = map_add(mem->map, page, order, &slab->first);
	else
		ret = 0;
	if (ret)
		goto free_slab;
	slab->dma = ib_dma_map_page(mem->pd->device, page, 0, slab_bytes(order),
				    DMA_BIDIRECTIONAL);
	ret = -EIO;
	if (ib_dma_mapping_error(mem->pd->device, slab->dma))
		goto del_map;
	slab_cut(mem->pd, slab, size);
	return slab;

del_map:
	if (mem->map)
		map_del(mem->map, slab->first);
free_slab:
	kvfree(slab);
free_pages:
	__free_pages(page, order);
	atomic64_sub(slab_bytes(order), &mem->budget->pinned);
	return ERR_PTR(ret);
}

/* From programs. */
static void hide(const struct srqpool_memory *mem, struct srqpool_slab *slab)
{
	if (mem->map)
		map_del(mem->map, slab->first);
}

/* From the device. */
static void slab_unmap(const struct srqpool_memory *mem,
		       struct srqpool_slab *slab)
{
	ib_dma_unmap_page(mem->pd->device, slab->dma, slab_bytes(slab->order),
			  DMA_BIDIRECTIONAL);
	atomic64_sub(slab_bytes(slab->order), &mem->budget->pinned);
}

static void slab_free(const struct srqpool_memory *mem,
		      struct srqpool_slab *slab)
{
	slab_unmap(mem, slab);
	__free_pages(slab->page, slab->order);
	kvfree(slab);
}

/**
 * buffer_slab_try_hide - take a slab out of all programs, in reclaim
 * @mem: where it came from
 * @slab: to be freed
 *
 * Context: process, sleeps.
 *
 * Return: false if it cannot be had now.
 */
bool buffer_slab_try_hide(const struct srqpool_memory *mem,
			  struct srqpool_slab *slab)
{
	return !mem->map || map_try_del(mem->map, slab->first);
}

/**
 * buffer_slab_free - unmap and free a slab
 * @mem: where it came from
 * @slab: none of its buffers is posted or held
 *
 * No program sees it any more; who has pinned its pages keeps them.
 *
 * Context: process, sleeps.
 */
void buffer_slab_free(const struct srqpool_memory *mem,
		      struct srqpool_slab *slab)
{
	hide(mem, slab);
	slab_free(mem, slab);
}

static u32 nr_held(const struct srqpool_slab *slab)
{
	u32 nr = 0, i;

	for (i = 0; i < slab->nr; i++)
		nr += slab->buf[i].state == BUFFER_HELD;
	return nr;
}

/**
 * buffer_slab_leave - unmap a slab, and free it once none of its buffers is held
 * @mem: where it came from, and is accounted for no more
 * @slab: none of its buffers is posted; what is held stays readable
 * @lock: what they are given back under, by buffer_give_back_late()
 *
 * No program sees it any more.
 *
 * Context: process, sleeps.
 */
void buffer_slab_leave(const struct srqpool_memory *mem,
		       struct srqpool_slab *slab, spinlock_t *lock)
{
	u32 kept;

	hide(mem, slab);
	spin_lock_irq(lock);
	kept = nr_held(slab);
	if (kept) {
		slab_unmap(mem, slab);
		slab->kept = kept;
	}
	spin_unlock_irq(lock);
	if (!kept)
		slab_free(mem, slab);
}

/**
 * buffer_give_back_late - a buffer comes back whose queue or arena is gone
 * @buf: held
 *
 * Context: any, under the lock given to buffer_slab_leave(), which may be yet to
 * come.
 */
void buffer_give_back_late(struct srqpool_buf *buf)
{
	struct srqpool_slab *slab = buf->slab;

	buf->state = BUFFER_FREE;
	if (!slab->kept || --slab->kept)
		return;
	__free_pages(slab->page, slab->order);
	kvfree_rcu(slab, rcu);
}

/* Where a program finds the buffer in what it mapped, in bytes. */
u64 buffer_offset(const struct srqpool_buf *buf)
{
	const struct srqpool_slab *slab = buf->slab;

	return ((u64)slab->first << PAGE_SHIFT) +
	       (buf->data - page_address(slab->page));
}

static void set_owner(struct srqpool_buf *buf, enum buffer_owner owner)
{
#ifdef SRQPOOL_DEBUG
	WARN_ONCE(buf->owner == owner, "buffer handed over twice, owner %d\n",
		  owner);
	buf->owner = owner;
#endif
}

/**
 * buffer_to_device - give the memory to the device, before a receive is posted
 * @ibdev: the device
 * @buf: owned by the CPU
 *
 * Context: any. After it the CPU must not touch @buf->data.
 */
void buffer_to_device(struct ib_device *ibdev, struct srqpool_buf *buf)
{
	set_owner(buf, BUFFER_DEVICE);
	ib_dma_sync_single_for_device(ibdev, buf->sge.addr, buf->sge.length,
				      DMA_BIDIRECTIONAL);
}

/**
 * buffer_from_device - note that the device is done with a buffer
 * @buf: owned by the device
 *
 * Context: any. Nothing is synchronised: what the CPU is to read goes through
 * buffer_data().
 */
void buffer_from_device(struct srqpool_buf *buf)
{
	set_owner(buf, BUFFER_CPU);
}

/**
 * buffer_data - have the CPU look at a received message
 * @ibdev: the device
 * @buf: owned by the CPU, or a copy, which no device has written to
 * @len: bytes of the message
 *
 * Context: any.
 */
const void *buffer_data(struct ib_device *ibdev, struct srqpool_buf *buf,
			u32 len)
{
	ib_dma_sync_single_for_cpu(ibdev, buf->sge.addr, len, DMA_BIDIRECTIONAL);
	return buf->data;
}

/**
 * buffer_copy - copy a received message into a buffer to be sent or held
 * @ibdev: the device
 * @to: owned by the CPU; afterwards by the device
 * @from: owned by the CPU
 * @len: bytes
 *
 * Context: any.
 */
void buffer_copy(struct ib_device *ibdev, struct srqpool_buf *to,
		 struct srqpool_buf *from, u32 len)
{
	memcpy(to->data, buffer_data(ibdev, from, len), len);
	to->sge.length = len;
	buffer_to_device(ibdev, to);
}
