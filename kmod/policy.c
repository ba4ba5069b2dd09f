// SPDX-License-Identifier: GPL-2.0
#ifdef __KERNEL__
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>
#endif
#include "policy.h"

/**
 * policy_refuse - note why something is refused
 * @r: where to
 * @err: negative errno
 * @cls: index of the class to blame, or -1
 * @attr: attribute to blame, or 0
 * @fmt: the reason
 *
 * Return: @err, so that a check can end with it.
 */
int policy_refuse(struct srqpool_refusal *r, int err, int cls, int attr,
		  const char *fmt, ...)
{
	va_list args;

	r->err = err;
	r->cls = cls;
	r->attr = attr;
	va_start(args, fmt);
	vsnprintf(r->text, sizeof(r->text), fmt, args);
	va_end(args);
	return err;
}

/**
 * policy_warn - note a warning; the first one is kept
 * @r: where to
 * @fmt: the warning
 */
void policy_warn(struct srqpool_refusal *r, const char *fmt, ...)
{
	va_list args;

	if (r->text[0])
		return;
	va_start(args, fmt);
	vsnprintf(r->text, sizeof(r->text), fmt, args);
	va_end(args);
}

/**
 * policy_name_ok - may this be the name of a pool or class?
 * @name: NUL-terminated
 *
 * Return: true for 1 to SRQPOOL_NAME_MAX printable ASCII characters without
 * '/' and blank. Not "." and "..": names can become paths.
 */
bool policy_name_ok(const char *name)
{
	size_t len = strlen(name);
	size_t i;

	if (!len || len > SRQPOOL_NAME_MAX)
		return false;
	if (!strcmp(name, ".") || !strcmp(name, ".."))
		return false;
	for (i = 0; i < len; i++)
		if (name[i] <= ' ' || name[i] > '~' || name[i] == '/')
			return false;
	return true;
}

/**
 * policy_share - what one of several parts gets of a total
 * @total: to split
 * @parts: number of parts, not 0
 * @part: which part, from 0
 *
 * Return: the share; remainders go to the first parts, so that the shares
 * add up to @total.
 */
u32 policy_share(u32 total, u32 parts, u32 part)
{
	return total / parts + (part < total % parts);
}

/**
 * policy_auto_shards - how many shards when nobody says
 * @lim: the machine
 * @smallest_floor: floor of the smallest class
 *
 * Return: one for each completion vector and CPU, as long as a queue keeps 32
 * buffers; at least 1.
 */
u32 policy_auto_shards(const struct srqpool_limits *lim, u32 smallest_floor)
{
	u32 n = smallest_floor / 32;

	if (n > lim->vectors)
		n = lim->vectors;
	if (n > lim->cpus)
		n = lim->cpus;
	if (n > POLICY_SHARDS_MAX)
		n = POLICY_SHARDS_MAX;
	return n ? n : 1;
}

/**
 * policy_srq_wr - entries to ask an SRQ for
 * @depth: the queue's share of the ceiling
 *
 * Return: 5/4 of @depth, rounded up: the quarter makes up for lost buffers.
 */
u64 policy_srq_wr(u32 depth)
{
	return ((u64)depth * 5 + 3) / 4;
}

/**
 * policy_handler_reserve - buffers kept for whoever answers a crossing
 * @depth: a queue's share of the ceiling
 * @floor: its share of the floor
 *
 * Return: at most a chain, and no more than the ceiling leaves above the
 * floor.
 */
u32 policy_handler_reserve(u32 depth, u32 floor)
{
	if (floor >= depth)
		return 0;
	return depth - floor < POLICY_RESERVE_CHAIN ? depth - floor :
						      POLICY_RESERVE_CHAIN;
}

/* What the class asks for, which may be 0 or above the target. */
static u32 wanted_mark(const struct srqpool_class_config *c, u32 shards,
		       u32 shard, u32 target, u32 measured)
{
	switch (c->mark_kind) {
	case SRQPOOL_MARK_AUTO:
		return measured ? measured :
				  (u64)target * POLICY_MARK_PERCENT / 100;
	case SRQPOOL_MARK_PERCENT:
		return (u64)target * c->mark_value / 100;
	default:
		return policy_share(c->mark_value, shards, shard);
	}
}

/**
 * policy_mark - the limit to arm a queue with
 * @c: its class
 * @shards: shards of the pool
 * @shard: the queue's shard
 * @target: the queue's target
 * @measured: what policy_auto_mark() made of the queue's traffic, 0: nothing
 *	yet; of an automatic mark only
 *
 * Return: 0 to @target - 1; 0 means never armed. An automatic mark is never 0
 * where there is room for 1.
 */
u32 policy_mark(const struct srqpool_class_config *c, u32 shards, u32 shard,
		u32 target, u32 measured)
{
	u32 mark;

	if (!target || (c->mark_kind != SRQPOOL_MARK_AUTO && !c->mark_value))
		return 0;
	mark = wanted_mark(c, shards, shard, target, measured);
	if (!mark)
		mark = 1;
	return mark < target ? mark : target - 1;
}

/**
 * policy_auto_mark - an automatic mark from what was measured
 * @target: the queue's target
 * @per_sec: messages it receives in a second
 * @latency_ns: how long a refill takes, from the event to the post
 *
 * Return: POLICY_MARK_MARGIN times what arrives during a refill, but 5 % to
 * 50 % of @target, and at least 1; 0 if @target is less than 2.
 */
u32 policy_auto_mark(u32 target, u64 per_sec, u64 latency_ns)
{
	const u64 most = ~0ULL / POLICY_MARK_MARGIN;
	u32 least = target / 20 ? target / 20 : 1;
	u64 mark;

	if (target < 2)
		return 0;
	/* A product that does not fit is far more than any target. */
	if (latency_ns && per_sec > most / latency_ns)
		return target / 2;
	mark = per_sec * latency_ns * POLICY_MARK_MARGIN / 1000000000;
	if (mark < least)
		return least;
	return mark < target / 2 ? mark : target / 2;
}

/**
 * policy_grow - a queue's next target after it ran low
 * @target: present target
 * @posted: buffers posted, as far as is known
 * @mark: its mark
 * @depth: its share of the ceiling
 *
 * Return: twice the target, or more if @posted plus @mark asks for more; at
 * most @depth.
 */
u32 policy_grow(u32 target, u32 posted, u32 mark, u32 depth)
{
	u64 want = (u64)target * 2;

	if (want < (u64)posted + mark)
		want = (u64)posted + mark;
	return want < depth ? want : depth;
}

/**
 * policy_class_for - the class for messages of a size
 * @cfg: a checked pool
 * @bytes: of the largest message
 *
 * Return: index of the smallest class that holds one, or -1.
 */
int policy_class_for(const struct srqpool_config *cfg, u32 bytes)
{
	int best = -1;
	u32 i;

	for (i = 0; i < cfg->nr_classes; i++)
		if (cfg->classes[i].size >= bytes &&
		    (best < 0 || cfg->classes[i].size < cfg->classes[best].size))
			best = i;
	return best;
}

/**
 * policy_age - a queue's next target after it was quiet for long
 * @target: present target
 * @floor: its share of the floor
 *
 * Return: half of the target, but not below @floor.
 */
u32 policy_age(u32 target, u32 floor)
{
	return target / 2 > floor ? target / 2 : floor;
}

/**
 * policy_quota - most buffers of a class that one connection may hold
 * @cfg: the pool
 * @cls: index of the class
 *
 * Return: what was asked for, else an eighth of the ceiling, at least 16.
 */
u32 policy_quota(const struct srqpool_config *cfg, u32 cls)
{
	u32 eighth = cfg->classes[cls].ceiling / 8;

	if (cfg->quota != POLICY_AUTO)
		return cfg->quota;
	return eighth > 16 ? eighth : 16;
}

/**
 * policy_reserve - posted buffers of a class below which none may be held
 * @cfg: the pool
 * @cls: index of the class
 *
 * Return: what was asked for, else an eighth of the floor, at least 8 and at
 * most half of the floor.
 */
u32 policy_reserve(const struct srqpool_config *cfg, u32 cls)
{
	u32 floor = cfg->classes[cls].floor;
	u32 reserve = floor / 8 > 8 ? floor / 8 : 8;

	if (cfg->reserve != POLICY_AUTO)
		return cfg->reserve;
	return reserve < floor / 2 ? reserve : floor / 2;
}

static u64 floor_bytes(const struct srqpool_config *cfg)
{
	u64 bytes = 0;
	u32 i;

	for (i = 0; i < cfg->nr_classes; i++)
		bytes += (u64)cfg->classes[i].floor * cfg->classes[i].size;
	return bytes;
}

static u64 ceiling_bytes(const struct srqpool_config *cfg)
{
	u64 bytes = 0;
	u32 i;

	for (i = 0; i < cfg->nr_classes; i++)
		bytes += (u64)cfg->classes[i].ceiling * cfg->classes[i].size;
	return bytes;
}

/**
 * policy_arena - bytes of a pool's arena
 * @cfg: a checked pool
 *
 * Return: 1/16 of the ceilings, but at most half of what the budget leaves
 * above the floors: the arena takes no floor and not all room to grow. A pool
 * of dedicated queues has none.
 */
u64 policy_arena(const struct srqpool_config *cfg)
{
	u64 floors = floor_bytes(cfg);
	u64 arena = ceiling_bytes(cfg) / 16;
	u64 most = cfg->budget > floors ? (cfg->budget - floors) / 2 : 0;

	if (cfg->dedicated)
		return 0;
	return arena < most ? arena : most;
}

/**
 * policy_degraded - are so many buffers lost that somebody should know?
 * @lost: lost buffers of a class
 * @ceiling: its ceiling
 *
 * Return: true if more than a quarter of the ceiling is lost.
 */
bool policy_degraded(u32 lost, u32 ceiling)
{
	return (u64)lost * 4 > ceiling;
}

/**
 * policy_cqe_needed - entries without which a shard's CQ can overflow
 * @cfg: a checked pool
 * @shard: the shard
 *
 * Return: the spare entries, and one for each buffer its SRQs are created
 * for; with dedicated queues, one for each buffer of one connection.
 */
u64 policy_cqe_needed(const struct srqpool_config *cfg, u32 shard)
{
	u64 n = POLICY_CQ_SPARE;
	u32 i;

	if (cfg->dedicated)
		return n + cfg->dedicated;
	for (i = 0; i < cfg->nr_classes; i++)
		n += policy_srq_wr(policy_share(cfg->classes[i].ceiling,
						cfg->shards, shard));
	return n;
}

/**
 * policy_cqe - entries to ask a shard's CQ for
 * @cfg: a checked pool
 * @shard: the shard
 * @max_cqe: largest CQ of the device
 *
 * Return: what is needed and POLICY_SEND_CREDITS, rounded up to a power of
 * two; at most @max_cqe. All of @max_cqe with dedicated queues: their number
 * is what the CQ has room for.
 */
u32 policy_cqe(const struct srqpool_config *cfg, u32 shard, u32 max_cqe)
{
	u64 need = policy_cqe_needed(cfg, shard) + POLICY_SEND_CREDITS;
	u64 n = 1;

	if (cfg->dedicated)
		return max_cqe;
	while (n < need)
		n *= 2;
	return n < max_cqe ? n : max_cqe;
}

/**
 * policy_send_credits - sends that own no buffer and may be in flight
 * @cfg: a checked pool
 * @shard: the shard
 * @cqe: entries of its CQ
 *
 * Return: the entries that receives do not need. 0 with dedicated queues: the
 * depth of a connection covers its echoes, as each owns the buffer it sends.
 */
u32 policy_send_credits(const struct srqpool_config *cfg, u32 shard, u32 cqe)
{
	u64 need = policy_cqe_needed(cfg, shard);

	if (cfg->dedicated || cqe < need)
		return 0;
	return cqe - need;
}

/**
 * policy_dedicated_conns - connections with a queue of their own that fit
 * @cfg: a checked pool
 * @cqe: entries of a shard's CQ
 *
 * Return: how many of them a shard can take; 0 without dedicated queues.
 */
u32 policy_dedicated_conns(const struct srqpool_config *cfg, u32 cqe)
{
	if (!cfg->dedicated || cqe < POLICY_CQ_SPARE)
		return 0;
	return (cqe - POLICY_CQ_SPARE) / cfg->dedicated;
}

/* IBTA volume 1, table 45: Encoding for RNR NAK Timer Field, in microseconds */
static const u32 rnr_usec[32] = {
	655360, 10, 20, 30, 40, 60, 80, 120,
	160, 240, 320, 480, 640, 960, 1280, 1920,
	2560, 3840, 5120, 7680, 10240, 15360, 20480, 30720,
	40960, 61440, 81920, 122880, 163840, 245760, 327680, 491520,
};

/**
 * policy_rnr_code - the wire code of an RNR NAK timer
 * @usec: microseconds
 * @below: out, the next smaller time there is, or the smallest
 * @above: out, the next larger one, or the largest
 *
 * Return: the code, or -1 if there is none for @usec.
 */
int policy_rnr_code(u32 usec, u32 *below, u32 *above)
{
	int code;

	*below = rnr_usec[1];
	*above = rnr_usec[0];
	for (code = 0; code < 32; code++) {
		if (rnr_usec[code] == usec)
			return code;
		if (rnr_usec[code] < usec && rnr_usec[code] > *below)
			*below = rnr_usec[code];
		if (rnr_usec[code] > usec && rnr_usec[code] < *above)
			*above = rnr_usec[code];
	}
	return -1;
}

/* Buffers at the floor that a mark stands for. */
static u64 mark_at_floor(const struct srqpool_class_config *c)
{
	u64 buffers;

	if (c->mark_kind != SRQPOOL_MARK_PERCENT || !c->mark_value)
		return c->mark_value;
	buffers = (u64)c->floor * c->mark_value / 100;
	return buffers ? buffers : 1;
}

static int refuse_mark(const struct srqpool_class_config *c, int cls,
		       struct srqpool_refusal *r)
{
	if (c->mark_kind == SRQPOOL_MARK_PERCENT && c->mark_value > 100)
		return policy_refuse(r, -EINVAL, cls, SRQPOOL_A_CLASS_MARK_VALUE,
				     "class %s: mark %u%% is above 100%%",
				     c->name, c->mark_value);
	if (c->mark_kind == SRQPOOL_MARK_COUNT && c->mark_value > c->ceiling)
		return policy_refuse(r, -EINVAL, cls, SRQPOOL_A_CLASS_MARK_VALUE,
				     "class %s: mark %u is above the ceiling %u",
				     c->name, c->mark_value, c->ceiling);
	return 0;
}

/**
 * policy_check_mark - is the watermark of a class possible?
 * @c: the class
 * @cls: its index
 * @r: out, the refusal or a warning
 *
 * Return: 0 or -EINVAL.
 */
int policy_check_mark(const struct srqpool_class_config *c, int cls,
		      struct srqpool_refusal *r)
{
	u64 buffers = mark_at_floor(c);
	int ret = refuse_mark(c, cls, r);

	if (ret || c->mark_kind == SRQPOOL_MARK_AUTO)
		return ret;
	if (!c->mark_value)
		policy_warn(r, "class %s: mark 0 is never armed, only the watchdog refills",
			    c->name);
	else if (buffers * 20 < c->floor)
		policy_warn(r, "class %s: mark %llu is under 5%% of %u buffers, a burst can eat it before the event is served",
			    c->name, (unsigned long long)buffers, c->floor);
	return 0;
}

static int check_class(struct srqpool_config *cfg, int i,
		       struct srqpool_refusal *r)
{
	struct srqpool_class_config *c = &cfg->classes[i];
	int j;

	if (!policy_name_ok(c->name))
		return policy_refuse(r, -EINVAL, i, SRQPOOL_A_CLASS_NAME,
				     "bad class name: 1 to %d printable characters without '/' and blank",
				     SRQPOOL_NAME_MAX);
	for (j = 0; j < i; j++)
		if (!strcmp(c->name, cfg->classes[j].name))
			return policy_refuse(r, -EINVAL, i, SRQPOOL_A_CLASS_NAME,
					     "class %s is given twice", c->name);
	if (c->size < SRQPOOL_SIZE_MIN || c->size > SRQPOOL_SIZE_MAX)
		return policy_refuse(r, -EINVAL, i, SRQPOOL_A_CLASS_SIZE,
				     "class %s: size %u is not between %u and %u bytes",
				     c->name, c->size, SRQPOOL_SIZE_MIN,
				     SRQPOOL_SIZE_MAX);
	if (!c->floor)
		return policy_refuse(r, -EINVAL, i, SRQPOOL_A_CLASS_FLOOR,
				     "class %s: floor 0, at least 1 is needed",
				     c->name);
	if (c->floor > c->ceiling)
		return policy_refuse(r, -EINVAL, i, SRQPOOL_A_CLASS_FLOOR,
				     "class %s: floor %u is above the ceiling %u",
				     c->name, c->floor, c->ceiling);
	/* Where nothing is armed there is no mark to warn of. */
	if (cfg->dedicated || cfg->refill == SRQPOOL_REFILL_IMMEDIATE)
		return refuse_mark(c, i, r);
	return policy_check_mark(c, i, r);
}

static int check_class_on_device(const struct srqpool_config *cfg, int i,
				 const struct srqpool_limits *lim,
				 struct srqpool_refusal *r)
{
	const struct srqpool_class_config *c = &cfg->classes[i];
	u64 wr = policy_srq_wr(policy_share(c->ceiling, cfg->shards, 0));

	if (c->floor < cfg->shards)
		return policy_refuse(r, -EINVAL, i, SRQPOOL_A_CLASS_FLOOR,
				     "class %s: floor %u is less than 1 for each of %u shards",
				     c->name, c->floor, cfg->shards);
	if (wr > lim->max_srq_wr)
		return policy_refuse(r, -ERANGE, i, SRQPOOL_A_CLASS_CEILING,
				     "class %s: ceiling %u needs SRQs of %llu entries, the device's max_srq_wr is %u",
				     c->name, c->ceiling, (unsigned long long)wr,
				     lim->max_srq_wr);
	if (c->floor / cfg->shards < POLICY_SHALLOW)
		policy_warn(r, "class %s: %u buffers a queue, under %d is shallow and can stall peers",
			    c->name, c->floor / cfg->shards, POLICY_SHALLOW);
	return 0;
}

static int check_budget(const struct srqpool_config *cfg,
			struct srqpool_refusal *r)
{
	u64 need = floor_bytes(cfg);

	if (need > cfg->budget)
		return policy_refuse(r, -ENOSPC, -1, SRQPOOL_A_POOL_BUDGET,
				     "the floors need %llu bytes, the budget is %llu",
				     (unsigned long long)need,
				     (unsigned long long)cfg->budget);
	return 0;
}

static int check_shards(struct srqpool_config *cfg,
			const struct srqpool_limits *lim,
			struct srqpool_refusal *r)
{
	u32 smallest = ~0U;
	u32 i;

	for (i = 0; i < cfg->nr_classes; i++)
		if (cfg->classes[i].floor < smallest)
			smallest = cfg->classes[i].floor;
	if (!cfg->shards)
		cfg->shards = policy_auto_shards(lim, smallest);
	if (cfg->shards > POLICY_SHARDS_MAX)
		return policy_refuse(r, -EINVAL, -1, SRQPOOL_A_POOL_SHARDS,
				     "%u shards, the most is %d", cfg->shards,
				     POLICY_SHARDS_MAX);
	if (!cfg->dedicated &&
	    (u64)cfg->shards * cfg->nr_classes > lim->max_srq)
		return policy_refuse(r, -ERANGE, -1, SRQPOOL_A_POOL_SHARDS,
				     "%u shards of %u classes need more SRQs than the device's max_srq %u",
				     cfg->shards, cfg->nr_classes, lim->max_srq);
	return 0;
}

static int check_fairness(const struct srqpool_config *cfg,
			  struct srqpool_refusal *r)
{
	u32 i;

	if (!cfg->quota)
		return policy_refuse(r, -EINVAL, -1, SRQPOOL_A_POOL_QUOTA,
				     "quota 0, at least 1 is needed");
	for (i = 0; i < cfg->nr_classes && cfg->reserve != POLICY_AUTO; i++)
		if (cfg->reserve >= cfg->classes[i].floor)
			return policy_refuse(r, -EINVAL, -1, SRQPOOL_A_POOL_RESERVE,
					     "reserve %u is not below the floor %u of class %s",
					     cfg->reserve, cfg->classes[i].floor,
					     cfg->classes[i].name);
	if (cfg->copybreak > SRQPOOL_SIZE_MAX)
		return policy_refuse(r, -EINVAL, -1, SRQPOOL_A_POOL_COPYBREAK,
				     "copybreak %u is above %u bytes",
				     cfg->copybreak, SRQPOOL_SIZE_MAX);
	return 0;
}

static int check_engine(const struct srqpool_config *cfg,
			struct srqpool_refusal *r)
{
	if (cfg->poll == SRQPOOL_POLL_HYBRID &&
	    (!cfg->poll_usec || cfg->poll_usec > SRQPOOL_POLL_USEC_MAX))
		return policy_refuse(r, -EINVAL, -1, SRQPOOL_A_POOL_POLL_USEC,
				     "spinning for %u us is not between 1 and %u us",
				     cfg->poll_usec, SRQPOOL_POLL_USEC_MAX);
	if (cfg->aging > POLICY_AGING_MAX)
		return policy_refuse(r, -EINVAL, -1, SRQPOOL_A_POOL_AGING,
				     "aging %u s is above %u s", cfg->aging,
				     POLICY_AGING_MAX);
	if (cfg->keepalive > POLICY_KEEPALIVE_MAX)
		return policy_refuse(r, -EINVAL, -1, SRQPOOL_A_POOL_KEEPALIVE,
				     "keepalive %u s is above %u s",
				     cfg->keepalive, POLICY_KEEPALIVE_MAX);
	if (cfg->dedicated && cfg->refill != SRQPOOL_REFILL_WATERMARK)
		return policy_refuse(r, -EINVAL, -1, SRQPOOL_A_POOL_REFILL,
				     "dedicated queues are refilled by watermark only");
	return 0;
}

static int check_dedicated(const struct srqpool_config *cfg,
			   const struct srqpool_limits *lim,
			   struct srqpool_refusal *r)
{
	u64 cqe = policy_cqe_needed(cfg, 0);

	if (cqe > lim->max_cqe)
		return policy_refuse(r, -ERANGE, -1, SRQPOOL_A_POOL_DEDICATED,
				     "dedicated queues of %u buffers need a CQ of %llu entries, the device's max_cqe is %u",
				     cfg->dedicated, (unsigned long long)cqe,
				     lim->max_cqe);
	return 0;
}

static int check_shared(const struct srqpool_config *cfg,
			const struct srqpool_limits *lim,
			struct srqpool_refusal *r)
{
	u64 cqe = policy_cqe_needed(cfg, 0);
	u32 i;
	int ret;

	for (i = 0; i < cfg->nr_classes; i++) {
		ret = check_class_on_device(cfg, i, lim, r);
		if (ret)
			return ret;
	}
	if (cqe > lim->max_cqe)
		return policy_refuse(r, -ERANGE, -1, SRQPOOL_A_POOL_CLASS,
				     "the ceilings need a CQ of %llu entries a shard, the device's max_cqe is %u",
				     (unsigned long long)cqe, lim->max_cqe);
	return check_budget(cfg, r);
}

/**
 * policy_check - can a pool be like this on that device?
 * @cfg: the pool; automatic values are filled in
 * @lim: the device
 * @r: out, the refusal or a warning
 *
 * Return: 0, -EINVAL if it contradicts itself, -ERANGE if the device cannot,
 * -ENOSPC if the budget is too small.
 */
int policy_check(struct srqpool_config *cfg, const struct srqpool_limits *lim,
		 struct srqpool_refusal *r)
{
	u32 below, above, i;
	int ret;

	for (i = 0; i < cfg->nr_classes; i++) {
		ret = check_class(cfg, i, r);
		if (ret)
			return ret;
	}
	if (policy_rnr_code(cfg->rnr_timer_us, &below, &above) < 0)
		return policy_refuse(r, -EINVAL, -1, SRQPOOL_A_POOL_RNR_TIMER_US,
				     "there is no RNR timer of %u us, the nearest are %u and %u",
				     cfg->rnr_timer_us, below, above);
	ret = check_fairness(cfg, r);
	if (ret)
		return ret;
	ret = check_engine(cfg, r);
	if (ret)
		return ret;
	ret = check_shards(cfg, lim, r);
	if (ret)
		return ret;
	return cfg->dedicated ? check_dedicated(cfg, lim, r) :
				check_shared(cfg, lim, r);
}

/**
 * policy_event_rate - how many events of a kind a pool may raise in a second
 * @type: enum srqpool_event_type
 *
 * Return: the number.
 */
u32 policy_event_rate(u32 type)
{
	switch (type) {
	case SRQPOOL_EVENT_BUDGET_HIT:
		return 10;
	case SRQPOOL_EVENT_CONN_UP:
	case SRQPOOL_EVENT_CONN_DOWN:
		return 1000;
	default:
		return 100;
	}
}

/**
 * policy_rate_over - begin another second, if the last one is over
 * @rate: what was told in it
 * @now_ns: on a clock that never goes back
 *
 * Return: how many were kept back in the second that is over; 0 if it is not.
 */
u32 policy_rate_over(struct policy_rate *rate, u64 now_ns)
{
	u32 kept_back = rate->kept_back;

	if (now_ns - rate->since_ns < POLICY_SECOND_NS)
		return 0;
	*rate = (struct policy_rate){ .since_ns = now_ns };
	return kept_back;
}

/**
 * policy_rate_allow - may it be told once more in this second?
 * @rate: what was told in it; counts this one
 * @most: so many may be told
 *
 * Return: false if it is one too many.
 */
bool policy_rate_allow(struct policy_rate *rate, u32 most)
{
	if (rate->told == most) {
		rate->kept_back++;
		return false;
	}
	rate->told++;
	return true;
}
