// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include "plan.h"

#include <gtest/gtest.h>

using namespace srqload;

namespace {

constexpr DeviceLimits soft_roce{32767, 1U << 20, 8U << 20};

TEST(Plan, QueuesHoldAnythingThatCanComplete) {
    for (std::uint32_t burst : {1U, 7U, 32U, 1000U}) {
        for (std::uint32_t every : {1U, 16U, 5000U}) {
            Options options;
            options.connections = 10000;
            options.messages = 1'000'000;
            options.burst = burst;
            options.signal_every = every;
            auto plan = make_plan(options, soft_roce);
            ASSERT_TRUE(plan.has_value());
            EXPECT_GT(plan->send_depth, 2 * burst);
            EXPECT_GT(plan->recv_depth, burst);
            EXPECT_LE(plan->connections_per_cq * (plan->send_depth + plan->recv_depth), 32767U);
            EXPECT_GE(plan->connections_per_cq, 1U);
            // With no room for another burst a signalled send is among the outstanding ones.
            EXPECT_GE(plan->send_depth - burst + 1, every);
        }
    }
}

TEST(Plan, NothingIsDeeperThanThereAreMessages) {
    Options options;
    options.messages = 3;
    options.burst = 1000;
    options.signal_every = 1000;
    auto plan = make_plan(options, soft_roce);
    ASSERT_TRUE(plan.has_value());
    EXPECT_EQ(plan->burst, 3U);
    EXPECT_EQ(plan->signal_every, 3U);
}

TEST(Plan, MemoryGrowsWithConnectionsOnlyIfVerifying) {
    Options options;
    options.connections = 10000;
    options.burst = 8;
    options.sizes.hi = 4096;
    options.threads = 2;
    EXPECT_EQ(make_plan(options, soft_roce)->bytes, 2U * (8 + 9) * 4096);
    options.verify = true;
    EXPECT_EQ(make_plan(options, soft_roce)->bytes, 10000U * (8 + 9) * 4096);
}

TEST(Plan, OneWayReceivesNothing) {
    Options options;
    options.one_way = true;
    EXPECT_EQ(make_plan(options, soft_roce)->recv_depth, 0U);
}

TEST(Plan, NoMoreThreadsThanConnections) {
    Options options;
    options.threads = 8;
    options.connections = 3;
    EXPECT_EQ(make_plan(options, soft_roce)->threads, 3U);
}

TEST(Plan, RefusesWhatTheDeviceCannotHold) {
    Options options;
    options.messages = 1'000'000;
    options.burst = 20000;
    auto plan = make_plan(options, soft_roce);
    ASSERT_FALSE(plan.has_value());
    EXPECT_NE(plan.error().find("32767"), std::string::npos);
    options.burst = 100;
    EXPECT_FALSE(make_plan(options, {32767, 128, 8U << 20}).has_value());
    options.sizes.hi = 9U << 20;
    EXPECT_FALSE(make_plan(options, soft_roce).has_value());
}

} // namespace
