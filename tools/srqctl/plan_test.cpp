// SPDX-License-Identifier: GPL-2.0
#include "plan.h"

#include <gtest/gtest.h>

#include "fields.h"

namespace srqctl {
namespace {

using Act = Step::Act;

srqpool::Class class_of(const std::string &name, std::uint32_t size, std::uint32_t floor,
                        std::uint32_t ceiling) {
    srqpool::Class one;
    one.name = name;
    one.size = size;
    one.floor = floor;
    one.ceiling = ceiling;
    one.mark_spec = srqpool::Mark{SRQPOOL_MARK_PERCENT, 12};
    return one;
}

// As the kernel shows a pool: quota and reserve are what it chose for the first class.
srqpool::Pool web() {
    srqpool::Pool pool;
    pool.name = "web";
    pool.dev = "rxe0";
    pool.shards = 2;
    pool.poll = srqpool::Poll{SRQPOOL_POLL_AUTO, 50};
    pool.budget = 256 << 20;
    pool.rnr_timer_us = 640;
    pool.refill = SRQPOOL_REFILL_WATERMARK;
    pool.dedicated = 0;
    pool.quota = 512;
    pool.quota_policy = SRQPOOL_QUOTA_COPY;
    pool.reserve = 16;
    pool.copybreak = 256;
    pool.aging = 60;
    pool.keepalive = 30;
    pool.classes = {class_of("4096", 4096, 128, 4096), class_of("big", 65536, 8, 8)};
    return pool;
}

srqpool::Listener listener(std::uint64_t id, std::uint16_t port) {
    srqpool::Listener one;
    one.id = id;
    one.pool = "web";
    one.class_name = "4096";
    one.addr = srqpool::parse_address("10.7.0.1");
    one.port = port;
    one.transport = SRQPOOL_TRANSPORT_RC;
    one.mode = SRQPOOL_MODE_ECHO;
    one.conns = 2;
    one.max_conns = 16384;
    return one;
}

Config config() { return config_of({web()}, {listener(3, 7471)}); }

std::vector<Step> plan(const Config &wanted) {
    return make_plan(wanted, {web()}, {listener(3, 7471)});
}

// The step of the pool after `change` of what is there.
template <typename Change> Step after(Change change) {
    Config wanted = config();
    change(wanted.pools[0].spec);
    return plan(wanted).at(0);
}

std::vector<std::string> texts(const Step &step) {
    std::vector<std::string> result;
    for (const Change &change : step.changes)
        result.push_back(to_string(change));
    return result;
}

using Texts = std::vector<std::string>;

TEST(Plan, WhatIsThereStays) {
    for (const Step &step : plan(config())) {
        EXPECT_EQ(step.act, Act::keep);
        EXPECT_EQ(texts(step), Texts{});
    }
}

TEST(Plan, EachLiveKnobIsSetAlone) {
    const Step step = after([](srqpool::PoolSpec &spec) {
        spec.poll = srqpool::Poll{SRQPOOL_POLL_HYBRID, 9};
        spec.budget = 1 << 30;
        spec.rnr_timer_us = 960;
        spec.quota = 64;
        spec.quota_policy = SRQPOOL_QUOTA_DISCONNECT;
        spec.reserve = 0;
        spec.copybreak = 0;
        spec.aging = 1;
        spec.keepalive = 2;
    });
    EXPECT_EQ(step.act, Act::set_pool);
    EXPECT_EQ(texts(step), (Texts{"poll auto -> hybrid:9", "budget 268435456 -> 1073741824",
                                  "rnr_timer_us 640 -> 960", "quota auto -> 64",
                                  "quota_policy copy -> disconnect", "reserve auto -> 0",
                                  "copybreak 256 -> 0", "aging 60 -> 1", "keepalive 30 -> 2"}));
    EXPECT_EQ(step.pool_spec.quota, 64U);
    EXPECT_EQ(step.pool_spec.reserve, 0U);
    EXPECT_FALSE(step.pool_spec.dev);
    EXPECT_FALSE(step.pool_spec.shards);
    EXPECT_TRUE(step.pool_spec.classes.empty());
}

TEST(Plan, OnlyWhatDiffersIsSent) {
    const Step step = after([](srqpool::PoolSpec &spec) { spec.aging = 1; });
    srqpool::PoolSpec only;
    only.name = "web";
    only.aging = 1;
    EXPECT_EQ(step.pool_spec, only);
}

TEST(Plan, AClassChangesItsNumbers) {
    const Step step = after([](srqpool::PoolSpec &spec) {
        spec.classes[1].ceiling = 16;
        spec.classes[1].mark = srqpool::Mark{SRQPOOL_MARK_COUNT, 4};
    });
    EXPECT_EQ(step.act, Act::set_pool);
    EXPECT_EQ(texts(step), (Texts{"class big ceiling 8 -> 16", "class big mark_spec 12% -> 4"}));
    ASSERT_EQ(step.pool_spec.classes.size(), 1U);
    EXPECT_EQ(step.pool_spec.classes[0],
              (srqpool::ClassSpec{"big", {}, {}, 16, srqpool::Mark{SRQPOOL_MARK_COUNT, 4}}));
}

TEST(Plan, WhatALivePoolCannotChangeIsRefused) {
    const auto refused = [](const Step &step, const Texts &why) {
        EXPECT_EQ(step.act, Act::refuse_pool) << why[0];
        EXPECT_EQ(texts(step), why);
        EXPECT_FALSE(step.changes[0].possible);
    };
    refused(after([](srqpool::PoolSpec &spec) { spec.dev = "rxe1"; }), {"dev rxe0 -> rxe1"});
    refused(after([](srqpool::PoolSpec &spec) { spec.shards = 4; }), {"shards 2 -> 4"});
    refused(after([](srqpool::PoolSpec &spec) { spec.refill = SRQPOOL_REFILL_IMMEDIATE; }),
            {"refill watermark -> immediate"});
    refused(after([](srqpool::PoolSpec &spec) { spec.dedicated = 8; }), {"dedicated 0 -> 8"});
    refused(after([](srqpool::PoolSpec &spec) { spec.classes[1].size = 4096; }),
            {"class big size 65536 -> 4096"});
    refused(after([](srqpool::PoolSpec &spec) { spec.classes.pop_back(); }),
            {"class big size 65536 -> none"});
    refused(after([](srqpool::PoolSpec &spec) { spec.classes[1].name = "huge"; }),
            {"class huge size none -> 65536", "class big size 65536 -> none"});
}

TEST(Plan, AnAutomaticReserveDoesNotComeBack) {
    srqpool::Pool pool = web();
    pool.reserve = 3;
    const Step step = make_plan(config(), {pool}, {}).at(0);
    EXPECT_EQ(step.act, Act::refuse_pool);
    EXPECT_EQ(texts(step), Texts{"reserve 3 -> auto"});
}

TEST(Plan, AnAutomaticQuotaDoes) {
    srqpool::Pool pool = web();
    pool.quota = 3;
    const Step step = make_plan(config(), {pool}, {}).at(0);
    EXPECT_EQ(step.act, Act::set_pool);
    EXPECT_EQ(texts(step), Texts{"quota 3 -> auto"});
    EXPECT_EQ(step.pool_spec.quota, automatic_quota);
}

TEST(Plan, AutoIsWhateverWasChosen) {
    EXPECT_EQ(after([](srqpool::PoolSpec &spec) {
                  spec.shards = 0;
                  spec.quota = automatic_quota;
                  spec.reserve = automatic_reserve;
              }).act,
              Act::keep);
}

// Else a second apply would find a difference again.
TEST(Plan, ANumberThatWasChosenIsNoDifference) {
    EXPECT_EQ(after([](srqpool::PoolSpec &spec) {
                  spec.quota = 512;
                  spec.reserve = 16;
              }).act,
              Act::keep);
}

// A quota that was chosen follows the ceiling, unless it is given with it.
TEST(Plan, NumbersStayWhenTheirClassChanges) {
    const Step step = after([](srqpool::PoolSpec &spec) {
        spec.quota = 512;
        spec.reserve = 16;
        spec.classes[0].ceiling = 8192;
    });
    EXPECT_EQ(texts(step), Texts{"class 4096 ceiling 4096 -> 8192"});
    EXPECT_EQ(step.pool_spec.quota, 512U);
    EXPECT_EQ(step.pool_spec.reserve, 16U);
}

TEST(Plan, WhatIsNotSaidStays) {
    Config wanted;
    wanted.pools.emplace_back();
    wanted.pools[0].spec.name = "web";
    wanted.pools[0].spec.dev = "rxe0";
    wanted.pools[0].spec.classes.push_back({"big", 65536, 8, 8, {}});
    wanted.pools[0].spec.classes.push_back({"4096", 4096, 128, 4096, {}});
    const std::vector<Step> steps = plan(wanted);
    ASSERT_EQ(steps.size(), 1U);
    EXPECT_EQ(steps[0].act, Act::keep);
}

TEST(Plan, OtherPoolsAreLeftAlone) { EXPECT_TRUE(plan(Config{}).empty()); }

TEST(Plan, ANewPoolComesWithItsListeners) {
    Config wanted = config();
    wanted.pools[0].spec.name = "new";
    wanted.pools[0].listeners->at(0).pool = "new";
    const std::vector<Step> steps = plan(wanted);
    ASSERT_EQ(steps.size(), 2U);
    EXPECT_EQ(steps[0].act, Act::add_pool);
    EXPECT_EQ(steps[0].pool_spec.quota, automatic_quota);
    EXPECT_FALSE(steps[0].pool_spec.reserve); // the module's word for automatic
    EXPECT_EQ(steps[1].act, Act::add_listener);
    EXPECT_EQ(steps[1].listener_spec.pool, "new");
}

TEST(Plan, ListenersThatAreNotInTheFileGoFirst) {
    Config wanted = config();
    wanted.pools[0].listeners->at(0).port = 7472;
    const std::vector<Step> steps = plan(wanted);
    ASSERT_EQ(steps.size(), 3U);
    EXPECT_EQ(steps[1].act, Act::remove_listener);
    EXPECT_EQ(steps[1].listener, "10.7.0.1:7471");
    EXPECT_EQ(steps[1].listener_id, 3U);
    EXPECT_EQ(steps[1].conns, 2U);
    EXPECT_EQ(steps[2].act, Act::add_listener);
    EXPECT_EQ(steps[2].listener, "10.7.0.1:7472");
}

TEST(Plan, NoListenersAtAllIsSaidByAnEmptyList) {
    Config wanted = config();
    wanted.pools[0].listeners->clear();
    ASSERT_EQ(plan(wanted).size(), 2U);
    EXPECT_EQ(plan(wanted)[1].act, Act::remove_listener);
}

TEST(Plan, AListenerThatDiffersIsReplaced) {
    Config wanted = config();
    srqpool::ListenerSpec &asked = wanted.pools[0].listeners->at(0);
    asked.mode = SRQPOOL_MODE_SINK;
    asked.max_conns.reset();
    asked.class_name = "big";
    const Step step = plan(wanted).at(1);
    EXPECT_EQ(step.act, Act::replace_listener);
    EXPECT_EQ(texts(step), (Texts{"class 4096 -> big", "mode echo -> sink"}));
    EXPECT_EQ(step.listener_id, 3U);
    EXPECT_EQ(step.listener_spec.mode, std::uint32_t{SRQPOOL_MODE_SINK});
    EXPECT_EQ(step.listener_spec.max_conns, 16384U);
    EXPECT_EQ(step.former->mode, std::uint32_t{SRQPOOL_MODE_ECHO});
}

TEST(Plan, AListenerOfAnotherPoolIsAnother) {
    Config wanted = config();
    wanted.pools[0].spec.name = "new";
    wanted.pools[0].listeners->at(0).pool = "new";
    EXPECT_EQ(plan(wanted)[1].act, Act::add_listener);
}

} // namespace
} // namespace srqctl
