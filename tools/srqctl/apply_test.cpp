// SPDX-License-Identifier: GPL-2.0
#include "apply.h"

#include <cerrno>

#include <gtest/gtest.h>

#include "lib/fake/fake_kernel.h"
#include "report.h"

namespace srqctl {
namespace {

using Act = Step::Act;

Step pool_step(Act act, const std::string &name) {
    Step step{.act = act, .pool = name};
    step.pool_spec.name = name;
    return step;
}

Step listener_step(Act act, const std::string &pool) {
    Step step{.act = act, .pool = pool, .listener = "10.7.0.1:7471"};
    step.listener_spec.pool = pool;
    step.listener_spec.port = 7471;
    step.listener_id = 3;
    if (act == Act::replace_listener)
        step.former = step.listener_spec;
    return step;
}

class Apply : public testing::Test {
  protected:
    Outcomes run(const std::vector<Step> &steps) {
        auto client = srqpool::Client::connect(kernel.open());
        EXPECT_TRUE(client);
        Outcomes outcomes = do_steps(*client, steps);
        failure = failure_of(steps, outcomes);
        return outcomes;
    }

    std::vector<std::uint8_t> commands() const {
        std::vector<std::uint8_t> result;
        for (const srqpool::fake::Request &request : kernel.requests)
            result.push_back(request.command);
        return result;
    }

    using Commands = std::vector<std::uint8_t>;

    srqpool::fake::FakeKernel kernel;
    std::optional<Failure> failure;
};

TEST_F(Apply, WhatMakesRoomComesFirst) {
    run({pool_step(Act::add_pool, "a"), listener_step(Act::add_listener, "a"),
         pool_step(Act::set_pool, "b"), listener_step(Act::replace_listener, "b"),
         listener_step(Act::remove_listener, "b")});
    EXPECT_EQ(commands(), (Commands{SRQPOOL_CMD_POOL_SET, SRQPOOL_CMD_LISTENER_DEL,
                                    SRQPOOL_CMD_POOL_NEW, SRQPOOL_CMD_LISTENER_NEW,
                                    SRQPOOL_CMD_LISTENER_DEL, SRQPOOL_CMD_LISTENER_NEW}));
    EXPECT_FALSE(failure);
}

TEST_F(Apply, WhatStaysAsksForNothing) {
    run({pool_step(Act::keep, "a"), listener_step(Act::keep, "a")});
    EXPECT_EQ(commands(), Commands{});
}

TEST_F(Apply, NothingMoreIsDoneForAPoolThatFailed) {
    kernel.verdicts[SRQPOOL_CMD_POOL_SET] = {ENOSPC, "1572864 bytes are pinned"};
    const Outcomes outcomes =
        run({pool_step(Act::set_pool, "a"), listener_step(Act::remove_listener, "a"),
             listener_step(Act::add_listener, "a"), listener_step(Act::add_listener, "b")});
    EXPECT_EQ(commands(), (Commands{SRQPOOL_CMD_POOL_SET, SRQPOOL_CMD_LISTENER_NEW}));
    EXPECT_FALSE(outcomes[1]);
    EXPECT_FALSE(outcomes[2]);
    EXPECT_TRUE(outcomes[3]);
    EXPECT_EQ(failure->error.text, "3 of 4 failed; pool a: 1572864 bytes are pinned");
}

TEST_F(Apply, ANewPoolGoesAgainIfAListenerFails) {
    kernel.verdicts[SRQPOOL_CMD_LISTENER_NEW] = {EADDRNOTAVAIL, "no such address"};
    const Outcomes outcomes =
        run({pool_step(Act::add_pool, "a"), listener_step(Act::add_listener, "a"),
             listener_step(Act::add_listener, "a")});
    EXPECT_EQ(commands(),
              (Commands{SRQPOOL_CMD_POOL_NEW, SRQPOOL_CMD_LISTENER_NEW, SRQPOOL_CMD_POOL_DEL}));
    EXPECT_TRUE(kernel.requests[2].attributes().binary(SRQPOOL_A_POOL_FORCE));
    EXPECT_EQ(outcomes[0].error().error.text,
              "listener 10.7.0.1:7471: no such address; the pool was removed again");
    EXPECT_EQ(outcomes[1].error().error.text, "no such address");
    EXPECT_EQ(outcomes[2].error().error.text, "not done: pool a failed");
    EXPECT_EQ(failure->hint, "try: ip address show, rdma link show");
}

TEST_F(Apply, ANewPoolThatCannotGoSaysSo) {
    kernel.verdicts[SRQPOOL_CMD_LISTENER_NEW] = {EADDRNOTAVAIL, "no such address"};
    kernel.verdicts[SRQPOOL_CMD_POOL_DEL] = {EPERM, "not you"};
    const Outcomes outcomes =
        run({pool_step(Act::add_pool, "a"), listener_step(Act::add_listener, "a")});
    EXPECT_EQ(outcomes[0].error().error.text, "listener 10.7.0.1:7471: no such address; the pool "
                                              "could not be removed: not you");
}

TEST_F(Apply, APoolThatWasThereStaysIfAListenerFails) {
    kernel.verdicts[SRQPOOL_CMD_LISTENER_NEW] = {EADDRINUSE, "taken"};
    const Outcomes outcomes =
        run({pool_step(Act::set_pool, "a"), listener_step(Act::add_listener, "a")});
    EXPECT_EQ(commands(), (Commands{SRQPOOL_CMD_POOL_SET, SRQPOOL_CMD_LISTENER_NEW}));
    EXPECT_TRUE(outcomes[0]);
    EXPECT_EQ(failure->error.text, "1 of 2 failed; listener 10.7.0.1:7471 of pool a: taken");
}

TEST_F(Apply, AListenerThatCannotBeReplacedIsPutBack) {
    kernel.verdicts[SRQPOOL_CMD_LISTENER_NEW] = {EADDRINUSE, "taken"};
    const Outcomes outcomes = run({listener_step(Act::replace_listener, "a")});
    EXPECT_EQ(commands(), (Commands{SRQPOOL_CMD_LISTENER_DEL, SRQPOOL_CMD_LISTENER_NEW,
                                    SRQPOOL_CMD_LISTENER_NEW}));
    EXPECT_EQ(outcomes[0].error().error.text, "taken; and not as before either: taken");
}

TEST_F(Apply, AListenerThatCannotBeRemovedIsNotReplaced) {
    kernel.verdicts[SRQPOOL_CMD_LISTENER_DEL] = {ENOENT, "there is no listener 3"};
    run({listener_step(Act::replace_listener, "a")});
    EXPECT_EQ(commands(), Commands{SRQPOOL_CMD_LISTENER_DEL});
    EXPECT_EQ(exit_code(*failure), exit_missing);
}

} // namespace
} // namespace srqctl
