/* SPDX-License-Identifier: GPL-2.0 */
/* fault: makes things fail on purpose, in test builds only. */
#ifndef SRQPOOL_FAULT_H
#define SRQPOOL_FAULT_H

#include <rdma/ib_verbs.h>

/**
 * enum fault_point - what can be made to fail
 * @FAULT_ALLOC: the allocation of buffers
 * @FAULT_MODIFY: ib_modify_srq(), before the device sees it
 * @FAULT_EVENT_SWALLOW: a limit event is not seen
 * @FAULT_EVENT_DUP: a limit event comes twice
 * @FAULT_EVENT_LATE: a limit event comes 20 ms late
 * @FAULT_LAST_WQE: LAST_WQE_REACHED is not seen
 * @FAULT_BAD_WR: a post that fails names no element
 * @FAULT_SPARE: a queue gets one buffer more than its depth
 * @FAULT_LOOK: the watchdog's look for what programs gave back
 * @FAULT_POINTS: how many there are
 */
enum fault_point {
	FAULT_ALLOC,
	FAULT_MODIFY,
	FAULT_EVENT_SWALLOW,
	FAULT_EVENT_DUP,
	FAULT_EVENT_LATE,
	FAULT_LAST_WQE,
	FAULT_BAD_WR,
	FAULT_SPARE,
	FAULT_LOOK,
	FAULT_POINTS,
};

#define FAULT_EVENT_LATE_MS	20

/**
 * enum fault_limit - what a device can be made to have less of
 * @FAULT_MAX_CQE: entries of a CQ
 * @FAULT_MAX_SRQ_WR: entries of an SRQ
 * @FAULT_LIMITS: how many there are
 */
enum fault_limit {
	FAULT_MAX_CQE,
	FAULT_MAX_SRQ_WR,
	FAULT_LIMITS,
};

#ifdef SRQPOOL_TEST
void fault_init(void);
void fault_exit(void);
bool fault_hit(enum fault_point point);
u32 fault_limit(enum fault_limit what, u32 limit);
int fault_post_srq_recv(struct ib_srq *srq, struct ib_recv_wr *wr,
			const struct ib_recv_wr **bad);
#else
static inline void fault_init(void) {}
static inline void fault_exit(void) {}

static inline bool fault_hit(enum fault_point point)
{
	return false;
}

static inline u32 fault_limit(enum fault_limit what, u32 limit)
{
	return limit;
}

static inline int fault_post_srq_recv(struct ib_srq *srq, struct ib_recv_wr *wr,
				      const struct ib_recv_wr **bad)
{
	return ib_post_srq_recv(srq, wr, bad);
}
#endif

#endif /* SRQPOOL_FAULT_H */
