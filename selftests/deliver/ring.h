/* SPDX-License-Identifier: GPL-2.0 */
/* ring: the program's side of /dev/srqpool in ring mode, as srqpool.h describes it. */
#ifndef DELIVER_RING_H
#define DELIVER_RING_H

#include <errno.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <linux/srqpool.h>

/* Of the buffers, this much is mapped. */
#define RING_WINDOW	(1ULL << 36)
#define RINGS_MAX	64

struct rings {
	int fd;
	int lazy;	/* kicks are forgotten */
	struct srqpool_ring_info info;
	struct srqpool_ring *ring[RINGS_MAX];
	const char *buffers;
};

/* Of a message: where it came from, and what to return. */
struct ring_message {
	int ring;
	uint32_t index;
	uint32_t len;
	const char *data;
};

static inline struct srqpool_desc *ring_descs(const struct rings *r, int n)
{
	return (void *)((char *)r->ring[n] + SRQPOOL_RING_DESCS);
}

static inline struct srqpool_return *ring_returns(const struct rings *r, int n)
{
	return (void *)((char *)r->ring[n] + SRQPOOL_RING_RETURNS(r->info.entries));
}

/* Maps all rings and the buffers of an attached file; returns 0 or -1. */
static inline int rings_map(struct rings *r, int fd)
{
	unsigned int i;

	r->fd = fd;
	if (ioctl(fd, SRQPOOL_IOC_RING, &r->info))
		return -1;
	if (r->info.rings > RINGS_MAX)
		return -1;
	for (i = 0; i < r->info.rings; i++) {
		r->ring[i] = mmap(NULL, r->info.ring_bytes, PROT_READ | PROT_WRITE, MAP_SHARED,
				  fd, SRQPOOL_MMAP_RING(i));
		if (r->ring[i] == MAP_FAILED)
			return -1;
	}
	r->buffers = mmap(NULL, RING_WINDOW, PROT_READ, MAP_SHARED | MAP_NORESERVE, fd,
			  SRQPOOL_MMAP_BUFFERS);
	return r->buffers == MAP_FAILED ? -1 : 0;
}

/* Calls the kernel if it asks for that after what was just stored; returns 1 if it did. */
static inline int ring_kick(const struct rings *r, int n, uint32_t flag)
{
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	if (r->lazy || !(__atomic_load_n(&r->ring[n]->flags, __ATOMIC_RELAXED) & flag))
		return 0;
	ioctl(r->fd, SRQPOOL_IOC_KICK, (unsigned long)n);
	return 1;
}

/* Copies the next descriptor of a ring; 0 without one. It is to be taken then. */
static inline int ring_next(const struct rings *r, int n, struct srqpool_desc *desc)
{
	struct srqpool_ring *ring = r->ring[n];
	uint32_t tail = ring->desc_tail;

	if (tail == __atomic_load_n(&ring->desc_head, __ATOMIC_ACQUIRE))
		return 0;
	*desc = ring_descs(r, n)[tail & (r->info.entries - 1)];
	return 1;
}

static inline void ring_take(const struct rings *r, int n)
{
	__atomic_store_n(&r->ring[n]->desc_tail, r->ring[n]->desc_tail + 1, __ATOMIC_RELEASE);
	ring_kick(r, n, SRQPOOL_RING_KICK_TAKE);
}

/* Writes a return; the kernel does not see it before ring_publish(). */
static inline void ring_put(const struct rings *r, int n, uint32_t at,
			    const struct srqpool_return *ret)
{
	ring_returns(r, n)[(r->ring[n]->return_head + at) & (r->info.entries - 1)] = *ret;
}

static inline int ring_publish(const struct rings *r, int n, uint32_t count)
{
	struct srqpool_ring *ring = r->ring[n];

	__atomic_store_n(&ring->return_head, ring->return_head + count, __ATOMIC_RELEASE);
	return ring_kick(r, n, SRQPOOL_RING_KICK_RETURN);
}

static inline int ring_return(const struct rings *r, int n, uint32_t index, uint32_t flags,
			      uint32_t len)
{
	struct srqpool_return ret = { .index = index, .flags = flags, .len = len };

	ring_put(r, n, 0, &ret);
	return ring_publish(r, n, 1);
}

#endif /* DELIVER_RING_H */
