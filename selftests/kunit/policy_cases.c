// SPDX-License-Identifier: GPL-2.0
#ifdef __KERNEL__
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>
#endif
#include "policy_cases.h"

#define MAX32	(~0U)

/* Functions, as expectations expanded in place take much of a kernel's stack. */
#define CHECK(test, what) \
	check(test, __LINE__, #what, what)
#define CHECK_EQ(test, what, value) \
	check_eq(test, __LINE__, #what, what, value)
#define CHECK_TEXT(test, what, value) \
	check_text(test, __LINE__, #what, what, value)

static bool check(struct kunit *test, int line, const char *what, bool ok)
{
	if (!ok)
		KUNIT_FAIL(test, "line %d: not %s\n", line, what);
	return ok;
}

static bool check_eq(struct kunit *test, int line, const char *what,
		     long long is, long long value)
{
	if (is != value)
		KUNIT_FAIL(test, "line %d: %s is %lld, not %lld\n", line, what,
			   is, value);
	return is == value;
}

static void check_text(struct kunit *test, int line, const char *what,
		       const char *is, const char *value)
{
	if (strcmp(is, value))
		KUNIT_FAIL(test, "line %d: %s is '%s', not '%s'\n", line, what,
			   is, value);
}

/* xorshift64, the same numbers everywhere. */
static u64 any64(u64 *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

/* Less than @n, or anything if that is 0. */
static u32 any(u64 *state, u32 n)
{
	u32 value = any64(state) >> 32;

	return n ? value % n : value;
}

/* Often one of those where arithmetic goes wrong. */
static u32 any_edge(u64 *state)
{
	static const u32 edges[] = {
		0, 1, 2, 3, 19, 20, 63, 64, 65, 127, 128, 4096,
		1U << 31, (1U << 31) - 1, MAX32 - 1, MAX32,
	};

	switch (any(state, 3)) {
	case 0:
		return edges[any(state, ARRAY_SIZE(edges))];
	case 1:
		return any(state, 8192);
	default:
		return any(state, 0);
	}
}

static const struct srqpool_limits rxe = {
	.max_srq = 917503,
	.max_srq_wr = 1048576,
	.max_cqe = 32767,
	.vectors = 2,
	.cpus = 2,
};

static void name_class(struct srqpool_class_config *c, u32 size)
{
	c->size = size;
	snprintf(c->name, sizeof(c->name), "%u", size);
}

/* One shard, one class of 4096 bytes. */
static struct srqpool_config pool(u32 floor, u32 ceiling)
{
	struct srqpool_config cfg = {
		.name = "p0",
		.dev = "rxe0",
		.shards = 1,
		.budget = 256ULL << 20,
		.rnr_timer_us = 640,
		.poll_usec = SRQPOOL_POLL_USEC_DEFAULT,
		.quota = POLICY_AUTO,
		.reserve = POLICY_AUTO,
		.copybreak = 256,
		.aging = 60,
		.nr_classes = 1,
		.classes[0] = {
			.floor = floor,
			.ceiling = ceiling,
			.mark_kind = SRQPOOL_MARK_PERCENT,
			.mark_value = 12,
		},
	};

	name_class(&cfg.classes[0], 4096);
	return cfg;
}

/* What policy_check() says of a pool on rxe; the pool stays as it is. */
static int try_pool(const struct srqpool_config *cfg, struct srqpool_refusal *r)
{
	struct srqpool_config copy = *cfg;

	memset(r, 0, sizeof(*r));
	return policy_check(&copy, &rxe, r);
}

static void shares_add_up(struct kunit *test)
{
	static const u32 totals[] = { 0, 1, 7, 255, 4096, MAX32 };
	static const u32 parts[] = { 1, 2, 3, 8, 255, 256 };
	u32 i, j, k;
	u64 sum;

	CHECK_EQ(test, policy_share(10, 3, 0), 4);
	CHECK_EQ(test, policy_share(10, 3, 1), 3);
	CHECK_EQ(test, policy_share(10, 3, 2), 3);
	for (i = 0; i < ARRAY_SIZE(totals); i++)
		for (j = 0; j < ARRAY_SIZE(parts); j++) {
			sum = 0;
			for (k = 0; k < parts[j]; k++)
				sum += policy_share(totals[i], parts[j], k);
			CHECK_EQ(test, sum, totals[i]);
		}
}

static void auto_shards_leave_no_queue_empty(struct kunit *test)
{
	static const struct srqpool_limits big = {
		1000, 1000, 1000, 1000, 1000
	};

	CHECK_EQ(test, policy_auto_shards(&rxe, 128), 2);
	CHECK_EQ(test, policy_auto_shards(&rxe, 63), 1);
	CHECK_EQ(test, policy_auto_shards(&rxe, 1), 1);
	CHECK_EQ(test, policy_auto_shards(&big, MAX32), POLICY_SHARDS_MAX);
}

static void srq_wr_is_five_quarters_rounded_up(struct kunit *test)
{
	CHECK_EQ(test, policy_srq_wr(1), 2);
	CHECK_EQ(test, policy_srq_wr(4), 5);
	CHECK_EQ(test, policy_srq_wr(5), 7);
	CHECK_EQ(test, policy_srq_wr(255), 319);
	CHECK_EQ(test, policy_srq_wr(MAX32), 5368709119LL);
}

static void handler_reserve_fits_under_the_ceiling(struct kunit *test)
{
	CHECK_EQ(test, policy_handler_reserve(1024, 64), 64);
	CHECK_EQ(test, policy_handler_reserve(128, 64), 64);
	CHECK_EQ(test, policy_handler_reserve(127, 64), 63);
	CHECK_EQ(test, policy_handler_reserve(64, 64), 0);
	CHECK_EQ(test, policy_handler_reserve(64, 65), 0);
	CHECK_EQ(test, policy_handler_reserve(0, MAX32), 0);
	CHECK_EQ(test, policy_handler_reserve(MAX32, 0), 64);
	CHECK_EQ(test, policy_handler_reserve(MAX32, MAX32 - 1), 1);
}

static void mark_of_percent_and_count(struct kunit *test)
{
	struct srqpool_class_config c = {
		.mark_kind = SRQPOOL_MARK_PERCENT,
		.mark_value = 12,
	};

	CHECK_EQ(test, policy_mark(&c, 1, 0, 100, 0), 12);
	CHECK_EQ(test, policy_mark(&c, 1, 0, 100, 77), 12);
	CHECK_EQ(test, policy_mark(&c, 1, 0, 2, 0), 1);
	CHECK_EQ(test, policy_mark(&c, 1, 0, 1, 0), 0);
	c.mark_value = 100;
	CHECK_EQ(test, policy_mark(&c, 1, 0, MAX32, 0), MAX32 - 1);
	c.mark_kind = SRQPOOL_MARK_COUNT;
	c.mark_value = 21;
	CHECK_EQ(test, policy_mark(&c, 2, 0, 100, 0), 11);
	CHECK_EQ(test, policy_mark(&c, 2, 1, 100, 0), 10);
	c.mark_value = 0;
	CHECK_EQ(test, policy_mark(&c, 2, 1, 100, 50), 0);
}

static void mark_of_a_measurement(struct kunit *test)
{
	struct srqpool_class_config c = { .mark_kind = SRQPOOL_MARK_AUTO };

	CHECK_EQ(test, policy_mark(&c, 1, 0, 100, 0), 12);
	CHECK_EQ(test, policy_mark(&c, 1, 0, 100, 33), 33);
	CHECK_EQ(test, policy_mark(&c, 1, 0, 100, 100), 99);
	CHECK_EQ(test, policy_mark(&c, 1, 0, 100, MAX32), 99);
	CHECK_EQ(test, policy_mark(&c, 1, 0, 8, 0), 1);
	CHECK_EQ(test, policy_mark(&c, 1, 0, 2, 0), 1);
	CHECK_EQ(test, policy_mark(&c, 1, 0, 1, 5), 0);
	CHECK_EQ(test, policy_mark(&c, 1, 0, 0, 5), 0);
	CHECK_EQ(test, policy_mark(&c, 1, 0, MAX32, 0), 515396075LL);
	/* The value says nothing. */
	c.mark_value = 99;
	CHECK_EQ(test, policy_mark(&c, 1, 0, 100, 0), 12);
}

static void mark_is_below_the_target(struct kunit *test)
{
	struct srqpool_class_config c = {};
	u32 i, shards, target, mark;
	u64 seed = 1;

	for (i = 0; i < 50000; i++) {
		c.mark_kind = any(&seed, 3);
		c.mark_value = c.mark_kind == SRQPOOL_MARK_PERCENT ?
			       any(&seed, 101) : any_edge(&seed);
		shards = 1 + any(&seed, POLICY_SHARDS_MAX);
		target = any_edge(&seed);
		mark = policy_mark(&c, shards, any(&seed, shards), target,
				   any_edge(&seed));
		if (!CHECK(test, target ? mark < target : !mark))
			return;
		if (c.mark_kind != SRQPOOL_MARK_AUTO && !c.mark_value)
			CHECK_EQ(test, mark, 0);
		else if (target > 1)
			CHECK(test, mark > 0);
	}
}

static void auto_mark_covers_a_refill(struct kunit *test)
{
	/* 100000 a second for 100 us are 10, and 4 times as many with the margin. */
	CHECK_EQ(test, policy_auto_mark(256, 100000, 100000), 40);
	CHECK_EQ(test, policy_auto_mark(256, 1000000, 100000), 128);
	CHECK_EQ(test, policy_auto_mark(256, 0, 100000), 12);
	CHECK_EQ(test, policy_auto_mark(256, 100000, 0), 12);
	CHECK_EQ(test, policy_auto_mark(19, 0, 0), 1);
	CHECK_EQ(test, policy_auto_mark(3, ~0ULL, ~0ULL), 1);
	CHECK_EQ(test, policy_auto_mark(2, 0, 0), 1);
	CHECK_EQ(test, policy_auto_mark(2, ~0ULL, 1), 1);
	CHECK_EQ(test, policy_auto_mark(1, ~0ULL, ~0ULL), 0);
	CHECK_EQ(test, policy_auto_mark(0, ~0ULL, ~0ULL), 0);
	CHECK_EQ(test, policy_auto_mark(MAX32, ~0ULL, ~0ULL), MAX32 / 2);
	CHECK_EQ(test, policy_auto_mark(MAX32, ~0ULL, 1), MAX32 / 2);
	CHECK_EQ(test, policy_auto_mark(MAX32, 1, ~0ULL), MAX32 / 2);
	CHECK_EQ(test, policy_auto_mark(MAX32, 0, 0), MAX32 / 20);
}

static void auto_mark_keeps_its_bounds(struct kunit *test)
{
	u32 i, target, mark, more;
	u64 seed = 2, rate, ns;

	for (i = 0; i < 50000; i++) {
		target = any_edge(&seed);
		rate = any64(&seed) >> any(&seed, 64);
		ns = any64(&seed) >> any(&seed, 64);
		mark = policy_auto_mark(target, rate, ns);
		if (target < 2) {
			CHECK_EQ(test, mark, 0);
			continue;
		}
		if (!CHECK(test, mark && mark < target && mark >= target / 20 &&
			   mark <= target / 2))
			return;
		/* More traffic never means a lower mark. */
		more = policy_auto_mark(target, rate > ~0ULL / 2 ? ~0ULL :
					2 * rate + 1, ns);
		if (!CHECK(test, more >= mark))
			return;
	}
}

static void grow_doubles_and_ends_at_the_depth(struct kunit *test)
{
	CHECK_EQ(test, policy_grow(64, 10, 7, 4096), 128);
	CHECK_EQ(test, policy_grow(64, 200, 7, 4096), 207);
	CHECK_EQ(test, policy_grow(64, 10, 7, 100), 100);
	CHECK_EQ(test, policy_grow(MAX32, MAX32, MAX32, MAX32), MAX32);
}

static void age_halves_and_ends_at_the_floor(struct kunit *test)
{
	CHECK_EQ(test, policy_age(4096, 64), 2048);
	CHECK_EQ(test, policy_age(129, 64), 64);
	CHECK_EQ(test, policy_age(127, 64), 64);
	CHECK_EQ(test, policy_age(64, 64), 64);
	CHECK_EQ(test, policy_age(1, 1), 1);
	CHECK_EQ(test, policy_age(MAX32, 1), MAX32 / 2);
	CHECK_EQ(test, policy_age(MAX32, MAX32), MAX32);
}

static void quota_follows_the_ceiling(struct kunit *test)
{
	struct srqpool_config cfg = pool(64, 1024);

	CHECK_EQ(test, policy_quota(&cfg, 0), 128);
	cfg.classes[0].ceiling = 127;
	CHECK_EQ(test, policy_quota(&cfg, 0), 16);
	cfg.classes[0].ceiling = MAX32;
	CHECK_EQ(test, policy_quota(&cfg, 0), MAX32 / 8);
	cfg.classes[1].ceiling = 256;
	CHECK_EQ(test, policy_quota(&cfg, 1), 32);
	cfg.quota = 5;
	CHECK_EQ(test, policy_quota(&cfg, 0), 5);
	CHECK_EQ(test, policy_quota(&cfg, 1), 5);
}

static void reserve_follows_the_floor(struct kunit *test)
{
	struct srqpool_config cfg = pool(128, 1024);

	CHECK_EQ(test, policy_reserve(&cfg, 0), 16);
	cfg.classes[0].floor = 64;
	CHECK_EQ(test, policy_reserve(&cfg, 0), 8);
	cfg.classes[0].floor = 16;
	CHECK_EQ(test, policy_reserve(&cfg, 0), 8);
	cfg.classes[0].floor = 7;
	CHECK_EQ(test, policy_reserve(&cfg, 0), 3);
	cfg.classes[0].floor = 1;
	CHECK_EQ(test, policy_reserve(&cfg, 0), 0);
	cfg.classes[0].floor = MAX32;
	CHECK_EQ(test, policy_reserve(&cfg, 0), MAX32 / 8);
	cfg.reserve = 0;
	CHECK_EQ(test, policy_reserve(&cfg, 0), 0);
	cfg.reserve = 99;
	CHECK_EQ(test, policy_reserve(&cfg, 0), 99);
}

static void arena_leaves_room_to_grow(struct kunit *test)
{
	struct srqpool_config cfg = pool(64, 1024);

	CHECK_EQ(test, policy_arena(&cfg), 262144);
	/* Half of what is left above 64 times 4096. */
	cfg.budget = 262144 + 1000;
	CHECK_EQ(test, policy_arena(&cfg), 500);
	cfg.budget = 262144;
	CHECK_EQ(test, policy_arena(&cfg), 0);
	cfg.budget = 0;
	CHECK_EQ(test, policy_arena(&cfg), 0);

	cfg = pool(64, 1024);
	cfg.nr_classes = 2;
	cfg.classes[1] = cfg.classes[0];
	cfg.classes[1].size = 64;
	CHECK_EQ(test, policy_arena(&cfg), 262144 + 4096);
	cfg.dedicated = 16;
	CHECK_EQ(test, policy_arena(&cfg), 0);

	cfg = pool(1, MAX32);
	cfg.classes[0].size = SRQPOOL_SIZE_MAX;
	cfg.budget = ~0ULL;
	CHECK_EQ(test, policy_arena(&cfg), (u64)MAX32 * (SRQPOOL_SIZE_MAX / 16));
}

static void degraded_is_more_than_a_quarter(struct kunit *test)
{
	CHECK(test, !policy_degraded(0, 0));
	CHECK(test, policy_degraded(1, 0));
	CHECK(test, !policy_degraded(256, 1024));
	CHECK(test, policy_degraded(257, 1024));
	CHECK(test, !policy_degraded(1, 4));
	CHECK(test, policy_degraded(1, 3));
	CHECK(test, !policy_degraded(MAX32 / 4, MAX32));
	CHECK(test, policy_degraded(MAX32 / 4 + 1, MAX32));
	CHECK(test, policy_degraded(MAX32, MAX32));
}

static void cq_holds_what_receives_and_sends_need(struct kunit *test)
{
	struct srqpool_config cfg = pool(64, 1024);

	CHECK_EQ(test, policy_cqe_needed(&cfg, 0), 64 + 1280);
	CHECK_EQ(test, policy_cqe(&cfg, 0, 32767), 4096);
	CHECK_EQ(test, policy_send_credits(&cfg, 0, 4096), 4096 - 1344);
	CHECK_EQ(test, policy_cqe(&cfg, 0, 2000), 2000);
	CHECK_EQ(test, policy_send_credits(&cfg, 0, 1345), 1);
	CHECK_EQ(test, policy_send_credits(&cfg, 0, 1344), 0);
	CHECK_EQ(test, policy_send_credits(&cfg, 0, 1343), 0);
	CHECK_EQ(test, policy_dedicated_conns(&cfg, 4096), 0);

	/* A power of two is left as it is: 64 + 960 + 1024. */
	cfg.classes[0].ceiling = 768;
	CHECK_EQ(test, policy_cqe(&cfg, 0, 32767), 2048);

	cfg.shards = 2;
	cfg.classes[0].ceiling = 1025;
	CHECK_EQ(test, policy_cqe_needed(&cfg, 0), 64 + 642);
	CHECK_EQ(test, policy_cqe_needed(&cfg, 1), 64 + 640);

	cfg = pool(64, MAX32);
	CHECK_EQ(test, policy_cqe_needed(&cfg, 0), 5368709119LL + 64);
	CHECK_EQ(test, policy_cqe(&cfg, 0, MAX32), MAX32);
	CHECK_EQ(test, policy_send_credits(&cfg, 0, MAX32), 0);
}

static void cq_of_dedicated_queues(struct kunit *test)
{
	struct srqpool_config cfg = pool(64, 1024);

	cfg.dedicated = 128;
	CHECK_EQ(test, policy_cqe_needed(&cfg, 0), 64 + 128);
	CHECK_EQ(test, policy_cqe(&cfg, 0, 32767), 32767);
	CHECK_EQ(test, policy_send_credits(&cfg, 0, 32767), 0);
	CHECK_EQ(test, policy_dedicated_conns(&cfg, 32767), 255);
	CHECK_EQ(test, policy_dedicated_conns(&cfg, 192), 1);
	CHECK_EQ(test, policy_dedicated_conns(&cfg, 191), 0);
	CHECK_EQ(test, policy_dedicated_conns(&cfg, 64), 0);
	CHECK_EQ(test, policy_dedicated_conns(&cfg, 0), 0);
	cfg.dedicated = MAX32;
	CHECK_EQ(test, policy_cqe_needed(&cfg, 0), (u64)MAX32 + 64);
	CHECK_EQ(test, policy_dedicated_conns(&cfg, MAX32), 0);
}

/* 10, 20, 30, 40, 60, 80, 120... in rising order; the last has code 0. */
static u32 rnr_value(u32 index)
{
	return index ? (index % 2 ? 20U : 30U) << (index - 1) / 2 : 10;
}

static void rnr_timers_are_those_of_the_standard(struct kunit *test)
{
	u32 below, above, usec, i;

	CHECK_EQ(test, rnr_value(31), 655360);
	for (i = 0; i < 32; i++) {
		usec = rnr_value(i);
		CHECK_EQ(test, policy_rnr_code(usec, &below, &above),
			 i == 31 ? 0 : i + 1);
		CHECK_EQ(test, policy_rnr_code(usec - 1, &below, &above), -1);
		CHECK_EQ(test, below, i ? rnr_value(i - 1) : 10);
		CHECK_EQ(test, above, usec);
		CHECK_EQ(test, policy_rnr_code(usec + 1, &below, &above), -1);
		CHECK_EQ(test, below, usec);
		CHECK_EQ(test, above, i == 31 ? usec : rnr_value(i + 1));
	}
	CHECK_EQ(test, policy_rnr_code(0, &below, &above), -1);
	CHECK_EQ(test, above, 10);
	CHECK_EQ(test, policy_rnr_code(MAX32, &below, &above), -1);
	CHECK_EQ(test, below, 655360);
}

static void names_are_short_and_printable(struct kunit *test)
{
	static const char * const bad[] = {
		"", ".", "..", "a/b", "a b", "a\n", "\x7f", "\xc3\xa4",
		"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
	};
	u32 i;

	CHECK(test, policy_name_ok("p0"));
	CHECK(test, policy_name_ok("..."));
	CHECK(test, policy_name_ok("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"));
	for (i = 0; i < ARRAY_SIZE(bad); i++)
		CHECK(test, !policy_name_ok(bad[i]));
}

static void check_fills_in_shards(struct kunit *test)
{
	struct srqpool_config cfg = pool(128, 4096);
	struct srqpool_refusal r = {};

	cfg.shards = 0;
	CHECK_EQ(test, policy_check(&cfg, &rxe, &r), 0);
	CHECK_EQ(test, cfg.shards, 2);
}

static void check_names_both_numbers(struct kunit *test)
{
	struct srqpool_config cfg = pool(65, 64);
	struct srqpool_refusal r;

	CHECK_EQ(test, try_pool(&cfg, &r), -EINVAL);
	CHECK_EQ(test, r.attr, SRQPOOL_A_CLASS_FLOOR);
	CHECK_EQ(test, r.cls, 0);
	CHECK_TEXT(test, r.text, "class 4096: floor 65 is above the ceiling 64");

	cfg = pool(64, 1024);
	cfg.classes[0].mark_kind = SRQPOOL_MARK_COUNT;
	cfg.classes[0].mark_value = 1024;
	CHECK_EQ(test, try_pool(&cfg, &r), 0);
	cfg.classes[0].mark_value = 1025;
	CHECK_EQ(test, try_pool(&cfg, &r), -EINVAL);
	CHECK_TEXT(test, r.text, "class 4096: mark 1025 is above the ceiling 1024");
	cfg.classes[0].mark_value = MAX32;
	CHECK_EQ(test, try_pool(&cfg, &r), -EINVAL);
	cfg.classes[0].mark_kind = SRQPOOL_MARK_PERCENT;
	cfg.classes[0].mark_value = 101;
	CHECK_EQ(test, try_pool(&cfg, &r), -EINVAL);
}

static void check_keeps_to_the_device(struct kunit *test)
{
	struct srqpool_config cfg = pool(1, MAX32);
	struct srqpool_limits one = rxe;
	struct srqpool_refusal r;

	CHECK_EQ(test, try_pool(&cfg, &r), -ERANGE);
	cfg = pool(1, 26163);
	CHECK_EQ(test, try_pool(&cfg, &r), -ERANGE);
	/* 5/4 of it and 64 are the device's max_cqe. */
	cfg = pool(1, 26162);
	CHECK_EQ(test, try_pool(&cfg, &r), 0);

	cfg = pool(256, 256);
	cfg.shards = 257;
	CHECK_EQ(test, try_pool(&cfg, &r), -EINVAL);
	cfg.shards = 2;
	one.max_srq = 1;
	CHECK_EQ(test, policy_check(&cfg, &one, &r), -ERANGE);
	cfg.classes[0].floor = 1;
	CHECK_EQ(test, try_pool(&cfg, &r), -EINVAL);
}

static void check_keeps_to_the_budget(struct kunit *test)
{
	struct srqpool_config cfg = pool(16, 1024);
	struct srqpool_refusal r;

	cfg.budget = 65536;
	CHECK_EQ(test, try_pool(&cfg, &r), 0);
	cfg.budget = 65535;
	CHECK_EQ(test, try_pool(&cfg, &r), -ENOSPC);
}

static void check_warns(struct kunit *test)
{
	struct srqpool_config cfg = pool(64, 64);
	struct srqpool_refusal r;

	CHECK_EQ(test, try_pool(&cfg, &r), 0);
	CHECK(test, strstr(r.text, "shallow"));
	cfg = pool(128, 128);
	CHECK_EQ(test, try_pool(&cfg, &r), 0);
	CHECK_TEXT(test, r.text, "");

	cfg.classes[0].mark_value = 4;
	CHECK_EQ(test, try_pool(&cfg, &r), 0);
	CHECK(test, strstr(r.text, "under 5%"));
	cfg.classes[0].mark_value = 0;
	CHECK_EQ(test, try_pool(&cfg, &r), 0);
	CHECK(test, strstr(r.text, "never armed"));

	/* Nothing is armed, or nobody knows yet what. */
	cfg.refill = SRQPOOL_REFILL_IMMEDIATE;
	CHECK_EQ(test, try_pool(&cfg, &r), 0);
	CHECK_TEXT(test, r.text, "");
	cfg.refill = SRQPOOL_REFILL_WATERMARK;
	cfg.classes[0].mark_kind = SRQPOOL_MARK_AUTO;
	CHECK_EQ(test, try_pool(&cfg, &r), 0);
	CHECK_TEXT(test, r.text, "");
	cfg.classes[0].mark_value = MAX32;
	CHECK_EQ(test, try_pool(&cfg, &r), 0);
	CHECK_TEXT(test, r.text, "");
}

static void check_of_fairness(struct kunit *test)
{
	struct srqpool_config cfg = pool(64, 1024);
	struct srqpool_refusal r;

	cfg.quota = 0;
	CHECK_EQ(test, try_pool(&cfg, &r), -EINVAL);
	CHECK_EQ(test, r.attr, SRQPOOL_A_POOL_QUOTA);
	CHECK_EQ(test, r.cls, -1);
	cfg.quota = 1;
	CHECK_EQ(test, try_pool(&cfg, &r), 0);

	cfg.nr_classes = 2;
	cfg.classes[1] = cfg.classes[0];
	cfg.classes[1].floor = 32;
	name_class(&cfg.classes[1], 64);
	cfg.reserve = 31;
	CHECK_EQ(test, try_pool(&cfg, &r), 0);
	cfg.reserve = 32;
	CHECK_EQ(test, try_pool(&cfg, &r), -EINVAL);
	CHECK_EQ(test, r.attr, SRQPOOL_A_POOL_RESERVE);
	CHECK_TEXT(test, r.text, "reserve 32 is not below the floor 32 of class 64");
	cfg.reserve = MAX32 - 1;
	CHECK_EQ(test, try_pool(&cfg, &r), -EINVAL);
	cfg.reserve = 0;
	CHECK_EQ(test, try_pool(&cfg, &r), 0);

	cfg.copybreak = SRQPOOL_SIZE_MAX;
	CHECK_EQ(test, try_pool(&cfg, &r), 0);
	cfg.copybreak++;
	CHECK_EQ(test, try_pool(&cfg, &r), -EINVAL);
	CHECK_EQ(test, r.attr, SRQPOOL_A_POOL_COPYBREAK);
	cfg.copybreak = 0;
	CHECK_EQ(test, try_pool(&cfg, &r), 0);
}

static void check_of_polling_and_times(struct kunit *test)
{
	struct srqpool_config cfg = pool(64, 1024);
	struct srqpool_refusal r;

	cfg.poll_usec = 0;
	CHECK_EQ(test, try_pool(&cfg, &r), 0);
	cfg.poll = SRQPOOL_POLL_HYBRID;
	CHECK_EQ(test, try_pool(&cfg, &r), -EINVAL);
	CHECK_EQ(test, r.attr, SRQPOOL_A_POOL_POLL_USEC);
	cfg.poll_usec = 1;
	CHECK_EQ(test, try_pool(&cfg, &r), 0);
	cfg.poll_usec = SRQPOOL_POLL_USEC_MAX;
	CHECK_EQ(test, try_pool(&cfg, &r), 0);
	cfg.poll_usec++;
	CHECK_EQ(test, try_pool(&cfg, &r), -EINVAL);
	cfg.poll = SRQPOOL_POLL_BUSY;
	CHECK_EQ(test, try_pool(&cfg, &r), 0);

	cfg.aging = 0;
	CHECK_EQ(test, try_pool(&cfg, &r), 0);
	cfg.aging = 86400;
	CHECK_EQ(test, try_pool(&cfg, &r), 0);
	cfg.aging++;
	CHECK_EQ(test, try_pool(&cfg, &r), -EINVAL);
	CHECK_EQ(test, r.attr, SRQPOOL_A_POOL_AGING);
	cfg.aging = MAX32;
	CHECK_EQ(test, try_pool(&cfg, &r), -EINVAL);
	cfg.aging = 60;

	cfg.keepalive = 0;
	CHECK_EQ(test, try_pool(&cfg, &r), 0);
	cfg.keepalive = 86400;
	CHECK_EQ(test, try_pool(&cfg, &r), 0);
	cfg.keepalive++;
	CHECK_EQ(test, try_pool(&cfg, &r), -EINVAL);
	CHECK_EQ(test, r.attr, SRQPOOL_A_POOL_KEEPALIVE);
}

static void check_of_dedicated_queues(struct kunit *test)
{
	struct srqpool_config cfg = pool(1, 1);
	struct srqpool_limits none = rxe;
	struct srqpool_refusal r;

	cfg.dedicated = 32767 - 64;
	CHECK_EQ(test, try_pool(&cfg, &r), 0);
	CHECK_TEXT(test, r.text, "");
	cfg.dedicated++;
	CHECK_EQ(test, try_pool(&cfg, &r), -ERANGE);
	CHECK_EQ(test, r.attr, SRQPOOL_A_POOL_DEDICATED);
	CHECK(test, strstr(r.text, " 32768 entries") && strstr(r.text, "32767"));
	cfg.dedicated = MAX32;
	CHECK_EQ(test, try_pool(&cfg, &r), -ERANGE);

	/* What concerns SRQs does not concern them. */
	cfg = pool(1, MAX32);
	cfg.dedicated = 1;
	cfg.shards = 2;
	cfg.budget = 1;
	cfg.classes[0].mark_value = 0;
	none.max_srq = 0;
	none.max_srq_wr = 0;
	memset(&r, 0, sizeof(r));
	CHECK_EQ(test, policy_check(&cfg, &none, &r), 0);
	CHECK_TEXT(test, r.text, "");

	cfg.refill = SRQPOOL_REFILL_IMMEDIATE;
	CHECK_EQ(test, try_pool(&cfg, &r), -EINVAL);
	CHECK_EQ(test, r.attr, SRQPOOL_A_POOL_REFILL);
}

/* Anything that passes the netlink policy, and now and then something sane. */
static void any_pool(u64 *seed, struct srqpool_config *cfg)
{
	struct srqpool_class_config *c;
	u32 i;

	*cfg = pool(64, 1024);
	cfg->shards = any(seed, 2) ? any(seed, 5) : any_edge(seed);
	cfg->budget = any(seed, 2) ? any_edge(seed) : any64(seed) >> any(seed, 64);
	cfg->poll = any(seed, 4);
	cfg->poll_usec = any(seed, 2) ? 50 : any_edge(seed);
	cfg->refill = any(seed, 2);
	cfg->dedicated = any(seed, 4) ? 0 : any_edge(seed);
	cfg->quota = any(seed, 2) ? POLICY_AUTO : any_edge(seed);
	cfg->reserve = any(seed, 2) ? POLICY_AUTO : any_edge(seed);
	cfg->copybreak = any(seed, 2) ? 256 : any_edge(seed);
	cfg->aging = any(seed, 2) ? 60 : any_edge(seed);
	cfg->nr_classes = 1 + any(seed, SRQPOOL_CLASSES_MAX);
	for (i = 0; i < cfg->nr_classes; i++) {
		c = &cfg->classes[i];
		name_class(c, any(seed, 16) ? 64 + any(seed, 8192) : any_edge(seed));
		c->floor = any(seed, 16) ? 1 + any(seed, 1024) : any_edge(seed);
		c->ceiling = any(seed, 16) ? c->floor + any(seed, 4096) : any_edge(seed);
		c->mark_kind = any(seed, 3);
		c->mark_value = any(seed, 16) ? any(seed, 101) : any_edge(seed);
	}
}

static u64 bytes_of_floors(const struct srqpool_config *cfg)
{
	u64 bytes = 0;
	u32 i;

	for (i = 0; i < cfg->nr_classes; i++)
		bytes += (u64)cfg->classes[i].floor * cfg->classes[i].size;
	return bytes;
}

static bool shard_is_sound(struct kunit *test, const struct srqpool_config *cfg,
			   const struct srqpool_limits *lim, u32 shard)
{
	u64 need = policy_cqe_needed(cfg, shard);
	u32 cqe = policy_cqe(cfg, shard, lim->max_cqe);
	u32 conns = policy_dedicated_conns(cfg, cqe);
	u32 credits = policy_send_credits(cfg, shard, cqe);

	if (!CHECK(test, cqe <= lim->max_cqe && need <= cqe))
		return false;
	if (cfg->dedicated)
		return CHECK(test, conns && !credits) &&
		       CHECK(test, cqe >= (u64)conns * cfg->dedicated +
				   POLICY_CQ_SPARE);
	if (!CHECK(test, !conns && need + credits == cqe))
		return false;
	return CHECK(test, cqe == lim->max_cqe ||
			   (!(cqe & (cqe - 1)) && credits >= POLICY_SEND_CREDITS));
}

static bool class_is_sound(struct kunit *test, const struct srqpool_config *cfg,
			   const struct srqpool_limits *lim, u32 i)
{
	const struct srqpool_class_config *c = &cfg->classes[i];
	u32 depth = policy_share(c->ceiling, cfg->shards, 0);

	if (!CHECK(test, policy_quota(cfg, i) > 0) ||
	    !CHECK(test, policy_reserve(cfg, i) < c->floor) ||
	    !CHECK(test, c->floor <= c->ceiling))
		return false;
	return cfg->dedicated ||
	       (CHECK(test, c->floor >= cfg->shards) &&
		CHECK(test, policy_srq_wr(depth) <= lim->max_srq_wr));
}

static bool pool_is_sound(struct kunit *test, const struct srqpool_config *cfg,
			  const struct srqpool_limits *lim)
{
	u32 i;

	if (!CHECK(test, cfg->shards && cfg->shards <= POLICY_SHARDS_MAX))
		return false;
	if (!CHECK(test, cfg->dedicated ||
		   bytes_of_floors(cfg) + policy_arena(cfg) <= cfg->budget))
		return false;
	for (i = 0; i < cfg->nr_classes; i++)
		if (!class_is_sound(test, cfg, lim, i))
			return false;
	return shard_is_sound(test, cfg, lim, 0) &&
	       shard_is_sound(test, cfg, lim, cfg->shards - 1);
}

static void accepted_pools_are_sound(struct kunit *test)
{
	struct srqpool_limits lim = rxe;
	struct srqpool_refusal r;
	struct srqpool_config cfg;
	u32 i, accepted = 0;
	u64 seed = 3;
	int ret;

	for (i = 0; i < 20000; i++) {
		any_pool(&seed, &cfg);
		lim.max_cqe = any(&seed, 2) ? rxe.max_cqe : any_edge(&seed);
		lim.max_srq_wr = any(&seed, 2) ? rxe.max_srq_wr : any_edge(&seed);
		memset(&r, 0, sizeof(r));
		ret = policy_check(&cfg, &lim, &r);
		accepted += !ret;
		if (ret ? !CHECK(test, r.err == ret && r.attr && r.text[0]) :
			  !pool_is_sound(test, &cfg, &lim))
			return;
	}
	/* Neither all nor none, or this says little. */
	CHECK(test, accepted > 500 && accepted < 19500);
}

/**
 * struct sim - a queue as the engine keeps one, in numbers
 * @cls: its class
 * @shards: shards of the pool
 * @shard: which of them this is
 * @depth: its share of the ceiling
 * @floor: its share of the floor
 * @reserve: its handler reserve
 * @target: buffers that should be posted
 * @measured: what policy_auto_mark() said last
 * @budget: most buffers there may be
 * @posted: in the SRQ
 * @held: received and not given back
 * @free: neither posted nor held
 * @lost: swallowed by the device
 */
struct sim {
	struct srqpool_class_config cls;
	u32 shards;
	u32 shard;
	u32 depth;
	u32 floor;
	u32 reserve;
	u32 target;
	u32 measured;
	u64 budget;
	u64 posted;
	u64 held;
	u64 free;
	u64 lost;
};

static u64 sim_total(const struct sim *q)
{
	return q->posted + q->held + q->free + q->lost;
}

static u32 sim_mark(const struct sim *q)
{
	return policy_mark(&q->cls, q->shards, q->shard, q->target, q->measured);
}

static u64 least_of(u64 a, u64 b)
{
	return a < b ? a : b;
}

/* A part of @n, all of it now and then. */
static u64 part_of(u64 *seed, u64 n)
{
	return any(seed, 4) ? any64(seed) % (n + 1) : n;
}

static void sim_post(struct sim *q)
{
	u64 used = q->posted + q->lost;
	u64 room = policy_srq_wr(q->depth);
	u64 n = q->target > q->posted ? q->target - q->posted : 0;

	n = least_of(least_of(n, q->free), room > used ? room - used : 0);
	q->free -= n;
	q->posted += n;
}

/* Allocates as far as the ceiling and the budget allow. */
static void sim_alloc(struct sim *q, u64 want)
{
	u64 usable = sim_total(q) - q->lost;

	want = least_of(want, q->depth - usable);
	q->free += least_of(want, q->budget - sim_total(q));
}

static void sim_refill(struct sim *q)
{
	u64 usable;

	sim_post(q);
	if (q->posted < q->target)
		sim_alloc(q, q->target - q->posted);
	sim_post(q);
	if (q->free < q->reserve)
		sim_alloc(q, q->reserve - q->free);

	/* What cannot be had is not aimed at. */
	usable = sim_total(q) - q->lost;
	if (usable < q->target)
		q->target = usable < q->floor ? q->floor : usable;
}

/* Gives back what neither the target nor the handler needs. */
static void sim_shrink(struct sim *q)
{
	u64 usable = sim_total(q) - q->lost;
	u64 keep;

	q->target = policy_age(q->target, q->floor);
	keep = (u64)q->target + q->reserve;
	if (usable > keep)
		q->free -= least_of(usable - keep, q->free);
}

static void sim_step(struct sim *q, u64 *seed)
{
	u64 n;

	switch (any(seed, 8)) {
	case 0:
	case 1:
		n = part_of(seed, q->posted);
		q->posted -= n;
		q->held += n;
		break;
	case 2:
		n = part_of(seed, q->held);
		q->held -= n;
		q->free += n;
		break;
	case 3:
		/* The quarter of its own that an SRQ has for them. */
		n = policy_srq_wr(q->depth) - q->depth;
		n = n > q->lost ? least_of(n - q->lost, part_of(seed, q->posted)) : 0;
		n = any(seed, 8) ? least_of(n, 1) : n;
		q->posted -= n;
		q->lost += n;
		break;
	case 4:
		sim_shrink(q);
		break;
	case 5:
		n = sim_total(q);
		q->budget = n > q->floor ? n : q->floor;
		q->budget += any(seed, 2) ? any_edge(seed) : 0;
		break;
	case 6:
		q->measured = policy_auto_mark(q->target,
					       any64(seed) >> any(seed, 64),
					       any64(seed) >> any(seed, 64));
		break;
	default:
		if (q->posted < sim_mark(q) || !q->posted)
			q->target = policy_grow(q->target, q->posted, sim_mark(q),
						q->depth);
		sim_refill(q);
		break;
	}
}

static void sim_start(struct sim *q, u64 *seed, bool huge)
{
	u32 shards = 1 + any(seed, 4);
	u32 ceiling = huge ? MAX32 - any(seed, 3) : shards + any(seed, 2000);
	u32 floor = shards + any(seed, ceiling - shards + 1);

	memset(q, 0, sizeof(*q));
	q->shards = shards;
	q->shard = any(seed, shards);
	q->cls.floor = floor;
	q->cls.ceiling = ceiling;
	q->cls.mark_kind = any(seed, 3);
	q->cls.mark_value = q->cls.mark_kind == SRQPOOL_MARK_PERCENT ?
			    any(seed, 101) : any(seed, ceiling);
	q->depth = policy_share(ceiling, shards, q->shard);
	q->floor = policy_share(floor, shards, q->shard);
	q->reserve = policy_handler_reserve(q->depth, q->floor);
	q->budget = (u64)q->floor + (any(seed, 4) ? any_edge(seed) : 0);
	q->target = q->floor;
	sim_refill(q);
}

/* What holds whatever happens. */
static bool sim_is_sound(struct kunit *test, const struct sim *q)
{
	u64 total = sim_total(q);
	u64 usable = total - q->lost;
	u64 need = (u64)q->floor + q->reserve;

	return CHECK(test, usable <= q->depth) &&
	       CHECK(test, total <= q->budget) &&
	       CHECK(test, need <= q->depth) &&
	       CHECK(test, q->posted + q->lost <= policy_srq_wr(q->depth)) &&
	       CHECK(test, q->target >= q->floor && q->target <= q->depth) &&
	       CHECK(test, q->target ? sim_mark(q) < q->target : !sim_mark(q)) &&
	       CHECK(test, total >= q->floor);
}

/* What holds after a refill: only the budget keeps a queue below its floor. */
static bool sim_is_filled(struct kunit *test, const struct sim *q)
{
	u64 usable = sim_total(q) - q->lost;
	u64 used = q->posted + q->lost;

	return CHECK(test, usable >= q->floor || sim_total(q) == q->budget) &&
	       CHECK(test, q->posted >= q->target || !q->free ||
		     used == policy_srq_wr(q->depth));
}

static void run_queues(struct kunit *test, u64 seed, bool huge)
{
	struct sim q;
	u32 i, j;

	for (i = 0; i < 400; i++) {
		sim_start(&q, &seed, huge);
		for (j = 0; j < 200; j++) {
			sim_step(&q, &seed);
			if (!sim_is_sound(test, &q))
				goto failed;
		}
		sim_refill(&q);
		if (!sim_is_sound(test, &q) || !sim_is_filled(test, &q))
			goto failed;
	}
	return;
failed:
	KUNIT_FAIL(test, "queue %u, step %u: target %u, depth %u, floor %u, reserve %u\n",
		   i, j, q.target, q.depth, q.floor, q.reserve);
	KUNIT_FAIL(test, "posted %llu, held %llu, free %llu, lost %llu, budget %llu\n",
		   (unsigned long long)q.posted, (unsigned long long)q.held,
		   (unsigned long long)q.free, (unsigned long long)q.lost,
		   (unsigned long long)q.budget);
}

static void queues_keep_their_bounds(struct kunit *test)
{
	run_queues(test, 4, false);
}

static void huge_queues_keep_their_bounds(struct kunit *test)
{
	run_queues(test, 5, true);
}

/* Crossings take a queue to its ceiling, quiet times back to its floor. */
static void targets_reach_their_ends(struct kunit *test)
{
	static const u32 floors[] = { 1, 2, 63, 64, 1000, 1U << 31, MAX32 };
	static const u32 depths[] = { 1, 64, 1000, 1024, 1U << 31, MAX32 };
	u32 i, j, n, target;

	for (i = 0; i < ARRAY_SIZE(floors); i++)
		for (j = 0; j < ARRAY_SIZE(depths); j++) {
			if (floors[i] > depths[j])
				continue;
			target = floors[i];
			for (n = 0; n < 32; n++)
				target = policy_grow(target, 0, 0, depths[j]);
			CHECK_EQ(test, target, depths[j]);
			for (n = 0; n < 32; n++)
				target = policy_age(target, floors[i]);
			CHECK_EQ(test, target, floors[i]);
		}
}

static void class_for_a_size_is_the_smallest_that_holds_it(struct kunit *test)
{
	struct srqpool_config cfg = { .nr_classes = 3 };

	cfg.classes[0].size = 4096;
	cfg.classes[1].size = 512;
	cfg.classes[2].size = 65536;
	CHECK_EQ(test, policy_class_for(&cfg, 0), 1);
	CHECK_EQ(test, policy_class_for(&cfg, 512), 1);
	CHECK_EQ(test, policy_class_for(&cfg, 513), 0);
	CHECK_EQ(test, policy_class_for(&cfg, 4097), 2);
	CHECK_EQ(test, policy_class_for(&cfg, 65537), -1);
	CHECK_EQ(test, policy_class_for(&cfg, MAX32), -1);
}

static void rate_counts_what_is_kept_back(struct kunit *test)
{
	u64 now = 5 * POLICY_SECOND_NS;
	struct policy_rate rate = {};
	u32 i;

	CHECK_EQ(test, policy_rate_over(&rate, now), 0);
	for (i = 0; i < 3; i++)
		CHECK(test, policy_rate_allow(&rate, 3));
	for (i = 0; i < 7; i++)
		CHECK(test, !policy_rate_allow(&rate, 3));
	CHECK_EQ(test, policy_rate_over(&rate, now + POLICY_SECOND_NS - 1), 0);
	CHECK_EQ(test, rate.kept_back, 7);
	CHECK_EQ(test, policy_rate_over(&rate, now + POLICY_SECOND_NS), 7);
	CHECK_EQ(test, rate.kept_back, 0);
	CHECK(test, policy_rate_allow(&rate, 3));
}

static void rate_is_of_the_second_that_began_with_the_first(struct kunit *test)
{
	struct policy_rate rate = {};
	u64 now = 1ULL << 40;

	CHECK_EQ(test, policy_rate_over(&rate, now), 0);
	CHECK(test, policy_rate_allow(&rate, 1));
	CHECK(test, !policy_rate_allow(&rate, 1));
	/* A long time in which nothing happened is one second. */
	CHECK_EQ(test, policy_rate_over(&rate, now + 100 * POLICY_SECOND_NS), 1);
	CHECK_EQ(test, policy_rate_over(&rate, now + 101 * POLICY_SECOND_NS - 1), 0);
	CHECK(test, policy_rate_allow(&rate, 1));
}

static void every_kind_of_event_has_a_rate(struct kunit *test)
{
	u32 type;

	for (type = 0; type <= SRQPOOL_EVENT_DEGRADED; type++)
		CHECK(test, policy_event_rate(type) > 0);
	CHECK(test, policy_event_rate(SRQPOOL_EVENT_BUDGET_HIT) <
		    policy_event_rate(SRQPOOL_EVENT_LOW));
}

struct kunit_case policy_cases[] = {
	KUNIT_CASE(shares_add_up),
	KUNIT_CASE(auto_shards_leave_no_queue_empty),
	KUNIT_CASE(srq_wr_is_five_quarters_rounded_up),
	KUNIT_CASE(handler_reserve_fits_under_the_ceiling),
	KUNIT_CASE(mark_of_percent_and_count),
	KUNIT_CASE(mark_of_a_measurement),
	KUNIT_CASE(mark_is_below_the_target),
	KUNIT_CASE(auto_mark_covers_a_refill),
	KUNIT_CASE(auto_mark_keeps_its_bounds),
	KUNIT_CASE(grow_doubles_and_ends_at_the_depth),
	KUNIT_CASE(class_for_a_size_is_the_smallest_that_holds_it),
	KUNIT_CASE(age_halves_and_ends_at_the_floor),
	KUNIT_CASE(quota_follows_the_ceiling),
	KUNIT_CASE(reserve_follows_the_floor),
	KUNIT_CASE(arena_leaves_room_to_grow),
	KUNIT_CASE(degraded_is_more_than_a_quarter),
	KUNIT_CASE(cq_holds_what_receives_and_sends_need),
	KUNIT_CASE(cq_of_dedicated_queues),
	KUNIT_CASE(rnr_timers_are_those_of_the_standard),
	KUNIT_CASE(names_are_short_and_printable),
	KUNIT_CASE(check_fills_in_shards),
	KUNIT_CASE(check_names_both_numbers),
	KUNIT_CASE(check_keeps_to_the_device),
	KUNIT_CASE(check_keeps_to_the_budget),
	KUNIT_CASE(check_warns),
	KUNIT_CASE(check_of_fairness),
	KUNIT_CASE(check_of_polling_and_times),
	KUNIT_CASE(check_of_dedicated_queues),
	KUNIT_CASE(accepted_pools_are_sound),
	KUNIT_CASE(queues_keep_their_bounds),
	KUNIT_CASE(huge_queues_keep_their_bounds),
	KUNIT_CASE(targets_reach_their_ends),
	KUNIT_CASE(rate_counts_what_is_kept_back),
	KUNIT_CASE(rate_is_of_the_second_that_began_with_the_first),
	KUNIT_CASE(every_kind_of_event_has_a_rate),
	{}
};
