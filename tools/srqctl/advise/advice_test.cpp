// SPDX-License-Identifier: GPL-2.0
#include "advice.h"

#include <gtest/gtest.h>

#include <limits>

#include "sizes.h"

namespace srqctl::advice {
namespace {

constexpr std::uint64_t huge = std::numeric_limits<std::uint64_t>::max();
constexpr std::uint32_t mib = 1 << 20;

srqpool::Hist hist(srqpool_hist kind, const std::vector<std::pair<int, std::uint64_t>> &buckets) {
    srqpool::Hist hist;
    hist.kind = kind;
    for (const auto &[bucket, count] : buckets) {
        hist.buckets.at(static_cast<std::size_t>(bucket)) = count;
        hist.count += count;
        hist.sum += count << std::min(bucket, 20);
    }
    return hist;
}

srqpool::Class make_class(std::uint32_t size, std::uint32_t floor, std::uint32_t ceiling) {
    srqpool::Class one;
    one.name = std::to_string(size);
    one.size = size;
    one.floor = floor;
    one.ceiling = ceiling;
    one.mark_spec = srqpool::Mark{SRQPOOL_MARK_PERCENT, 12};
    one.target = floor;
    one.mark = floor * 12 / 100;
    one.low_water = floor - 1;
    one.max_in_use = 20;
    return one;
}

// Two shards of one class; its listener 1 counts messages of 64 bytes on ten connections.
Seen heartbeats(std::uint32_t size, std::uint32_t floor, std::uint32_t ceiling) {
    Seen seen;
    seen.pool.name = "p0";
    seen.pool.dev = "rxe0";
    seen.pool.shards = 2;
    seen.pool.budget = 512 * mib;
    seen.pool.conns = 10;
    seen.pool.classes = {make_class(size, floor, ceiling)};
    seen.stats.name = "p0";
    seen.stats.hists = {hist(SRQPOOL_HIST_MSG_BYTES, {{6, 5000}}),
                        hist(SRQPOOL_HIST_BATCH, {{0, 990}, {3, 10}})};
    srqpool::Listener listener;
    listener.id = 1;
    listener.class_name = seen.pool.classes[0].name;
    listener.addr = srqpool::parse_address("10.7.0.1");
    listener.port = 7471;
    seen.listeners = {listener};
    return seen;
}

srqpool::Conn conn(std::uint64_t listener, const std::string &class_name, std::uint64_t msgs,
                   std::uint64_t bytes) {
    srqpool::Conn conn;
    conn.listener = listener;
    conn.class_name = class_name;
    conn.rx_msgs = msgs;
    conn.rx_bytes = bytes;
    return conn;
}

// Listener 2 gets messages of 1 MiB on four connections.
Seen bimodal() {
    Seen seen = heartbeats(mib, 64, 128);
    srqpool::Listener large = seen.listeners->front();
    large.id = 2;
    large.port = 7472;
    seen.listeners->push_back(large);
    seen.conns.emplace();
    for (int i = 0; i < 10; i++)
        seen.conns->push_back(conn(1, "1048576", 500, 500 * 64));
    for (int i = 0; i < 4; i++)
        seen.conns->push_back(conn(2, "1048576", 20, std::uint64_t{20} * mib));
    seen.stats.hists[0] = hist(SRQPOOL_HIST_MSG_BYTES, {{6, 5000}, {20, 80}});
    return seen;
}

Seen incast() {
    Seen seen = heartbeats(4096, 64, 4096);
    seen.pool.conns = 500;
    seen.pool.shards = 1;
    seen.pool.classes[0].target = 4032;
    seen.pool.classes[0].low_water = 0;
    seen.stats.hists[0] = hist(SRQPOOL_HIST_MSG_BYTES, {{10, 16000}});
    seen.stats.limit_events = 7;
    seen.stats.rnr_naks = 62;
    return seen;
}

bool mentions(const std::vector<std::string> &texts, const std::string &part) {
    return std::any_of(texts.begin(), texts.end(), [&](const std::string &text) {
        return text.find(part) != std::string::npos;
    });
}

TEST(Sizes, OfNothing) {
    const Sizes sizes = sizes_of(srqpool::Hist{});
    EXPECT_EQ(sizes.count, 0U);
    EXPECT_FALSE(sizes.gap);
}

TEST(Sizes, OfOneMessage) {
    const Sizes sizes = sizes_of(hist(SRQPOOL_HIST_MSG_BYTES, {{0, 1}}));
    EXPECT_EQ(sizes.count, 1U);
    EXPECT_EQ(sizes.below, 2U);
    EXPECT_EQ(buffer_for(sizes.below), 64U);
}

TEST(Sizes, DoNotOverflow) {
    const Sizes sizes = sizes_of(hist(SRQPOOL_HIST_MSG_BYTES, {{0, huge}, {1, huge}, {63, huge}}));
    EXPECT_EQ(sizes.count, huge);
    EXPECT_EQ(sizes.below, huge);
    EXPECT_EQ(buffer_for(sizes.below), 4U * mib);
    ASSERT_TRUE(sizes.gap);
    EXPECT_EQ(sizes.gap->small_count, huge);
}

TEST(Sizes, AGapIsThreeEmptyBucketsWide) {
    EXPECT_FALSE(sizes_of(hist(SRQPOOL_HIST_MSG_BYTES, {{6, 1}, {9, 1}})).gap);
    const auto gap = sizes_of(hist(SRQPOOL_HIST_MSG_BYTES, {{6, 3}, {10, 1}})).gap;
    ASSERT_TRUE(gap);
    EXPECT_EQ(gap->small_below, 128U);
    EXPECT_EQ(gap->large_from, 1024U);
    EXPECT_EQ(gap->small_count, 3U);
}

TEST(Advice, NeedsMessages) {
    Seen seen = heartbeats(65536, 128, 4096);
    seen.stats.hists.clear();
    const Advice nothing = advise(seen);
    EXPECT_FALSE(nothing.settings);
    EXPECT_TRUE(mentions(nothing.warnings, "too little was seen: 0 messages"));

    seen.stats.hists = {hist(SRQPOOL_HIST_MSG_BYTES, {{6, messages_min - 1}})};
    EXPECT_FALSE(advise(seen).settings);
    seen.stats.hists = {hist(SRQPOOL_HIST_MSG_BYTES, {{6, messages_min}})};
    EXPECT_TRUE(advise(seen).settings);
}

TEST(Advice, HeartbeatsNeedNoLargeBuffers) {
    const Advice advice = advise(heartbeats(65536, 128, 4096));
    ASSERT_TRUE(advice.settings);
    const AdvisedClass &one = advice.settings->classes.at(0);
    EXPECT_EQ(one.name, "128");
    EXPECT_EQ(one.size, 128U);
    EXPECT_EQ(one.floor, 256U);
    EXPECT_EQ(one.ceiling, 4096U);
    EXPECT_LT(advice.memory.pinned * 100, advice.memory_now.pinned);
    EXPECT_TRUE(mentions(advice.warnings, "far larger than the messages"));
    ASSERT_EQ(advice.commands.size(), 3U);
    EXPECT_EQ(advice.commands[1],
              "srqctl pool add p0 --dev rxe0 --class 128:256-4096@12% --shards 2 "
              "--budget 536870912");
    EXPECT_EQ(advice.commands[2], "srqctl listen add p0 --addr 10.7.0.1 --port 7471 --class 128");
}

TEST(Advice, OversizeMessagesNeedLargerBuffers) {
    Seen seen = heartbeats(4096, 1024, 4096);
    seen.stats.oversize = 3;
    const Advice advice = advise(seen);
    EXPECT_EQ(advice.settings->classes.at(0).size, 8192U);
    EXPECT_TRUE(mentions(advice.warnings, "3 messages were larger"));
}

TEST(Advice, AListenerOfSmallTalkersGetsAClass) {
    const Advice advice = advise(bimodal());
    ASSERT_TRUE(advice.settings);
    ASSERT_EQ(advice.settings->classes.size(), 2U);
    const AdvisedClass &large = advice.settings->classes[0];
    const AdvisedClass &small = advice.settings->classes[1];
    EXPECT_EQ(large.size, mib);
    EXPECT_EQ(large.conns, 4U);
    EXPECT_EQ(large.floor, 16U);
    EXPECT_EQ(large.ceiling, 32U);
    EXPECT_EQ(small.size, 128U);
    EXPECT_EQ(small.conns, 10U);
    EXPECT_EQ(advice.settings->listener_classes, (std::vector<std::string>{"128", "1048576"}));
    EXPECT_LT(advice.memory.pinned * 2, advice.memory_now.pinned);
    EXPECT_TRUE(mentions(advice.warnings, "very different sizes"));
}

TEST(Advice, AListenerWithBothSizesKeepsItsClass) {
    Seen seen = bimodal();
    for (srqpool::Conn &one : *seen.conns)
        one.listener = 2;
    const Advice advice = advise(seen);
    EXPECT_EQ(advice.settings->classes.size(), 1U);
    EXPECT_TRUE(mentions(advice.warnings, "listener of their own"));
}

// One message of 1 MiB among many would end its connection.
TEST(Advice, AMeanAloneMovesNoListener) {
    Seen seen = bimodal();
    seen.conns->front() = conn(1, "1048576", 500000, 500000 * 90);
    const Advice advice = advise(seen);
    EXPECT_EQ(advice.settings->classes.size(), 1U);
}

TEST(Advice, CountsThatAgreeMoveAListener) {
    Seen seen = bimodal();
    seen.stats.hists[0] = hist(SRQPOOL_HIST_MSG_BYTES, {{6, 504500}, {20, 80}});
    seen.conns->front() = conn(1, "1048576", 500000, 500000 * 90);
    EXPECT_EQ(advise(seen).settings->classes.size(), 2U);
}

TEST(Advice, WhoAskedForASizeKeepsIt) {
    Seen seen = bimodal();
    srqpool::Class other = make_class(4096, 128, 1024);
    seen.pool.classes.push_back(other);
    seen.conns->push_back(conn(1, "4096", 1000, 64000));
    const Advice advice = advise(seen);
    EXPECT_EQ(advice.settings->classes.at(1).size, 4096U);
}

TEST(Advice, NaksRaiseFloorAndMark) {
    const Advice advice = advise(incast());
    const AdvisedClass &one = advice.settings->classes.at(0);
    EXPECT_EQ(one.size, 2048U);
    EXPECT_EQ(one.floor, 2048U);
    EXPECT_GE(one.ceiling, 8192U);
    EXPECT_EQ(to_string(one.mark), "50%");
    EXPECT_TRUE(mentions(advice.warnings, "62 RNR NAKs"));
    EXPECT_TRUE(mentions(advice.warnings, "mark is too low"));
}

TEST(Advice, WhatDoesNotNeedAnotherPoolIsSet) {
    Seen seen = incast();
    seen.stats.hists[0] = hist(SRQPOOL_HIST_MSG_BYTES, {{11, 16000}});
    seen.pool.classes[0].target = 256;
    const Advice advice = advise(seen);
    EXPECT_EQ(advice.commands,
              (std::vector<std::string>{"srqctl pool set p0 --class 4096:128-4096@50%"}));
}

TEST(Advice, NaksOfOtherPoolsChangeNothing) {
    Seen seen = heartbeats(128, 256, 4096);
    seen.stats.rnr_naks = 5;
    const Advice advice = advise(seen);
    EXPECT_TRUE(mentions(advice.warnings, "look at the others"));
    EXPECT_TRUE(advice.commands.empty());
}

TEST(Advice, IsKeptOnceItIsFollowed) {
    Seen seen = heartbeats(128, 256, 4096);
    const Advice advice = advise(seen);
    EXPECT_TRUE(advice.commands.empty());
    EXPECT_TRUE(mentions(advice.reasons, "floor 256 stays"));
}

TEST(Advice, StaysWithinTheDevice) {
    Seen seen = incast();
    seen.dev.emplace();
    seen.dev->name = "rxe0";
    seen.dev->max_srq = 1024;
    seen.dev->max_srq_wr = 8192;
    seen.dev->max_cqe = 32767;
    const Advice advice = advise(seen);
    EXPECT_LE(advice.settings->classes.at(0).ceiling, 6553U);
    EXPECT_EQ(refusal_of(*advice.settings, seen.dev), "");
}

TEST(Advice, StaysWithinTheBudget) {
    Seen seen = incast();
    seen.pool.budget = 4 * mib;
    const Advice advice = advise(seen);
    EXPECT_LE(advice.settings->classes.at(0).floor, 1024U);
    EXPECT_LE(advice.memory.pinned, std::uint64_t{4 * mib});
    EXPECT_EQ(refusal_of(*advice.settings, {}), "");
}

TEST(Advice, SurvivesTheLargestNumbers) {
    constexpr std::uint32_t most = std::numeric_limits<std::uint32_t>::max();
    Seen seen = incast();
    srqpool::Class &one = seen.pool.classes[0];
    one.size = SRQPOOL_SIZE_MAX;
    one.floor = one.ceiling = one.target = one.mark = one.max_in_use = most;
    seen.pool.conns = most;
    seen.pool.budget = huge;
    seen.burst = most;
    seen.stats.hists = {hist(SRQPOOL_HIST_MSG_BYTES, {{63, huge}}),
                        hist(SRQPOOL_HIST_BATCH, {{63, huge}})};
    EXPECT_TRUE(advise(seen).settings);
}

TEST(Memory, SharingPinsLessFromTheBreakEvenOn) {
    Settings settings;
    settings.budget = 256 * mib;
    settings.classes = {
        {.name = "4096", .size = 4096, .floor = 128, .ceiling = 128, .mark = {}, .conns = 10}};
    const Memory memory = memory_of(settings, 16);
    const std::uint64_t own = 16 * 4096;
    EXPECT_EQ(memory.n_x_m, 10 * own);
    EXPECT_GT(memory.break_even * own, memory.pinned);
    EXPECT_LE((memory.break_even - 1) * own, memory.pinned);
}

TEST(Memory, KnowsTheHandlerReserve) {
    Settings settings;
    settings.budget = 256 * mib;
    settings.classes = {{.name = "4096", .size = 4096, .floor = 128, .ceiling = 4096, .mark = {}}};
    // 64 for the limit event, and a sixteenth of the ceiling for copies.
    EXPECT_EQ(memory_of(settings, 1).pinned, (128 + 64 + 256) * std::uint64_t{4096});
}

TEST(Burst, IsThatOf99OfHundredBatches) {
    Seen seen = heartbeats(128, 256, 4096);
    EXPECT_EQ(burst_of(seen), 1U);
    seen.stats.hists[1] = hist(SRQPOOL_HIST_BATCH, {{0, 50}, {4, 50}});
    EXPECT_EQ(burst_of(seen), 16U);
    seen.conns = {conn(1, "128", 3, 192)};
    EXPECT_EQ(burst_of(seen), 3U);
    seen.burst = 7;
    EXPECT_EQ(burst_of(seen), 7U);
}

TEST(Warnings, OfTheQuota) {
    Seen seen = heartbeats(128, 256, 4096);
    seen.listeners->front().mode = SRQPOOL_MODE_ECHO;
    seen.pool.quota = 512;
    EXPECT_TRUE(mentions(advise(seen).warnings, "never hit"));
    seen.stats.quota_hits = 2500;
    EXPECT_TRUE(mentions(advise(seen).warnings, "always hit"));
    seen.listeners->front().mode = SRQPOOL_MODE_SINK;
    EXPECT_FALSE(mentions(advise(seen).warnings, "quota"));
}

} // namespace
} // namespace srqctl::advice
