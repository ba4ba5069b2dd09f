// SPDX-License-Identifier: GPL-2.0
#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <random>
#include <string>

extern "C" {
#include "policy.h"
}

namespace {

constexpr u32 max32 = std::numeric_limits<u32>::max();

srqpool_config pool(u32 floor, u32 ceiling, u32 shards = 1) {
    srqpool_config cfg{};
    std::strcpy(cfg.name, "p0");
    std::strcpy(cfg.dev, "rxe0");
    cfg.shards = shards;
    cfg.budget = 256ULL << 20;
    cfg.rnr_timer_us = 640;
    cfg.quota = POLICY_AUTO;
    cfg.reserve = POLICY_AUTO;
    cfg.nr_classes = 1;
    std::strcpy(cfg.classes[0].name, "4096");
    cfg.classes[0].size = 4096;
    cfg.classes[0].floor = floor;
    cfg.classes[0].ceiling = ceiling;
    cfg.classes[0].mark_kind = SRQPOOL_MARK_PERCENT;
    cfg.classes[0].mark_value = 12;
    return cfg;
}

const srqpool_limits rxe{917503, 1048576, 32767, 2, 2};

struct Checked {
    int err;
    srqpool_refusal refusal;
};

Checked check(srqpool_config cfg, const srqpool_limits &lim = rxe) {
    Checked c{};
    c.err = policy_check(&cfg, &lim, &c.refusal);
    return c;
}

TEST(Share, AddsUpWithRemaindersFirst) {
    EXPECT_EQ(policy_share(10, 3, 0), 4U);
    EXPECT_EQ(policy_share(10, 3, 1), 3U);
    EXPECT_EQ(policy_share(10, 3, 2), 3U);
    for (u32 total : {0U, 1U, 7U, 255U, 4096U, max32})
        for (u32 parts : {1U, 2U, 3U, 8U, 256U}) {
            u64 sum = 0;
            for (u32 i = 0; i < parts; i++)
                sum += policy_share(total, parts, i);
            EXPECT_EQ(sum, total);
        }
}

TEST(AutoShards, OnePerVectorAndCpuButNoEmptyQueues) {
    EXPECT_EQ(policy_auto_shards(&rxe, 128), 2U);
    EXPECT_EQ(policy_auto_shards(&rxe, 63), 1U);
    EXPECT_EQ(policy_auto_shards(&rxe, 1), 1U);
    const srqpool_limits big{1000, 1000, 1000, 1000, 1000};
    EXPECT_EQ(policy_auto_shards(&big, max32), static_cast<u32>(POLICY_SHARDS_MAX));
}

TEST(SrqWr, IsFiveQuartersRoundedUp) {
    EXPECT_EQ(policy_srq_wr(1), 2U);
    EXPECT_EQ(policy_srq_wr(4), 5U);
    EXPECT_EQ(policy_srq_wr(5), 7U);
    EXPECT_EQ(policy_srq_wr(255), 319U);
    EXPECT_EQ(policy_srq_wr(max32), 5368709119U);
}

TEST(Mark, IsAlwaysBelowTheTarget) {
    std::mt19937 random(1);
    std::uniform_int_distribution<u32> any;
    for (int i = 0; i < 100000; i++) {
        srqpool_class_config c{};
        c.mark_kind = any(random) % 2;
        c.mark_value = c.mark_kind == SRQPOOL_MARK_PERCENT ? any(random) % 101 : any(random);
        const u32 shards = 1 + any(random) % 256;
        const u32 target = i % 3 ? any(random) % 1000 : any(random);
        const u32 mark = policy_mark(&c, shards, any(random) % shards, target, 0);
        EXPECT_TRUE(target ? mark < target : mark == 0);
        if (!c.mark_value) {
            EXPECT_EQ(mark, 0U);
        }
    }
}

TEST(Mark, OfPercentAndCount) {
    srqpool_class_config c{};
    c.mark_kind = SRQPOOL_MARK_PERCENT;
    c.mark_value = 12;
    EXPECT_EQ(policy_mark(&c, 1, 0, 100, 0), 12U);
    EXPECT_EQ(policy_mark(&c, 1, 0, 2, 0), 1U);
    EXPECT_EQ(policy_mark(&c, 1, 0, 1, 0), 0U);
    c.mark_value = 100;
    EXPECT_EQ(policy_mark(&c, 1, 0, max32, 0), max32 - 1);
    c.mark_kind = SRQPOOL_MARK_COUNT;
    c.mark_value = 21;
    EXPECT_EQ(policy_mark(&c, 2, 0, 100, 0), 11U);
    EXPECT_EQ(policy_mark(&c, 2, 1, 100, 0), 10U);
}

TEST(Grow, DoublesAndEndsAtTheDepth) {
    EXPECT_EQ(policy_grow(64, 10, 7, 4096), 128U);
    EXPECT_EQ(policy_grow(64, 200, 7, 4096), 207U);
    EXPECT_EQ(policy_grow(64, 10, 7, 100), 100U);
    EXPECT_EQ(policy_grow(max32, max32, max32, max32), max32);
}

TEST(Rnr, KnowsTheTableAndTheNeighbours) {
    u32 below, above;
    EXPECT_EQ(policy_rnr_code(655360, &below, &above), 0);
    EXPECT_EQ(policy_rnr_code(10, &below, &above), 1);
    EXPECT_EQ(policy_rnr_code(640, &below, &above), 12);
    EXPECT_EQ(policy_rnr_code(491520, &below, &above), 31);
    EXPECT_EQ(policy_rnr_code(700, &below, &above), -1);
    EXPECT_EQ(below, 640U);
    EXPECT_EQ(above, 960U);
    EXPECT_EQ(policy_rnr_code(0, &below, &above), -1);
    EXPECT_EQ(above, 10U);
    EXPECT_EQ(policy_rnr_code(max32, &below, &above), -1);
    EXPECT_EQ(below, 655360U);
}

TEST(Name, IsShortAndPrintable) {
    EXPECT_TRUE(policy_name_ok("p0"));
    EXPECT_TRUE(policy_name_ok(std::string(31, 'a').c_str()));
    EXPECT_FALSE(policy_name_ok(std::string(32, 'a').c_str()));
    for (const char *bad : {"", ".", "..", "a/b", "a b", "a\n", "\x7f", "\xc3\xa4"})
        EXPECT_FALSE(policy_name_ok(bad)) << bad;
}

TEST(Check, FillsInShards) {
    auto cfg = pool(128, 4096, 0);
    srqpool_refusal r{};
    EXPECT_EQ(policy_check(&cfg, &rxe, &r), 0);
    EXPECT_EQ(cfg.shards, 2U);
}

TEST(Check, RefusesWithBothNumbers) {
    auto c = check(pool(65, 64));
    EXPECT_EQ(c.err, -EINVAL);
    EXPECT_EQ(c.refusal.attr, SRQPOOL_A_CLASS_FLOOR);
    EXPECT_EQ(c.refusal.cls, 0);
    EXPECT_STREQ(c.refusal.text, "class 4096: floor 65 is above the ceiling 64");

    auto cfg = pool(64, 1024);
    cfg.classes[0].mark_kind = SRQPOOL_MARK_COUNT;
    cfg.classes[0].mark_value = 1024;
    EXPECT_EQ(check(cfg).err, 0);
    cfg.classes[0].mark_value = 1025;
    EXPECT_STREQ(check(cfg).refusal.text, "class 4096: mark 1025 is above the ceiling 1024");
    cfg.classes[0].mark_value = max32;
    EXPECT_EQ(check(cfg).err, -EINVAL);
}

TEST(Check, KeepsToTheDevice) {
    EXPECT_EQ(check(pool(1, max32)).err, -ERANGE);
    EXPECT_EQ(check(pool(1, 26163)).err, -ERANGE);
    EXPECT_EQ(check(pool(1, 26162)).err, 0) << "5/4 of it and 64 are the device's max_cqe";
    srqpool_limits one = rxe;
    one.max_srq = 1;
    EXPECT_EQ(check(pool(256, 256, 2), one).err, -ERANGE);
    EXPECT_EQ(check(pool(256, 256, 257)).err, -EINVAL);
    EXPECT_EQ(check(pool(1, 256, 2)).err, -EINVAL);
}

TEST(Check, KeepsToTheBudget) {
    auto cfg = pool(16, 1024);
    cfg.budget = 65536;
    EXPECT_EQ(check(cfg).err, 0);
    cfg.budget = 65535;
    EXPECT_EQ(check(cfg).err, -ENOSPC);
}

TEST(Check, WarnsOfShallowQueuesAndLowMarks) {
    EXPECT_NE(check(pool(64, 64)).refusal.text[0], '\0');
    EXPECT_EQ(check(pool(64, 64)).err, 0);
    EXPECT_EQ(check(pool(128, 128)).refusal.text[0], '\0');
    auto cfg = pool(128, 128);
    cfg.classes[0].mark_value = 4;
    EXPECT_NE(std::strstr(check(cfg).refusal.text, "under 5%"), nullptr);
}

} // namespace
