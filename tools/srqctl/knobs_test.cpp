// SPDX-License-Identifier: GPL-2.0
#include "knobs.h"

#include <gtest/gtest.h>

namespace srqctl {
namespace {

srqpool::PoolSpec parsed(const std::string &arguments) {
    CLI::App app;
    srqpool::PoolSpec spec;
    add_knobs(app, spec);
    app.parse(arguments);
    return spec;
}

TEST(Knobs, EachFillsItsOwnField) {
    srqpool::PoolSpec spec;
    spec.shards = 2;
    spec.poll = srqpool::Poll{SRQPOOL_POLL_HYBRID, 9};
    spec.budget = 1 << 20;
    spec.rnr_timer_us = 640;
    spec.refill = SRQPOOL_REFILL_IMMEDIATE;
    spec.quota = 3;
    spec.quota_policy = SRQPOOL_QUOTA_DISCONNECT;
    spec.reserve = 4;
    spec.copybreak = 5;
    spec.aging = 6;
    spec.keepalive = 8;
    spec.dedicated = 7;
    EXPECT_EQ(parsed("--shards 2 --poll hybrid:9 --budget 1M --rnr-timer 640 --refill immediate "
                     "--quota 3 --quota-policy disconnect --reserve 4 --copybreak 5 --aging 6 "
                     "--keepalive 8 --dedicated 7"),
              spec);
}

TEST(Knobs, ClassesCanBeRepeated) {
    srqpool::PoolSpec spec;
    spec.classes.push_back({"4096", 4096, 8, 8, std::nullopt});
    spec.classes.push_back({"big", 65536, 8, 16, srqpool::Mark{SRQPOOL_MARK_AUTO}});
    EXPECT_EQ(parsed("--class 4K:8 --class big=64K:8-16@auto"), spec);
}

TEST(Knobs, ZeroIsAValueAndNotNothing) {
    srqpool::PoolSpec spec;
    spec.shards = 0;
    spec.reserve = 0;
    spec.copybreak = 0;
    spec.aging = 0;
    spec.keepalive = 0;
    EXPECT_EQ(parsed("--shards auto --reserve 0 --copybreak 0 --aging 0 --keepalive 0"), spec);
}

TEST(Knobs, WhatIsNotGivenIsLeftToTheKernel) {
    EXPECT_EQ(parsed(""), srqpool::PoolSpec{});
    EXPECT_THROW(parsed("--quota 0"), CLI::ValidationError);
}

} // namespace
} // namespace srqctl
