/* SPDX-License-Identifier: GPL-2.0 */
/*
 * policy: the arithmetic of pools. No kernel object is touched here, so that
 * the same file is compiled into the module and into a host test.
 */
#ifndef SRQPOOL_POLICY_H
#define SRQPOOL_POLICY_H

#ifdef __KERNEL__
#include <linux/types.h>
#else
#include "policy_host.h"
#endif
#include <linux/srqpool.h>

/* CQ entries that are nobody's credit: room for what a device adds itself. */
#define POLICY_CQ_SPARE		64
/* Credits of a shard for sends that own no buffer. */
#define POLICY_SEND_CREDITS	1024
/* Of the spare entries, those for keep-alives when there is no such credit. */
#define POLICY_PROBE_CREDITS	32
/* Fewer posted buffers than this in a queue can deadlock its peers. */
#define POLICY_SHALLOW		128
#define POLICY_SHARDS_MAX	256
/* Most buffers of a handler reserve. */
#define POLICY_RESERVE_CHAIN	64
/* A quota or reserve that follows from the class. */
#define POLICY_AUTO		(~0U)
/* An automatic mark is this many times what a refill was seen to take. */
#define POLICY_MARK_MARGIN	4
/* An automatic mark, in percent of the target, before anything was measured. */
#define POLICY_MARK_PERCENT	12
/* Most seconds of aging: a day. */
#define POLICY_AGING_MAX	86400
/* The same of keep-alive. */
#define POLICY_KEEPALIVE_MAX	86400
/* The time in which events are counted. */
#define POLICY_SECOND_NS	1000000000ULL

/**
 * struct srqpool_class_config - a class as it was asked for
 * @name: NUL-terminated
 * @size: bytes of a buffer
 * @floor: fewest buffers, over all shards
 * @ceiling: most buffers, over all shards
 * @mark_kind: enum srqpool_mark_kind
 * @mark_value: buffers or percent, as @mark_kind says
 */
struct srqpool_class_config {
	char name[SRQPOOL_NAME_MAX + 1];
	u32 size;
	u32 floor;
	u32 ceiling;
	u32 mark_kind;
	u32 mark_value;
};

/**
 * struct srqpool_config - a pool as it was asked for
 * @name: NUL-terminated
 * @dev: name of the RDMA device
 * @shards: 0: automatic, replaced by policy_check()
 * @budget: most bytes that may be pinned
 * @rnr_timer_us: minimum RNR NAK timer in microseconds
 * @poll: enum srqpool_poll
 * @poll_usec: microseconds that hybrid polling spins
 * @refill: enum srqpool_refill
 * @dedicated: depth of each connection's own receive queue, 0: shared
 * @quota: most buffers a connection may hold, or POLICY_AUTO
 * @quota_policy: enum srqpool_quota_policy
 * @reserve: posted buffers that holders may not eat into, or POLICY_AUTO
 * @copybreak: bytes up to which a message is copied rather than held
 * @aging: seconds without a low-water crossing before the target is halved
 * @keepalive: seconds after which a silent peer is asked whether it is there
 * @nr_classes: used entries of @classes
 * @classes: the classes, the first is the default
 */
struct srqpool_config {
	char name[SRQPOOL_NAME_MAX + 1];
	char dev[64];
	u32 shards;
	u64 budget;
	u32 rnr_timer_us;
	u32 poll;
	u32 poll_usec;
	u32 refill;
	u32 dedicated;
	u32 quota;
	u32 quota_policy;
	u32 reserve;
	u32 copybreak;
	u32 aging;
	u32 keepalive;
	u32 nr_classes;
	struct srqpool_class_config classes[SRQPOOL_CLASSES_MAX];
};

/**
 * struct srqpool_limits - what the machine allows
 * @max_srq: SRQs of the device
 * @max_srq_wr: deepest SRQ
 * @max_cqe: largest CQ
 * @vectors: completion vectors
 * @cpus: online CPUs
 */
struct srqpool_limits {
	u32 max_srq;
	u32 max_srq_wr;
	u32 max_cqe;
	u32 vectors;
	u32 cpus;
};

/**
 * struct srqpool_refusal - why a request was refused, or a warning about it
 * @err: negative errno; 0: @text, if any, is a warning
 * @attr: SRQPOOL_A_* of the object that is to blame, 0 if none
 * @cls: index of the class that is to blame, -1 if none; @attr is then one
 *	of SRQPOOL_A_CLASS_*
 * @text: for people
 */
struct srqpool_refusal {
	int err;
	int attr;
	int cls;
	char text[200];
};

/**
 * struct policy_rate - how often something was told lately
 * @since_ns: when this second began
 * @told: times in it
 * @kept_back: times in it that were too many
 */
struct policy_rate {
	u64 since_ns;
	u32 told;
	u32 kept_back;
};

__printf(5, 6)
int policy_refuse(struct srqpool_refusal *r, int err, int cls, int attr,
		  const char *fmt, ...);
__printf(2, 3)
void policy_warn(struct srqpool_refusal *r, const char *fmt, ...);

bool policy_name_ok(const char *name);
u32 policy_share(u32 total, u32 parts, u32 part);
u32 policy_auto_shards(const struct srqpool_limits *lim, u32 smallest_floor);
u64 policy_srq_wr(u32 depth);
u32 policy_handler_reserve(u32 depth, u32 floor);
u32 policy_mark(const struct srqpool_class_config *c, u32 shards, u32 shard,
		u32 target, u32 measured);
u32 policy_auto_mark(u32 target, u64 per_sec, u64 latency_ns);
u32 policy_grow(u32 target, u32 posted, u32 mark, u32 depth);
int policy_class_for(const struct srqpool_config *cfg, u32 bytes);
u32 policy_age(u32 target, u32 floor);
u32 policy_quota(const struct srqpool_config *cfg, u32 cls);
u32 policy_reserve(const struct srqpool_config *cfg, u32 cls);
u64 policy_arena(const struct srqpool_config *cfg);
bool policy_degraded(u32 lost, u32 ceiling);
u64 policy_cqe_needed(const struct srqpool_config *cfg, u32 shard);
u32 policy_cqe(const struct srqpool_config *cfg, u32 shard, u32 max_cqe);
u32 policy_send_credits(const struct srqpool_config *cfg, u32 shard, u32 cqe);
u32 policy_dedicated_conns(const struct srqpool_config *cfg, u32 cqe);
int policy_rnr_code(u32 usec, u32 *below, u32 *above);
int policy_check_mark(const struct srqpool_class_config *c, int cls,
		      struct srqpool_refusal *r);
int policy_check(struct srqpool_config *cfg, const struct srqpool_limits *lim,
		 struct srqpool_refusal *r);

u32 policy_event_rate(u32 type);
u32 policy_rate_over(struct policy_rate *rate, u64 now_ns);
bool policy_rate_allow(struct policy_rate *rate, u32 most);

#endif /* SRQPOOL_POLICY_H */
