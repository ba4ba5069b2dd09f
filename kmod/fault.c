// SPDX-License-Identifier: GPL-2.0
/*
 * Plain numbers in debugfs, the same on every kernel: each says how many times
 * more its point fails, or what a device has at most.
 */
#include <linux/debugfs.h>
#include "fault.h"

static const char * const names[FAULT_POINTS] = {
	[FAULT_ALLOC] = "alloc",
	[FAULT_MODIFY] = "modify",
	[FAULT_EVENT_SWALLOW] = "event_swallow",
	[FAULT_EVENT_DUP] = "event_dup",
	[FAULT_EVENT_LATE] = "event_late",
	[FAULT_LAST_WQE] = "last_wqe",
	[FAULT_BAD_WR] = "bad_wr_null",
	[FAULT_SPARE] = "spare",
	[FAULT_LOOK] = "look",
};

static const char * const limit_names[FAULT_LIMITS] = {
	[FAULT_MAX_CQE] = "max_cqe",
	[FAULT_MAX_SRQ_WR] = "max_srq_wr",
};

static atomic_t left[FAULT_POINTS];
/* 0: what the device says. */
static u32 limits[FAULT_LIMITS];
/* From 1: which of the next receives is refused, and its chain with it; 0: none. */
static atomic_t post_at;
static struct dentry *dir;

/**
 * fault_hit - does it fail this time?
 * @point: what
 *
 * Context: any.
 */
bool fault_hit(enum fault_point point)
{
	return atomic_dec_if_positive(&left[point]) >= 0;
}

/**
 * fault_limit - a device's limit, or less
 * @what: which
 * @limit: what the device says
 */
u32 fault_limit(enum fault_limit what, u32 limit)
{
	u32 less = READ_ONCE(limits[what]);

	return less ? min(less, limit) : limit;
}

/*
 * Posts what precedes element @at and refuses the rest. A chain that is not so
 * long is posted, and counted.
 */
static int post_until(struct ib_srq *srq, struct ib_recv_wr *wr, int at,
		      const struct ib_recv_wr **bad)
{
	struct ib_recv_wr *last = NULL, *refused = wr;
	int ret = 0;

	while (refused && --at) {
		last = refused;
		refused = refused->next;
	}
	if (!refused) {
		atomic_set(&post_at, at);
		return ib_post_srq_recv(srq, wr, bad);
	}
	if (last) {
		last->next = NULL;
		ret = ib_post_srq_recv(srq, wr, bad);
		last->next = refused;
	}
	if (ret)
		return ret;
	*bad = refused;
	return -ENOMEM;
}

/**
 * fault_post_srq_recv - ib_post_srq_recv(), or a part of it
 * @srq: the SRQ
 * @wr: the chain
 * @bad: out, the first element that was not posted
 *
 * Context: any.
 */
int fault_post_srq_recv(struct ib_srq *srq, struct ib_recv_wr *wr,
			const struct ib_recv_wr **bad)
{
	int at;

	if (fault_hit(FAULT_BAD_WR)) {
		*bad = NULL;
		return -ENOMEM;
	}
	at = atomic_xchg(&post_at, 0);
	return at ? post_until(srq, wr, at, bad) : ib_post_srq_recv(srq, wr, bad);
}

void fault_init(void)
{
	int i;

	dir = debugfs_create_dir("srqpool_fault", NULL);
	for (i = 0; i < FAULT_POINTS; i++)
		debugfs_create_atomic_t(names[i], 0600, dir, &left[i]);
	for (i = 0; i < FAULT_LIMITS; i++)
		debugfs_create_u32(limit_names[i], 0600, dir, &limits[i]);
	debugfs_create_atomic_t("post_at", 0600, dir, &post_at);
}

void fault_exit(void)
{
	debugfs_remove(dir);
}
