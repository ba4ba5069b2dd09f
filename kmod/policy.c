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
 * policy_mark - the limit to arm a queue with
 * @c: its class
 * @shards: shards of the pool
 * @shard: the queue's shard
 * @target: the queue's target
 *
 * Return: 0 to @target - 1; 0 means never armed.
 */
u32 policy_mark(const struct srqpool_class_config *c, u32 shards, u32 shard,
		u32 target)
{
	u32 mark;

	if (!c->mark_value || !target)
		return 0;
	if (c->mark_kind == SRQPOOL_MARK_PERCENT)
		mark = (u64)target * c->mark_value / 100;
	else
		mark = policy_share(c->mark_value, shards, shard);
	if (!mark)
		mark = 1;
	return mark < target ? mark : target - 1;
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
 * policy_cqe - entries a shard's CQ needs
 * @cfg: a checked pool
 * @shard: the shard
 *
 * Return: one for each buffer its SRQs are created for, for the sends that
 * own no buffer, and the spare ones.
 */
u64 policy_cqe(const struct srqpool_config *cfg, u32 shard)
{
	u64 n = POLICY_CQ_SPARE + POLICY_SEND_CREDITS;
	u32 i;

	for (i = 0; i < cfg->nr_classes; i++)
		n += policy_srq_wr(policy_share(cfg->classes[i].ceiling,
						cfg->shards, shard));
	return n;
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
	bool percent = c->mark_kind == SRQPOOL_MARK_PERCENT;
	u64 buffers = percent ? (u64)c->floor * c->mark_value / 100 :
				c->mark_value;

	if (percent && c->mark_value && !buffers)
		buffers = 1;
	if (percent && c->mark_value > 100)
		return policy_refuse(r, -EINVAL, cls, SRQPOOL_A_CLASS_MARK_VALUE,
				     "class %s: mark %u%% is above 100%%",
				     c->name, c->mark_value);
	if (!percent && c->mark_value > c->ceiling)
		return policy_refuse(r, -EINVAL, cls, SRQPOOL_A_CLASS_MARK_VALUE,
				     "class %s: mark %u is above the ceiling %u",
				     c->name, c->mark_value, c->ceiling);
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
	u64 need = 0;
	u32 i;

	for (i = 0; i < cfg->nr_classes; i++)
		need += (u64)cfg->classes[i].floor * cfg->classes[i].size;
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
	if ((u64)cfg->shards * cfg->nr_classes > lim->max_srq)
		return policy_refuse(r, -ERANGE, -1, SRQPOOL_A_POOL_SHARDS,
				     "%u shards of %u classes need more SRQs than the device's max_srq %u",
				     cfg->shards, cfg->nr_classes, lim->max_srq);
	return 0;
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
	u64 cqe;
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
	ret = check_shards(cfg, lim, r);
	if (ret)
		return ret;
	for (i = 0; i < cfg->nr_classes; i++) {
		ret = check_class_on_device(cfg, i, lim, r);
		if (ret)
			return ret;
	}
	cqe = policy_cqe(cfg, 0) - POLICY_SEND_CREDITS;
	if (cqe > lim->max_cqe)
		return policy_refuse(r, -ERANGE, -1, SRQPOOL_A_POOL_CLASS,
				     "the ceilings need a CQ of %llu entries a shard, the device's max_cqe is %u",
				     (unsigned long long)cqe, lim->max_cqe);
	return check_budget(cfg, r);
}
