// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include "client.h"

#include <cerrno>

#include <gtest/gtest.h>

#include "fake/fake_kernel.h"

namespace srqpool {
namespace {

using fake::FakeKernel;

constexpr Version here{SRQPOOL_UAPI_MAJOR, SRQPOOL_UAPI_MINOR};

Client connected(FakeKernel &kernel) {
    auto client = Client::connect(kernel.open());
    EXPECT_TRUE(client) << (client ? "" : client.error().text);
    return std::move(*client);
}

TEST(Client, SaysThatTheModuleIsNotLoaded) {
    FakeKernel kernel;
    kernel.loaded = false;
    const auto client = Client::connect(kernel.open());
    ASSERT_FALSE(client);
    EXPECT_EQ(client.error().kind, ErrorKind::no_family);
}

TEST(Client, RefusesAnotherMajorNamingBoth) {
    FakeKernel kernel;
    kernel.version = 0x0203;
    const auto client = Client::connect(kernel.open());
    ASSERT_FALSE(client);
    EXPECT_EQ(client.error().kind, ErrorKind::version);
    EXPECT_NE(client.error().text.find("2.3"), std::string::npos);
    EXPECT_NE(client.error().text.find(to_string(here)), std::string::npos);
}

TEST(Client, WarnsAboutAnotherMinorNamingBoth) {
    FakeKernel kernel;
    kernel.version = 0x0107;
    Client client = connected(kernel);
    const auto warnings = client.take_warnings();
    ASSERT_EQ(warnings.size(), 1U);
    EXPECT_NE(warnings[0].find("1.7"), std::string::npos);
    EXPECT_NE(warnings[0].find(to_string(here)), std::string::npos);
    EXPECT_TRUE(client.take_warnings().empty());
}

TEST(Client, EncodesAPool) {
    FakeKernel kernel;
    Client client = connected(kernel);
    PoolSpec spec;
    spec.name = "web";
    spec.dev = "rxe0";
    spec.shards = 2;
    spec.budget = 1 << 20;
    spec.rnr_timer_us = 640;
    spec.poll = Poll{SRQPOOL_POLL_HYBRID, 30};
    spec.refill = SRQPOOL_REFILL_IMMEDIATE;
    spec.dedicated = 64;
    spec.quota = 32;
    spec.quota_policy = SRQPOOL_QUOTA_DISCONNECT;
    spec.reserve = 0;
    spec.copybreak = 512;
    spec.aging = 0;
    spec.keepalive = 5;
    spec.classes.push_back({"small", 512, 64, 128, Mark{SRQPOOL_MARK_COUNT, 16}});
    spec.classes.push_back({"4096", 4096, 8, 8, std::nullopt});
    ASSERT_TRUE(client.add_pool(spec));

    ASSERT_EQ(kernel.requests.size(), 1U);
    const auto sent = kernel.requests[0].attributes();
    EXPECT_EQ(kernel.requests[0].command, SRQPOOL_CMD_POOL_NEW);
    EXPECT_EQ(sent.string(SRQPOOL_A_POOL_NAME), "web");
    EXPECT_EQ(sent.string(SRQPOOL_A_POOL_DEV), "rxe0");
    EXPECT_EQ(sent.u32(SRQPOOL_A_POOL_SHARDS), 2U);
    EXPECT_EQ(sent.u64(SRQPOOL_A_POOL_BUDGET), 1U << 20);
    EXPECT_EQ(sent.u32(SRQPOOL_A_POOL_RNR_TIMER_US), 640U);
    EXPECT_EQ(sent.u32(SRQPOOL_A_POOL_POLL), SRQPOOL_POLL_HYBRID);
    EXPECT_EQ(sent.u32(SRQPOOL_A_POOL_POLL_USEC), 30U);
    EXPECT_EQ(sent.u32(SRQPOOL_A_POOL_REFILL), SRQPOOL_REFILL_IMMEDIATE);
    EXPECT_EQ(sent.u32(SRQPOOL_A_POOL_DEDICATED), 64U);
    EXPECT_EQ(sent.u32(SRQPOOL_A_POOL_QUOTA), 32U);
    EXPECT_EQ(sent.u32(SRQPOOL_A_POOL_QUOTA_POLICY), SRQPOOL_QUOTA_DISCONNECT);
    EXPECT_EQ(sent.u32(SRQPOOL_A_POOL_RESERVE), 0U);
    EXPECT_EQ(sent.u32(SRQPOOL_A_POOL_COPYBREAK), 512U);
    EXPECT_EQ(sent.u32(SRQPOOL_A_POOL_AGING), 0U);
    EXPECT_EQ(sent.u32(SRQPOOL_A_POOL_KEEPALIVE), 5U);

    std::vector<std::optional<std::uint32_t>> marks;
    sent.each_nest(SRQPOOL_A_POOL_CLASS, [&](const Attributes &nest) {
        marks.push_back(nest.u32(SRQPOOL_A_CLASS_MARK_VALUE));
    });
    EXPECT_EQ(marks, (std::vector<std::optional<std::uint32_t>>{16, std::nullopt}));
}

TEST(Client, LeavesToTheKernelWhatWasNotGiven) {
    FakeKernel kernel;
    Client client = connected(kernel);
    PoolSpec spec;
    spec.name = "web";
    ASSERT_TRUE(client.set_pool(spec));
    const auto sent = kernel.requests[0].attributes();
    EXPECT_FALSE(sent.binary(SRQPOOL_A_POOL_DEV));
    EXPECT_FALSE(sent.binary(SRQPOOL_A_POOL_SHARDS));
    EXPECT_FALSE(sent.binary(SRQPOOL_A_POOL_BUDGET));
    for (int knob = SRQPOOL_A_POOL_POLL; knob <= SRQPOOL_A_POOL_MAX; knob++)
        EXPECT_FALSE(sent.binary(knob)) << knob;
}

TEST(Client, AnAutomaticMarkHasNoValueThatCounts) {
    FakeKernel kernel;
    Client client = connected(kernel);
    PoolSpec spec;
    spec.name = "web";
    spec.classes.push_back({"4096", 4096, 8, 8, Mark{SRQPOOL_MARK_AUTO}});
    ASSERT_TRUE(client.set_pool(spec));
    const auto sent = kernel.requests[0].attributes().nest(SRQPOOL_A_POOL_CLASS);
    ASSERT_TRUE(sent);
    EXPECT_EQ(sent->u32(SRQPOOL_A_CLASS_MARK_KIND), SRQPOOL_MARK_AUTO);

    Message &web = kernel.add(SRQPOOL_CMD_POOL_GET).string(SRQPOOL_A_POOL_NAME, "web");
    web.nest(SRQPOOL_A_POOL_CLASS, [&] { web.u32(SRQPOOL_A_CLASS_MARK_KIND, SRQPOOL_MARK_AUTO); });
    const auto pool = client.pool("web");
    ASSERT_TRUE(pool);
    EXPECT_EQ(to_string(*pool->classes.front().mark_spec), "auto");
}

TEST(Client, EncodesAListener) {
    FakeKernel kernel;
    Client client = connected(kernel);
    ListenerSpec spec;
    spec.pool = "web";
    spec.addr = *parse_address("fe80::1%7");
    spec.port = 7471;
    spec.mode = SRQPOOL_MODE_ECHO;
    EXPECT_EQ(client.add_listener(spec), 7U);

    const auto sent = kernel.requests[0].attributes();
    EXPECT_EQ(sent.binary(SRQPOOL_A_LISTENER_ADDR)->size(), 16U);
    EXPECT_EQ(sent.u32(SRQPOOL_A_LISTENER_SCOPE_ID), 7U);
    EXPECT_EQ(sent.u16(SRQPOOL_A_LISTENER_PORT), 7471);
    EXPECT_EQ(sent.u32(SRQPOOL_A_LISTENER_MODE), SRQPOOL_MODE_ECHO);
    EXPECT_FALSE(sent.binary(SRQPOOL_A_LISTENER_TRANSPORT));
}

TEST(Client, SendsForceOnlyWhenAsked) {
    FakeKernel kernel;
    Client client = connected(kernel);
    ASSERT_TRUE(client.delete_pool("web", false));
    ASSERT_TRUE(client.delete_pool("web", true));
    EXPECT_FALSE(kernel.requests[0].attributes().binary(SRQPOOL_A_POOL_FORCE));
    EXPECT_TRUE(kernel.requests[1].attributes().binary(SRQPOOL_A_POOL_FORCE));
}

TEST(Client, HandsOnTheKernelsWords) {
    for (const bool capping : {true, false}) {
        FakeKernel kernel;
        kernel.capping = capping;
        kernel.verdicts[SRQPOOL_CMD_POOL_DEL] = {EBUSY, "web has 3 listeners"};
        Client client = connected(kernel);
        const auto deleted = client.delete_pool("web", false);
        ASSERT_FALSE(deleted);
        EXPECT_EQ(deleted.error().kind, ErrorKind::refused);
        EXPECT_EQ(deleted.error().code, EBUSY);
        EXPECT_EQ(deleted.error().text, "web has 3 listeners");
    }
}

TEST(Client, FallsBackOnTheErrno) {
    FakeKernel kernel;
    kernel.verdicts[SRQPOOL_CMD_POOL_DEL] = {EPERM};
    Client client = connected(kernel);
    EXPECT_EQ(client.delete_pool("web", false).error().text, "Operation not permitted");
}

TEST(Client, KeepsWarnings) {
    FakeKernel kernel;
    kernel.verdicts[SRQPOOL_CMD_POOL_SET] = {0, "the mark is low"};
    Client client = connected(kernel);
    EXPECT_TRUE(client.set_pool({}));
    EXPECT_EQ(client.take_warnings(), std::vector<std::string>{"the mark is low"});
}

TEST(Client, ReadsTenThousandConnections) {
    FakeKernel kernel;
    for (std::uint64_t id = 1; id <= 10000; id++)
        kernel.add(SRQPOOL_CMD_CONN_GET)
            .u64(SRQPOOL_A_CONN_ID, id)
            .string(SRQPOOL_A_CONN_POOL, "web");
    Client client = connected(kernel);
    const auto conns = client.conns("web");
    ASSERT_TRUE(conns);
    ASSERT_EQ(conns->size(), 10000U);
    EXPECT_EQ(conns->front().id, 1U);
    EXPECT_EQ(conns->back().id, 10000U);
}

TEST(Client, TriesAnInterruptedDumpAgain) {
    FakeKernel kernel;
    kernel.interrupted_dumps = 2;
    kernel.add(SRQPOOL_CMD_POOL_GET).string(SRQPOOL_A_POOL_NAME, "web");
    Client client = connected(kernel);
    const auto pools = client.pools();
    ASSERT_TRUE(pools);
    EXPECT_EQ(pools->size(), 1U);
    EXPECT_EQ(kernel.requests.size(), 3U);
}

TEST(Client, GivesUpOnADumpThatStaysInterrupted) {
    FakeKernel kernel;
    kernel.interrupted_dumps = 1000;
    Client client = connected(kernel);
    const auto pools = client.pools();
    ASSERT_FALSE(pools);
    EXPECT_EQ(pools.error().kind, ErrorKind::interrupted);
}

TEST(Client, ReportsADumpThatFails) {
    FakeKernel kernel;
    kernel.verdicts[SRQPOOL_CMD_POOL_GET] = {ENOMEM, "no memory"};
    Client client = connected(kernel);
    EXPECT_EQ(client.pools().error().text, "no memory");
}

TEST(Client, ReportsTruncation) {
    FakeKernel kernel;
    Client client = connected(kernel);
    kernel.truncating = true;
    EXPECT_EQ(client.pools().error().kind, ErrorKind::truncated);
}

TEST(Client, AFilterThatNamesNoPoolIsAnError) {
    FakeKernel kernel;
    kernel.add(SRQPOOL_CMD_POOL_GET).string(SRQPOOL_A_POOL_NAME, "idle");
    Client client = connected(kernel);
    EXPECT_EQ(client.queues("web").error().code, ENOENT);
    EXPECT_TRUE(client.queues("idle"));
}

TEST(Client, DecodesWhatIsThereAndLeavesOutWhatIsNot) {
    FakeKernel kernel;
    kernel.add(SRQPOOL_CMD_QUEUE_GET)
        .string(SRQPOOL_A_QUEUE_POOL, "web")
        .u32(SRQPOOL_A_QUEUE_POSTED, 12)
        .u8(SRQPOOL_A_QUEUE_ARMED, 1);
    Client client = connected(kernel);
    const auto queues = client.queues(std::nullopt);
    ASSERT_EQ(queues->size(), 1U);
    EXPECT_EQ(queues->front().posted, 12U);
    EXPECT_EQ(queues->front().armed, true);
    EXPECT_FALSE(queues->front().device_limit);
}

TEST(Client, DecodesTheKnobsOfAPool) {
    FakeKernel kernel;
    kernel.add(SRQPOOL_CMD_POOL_GET)
        .string(SRQPOOL_A_POOL_NAME, "web")
        .u32(SRQPOOL_A_POOL_POLL, SRQPOOL_POLL_HYBRID)
        .u32(SRQPOOL_A_POOL_POLL_USEC, 50)
        .u32(SRQPOOL_A_POOL_REFILL, SRQPOOL_REFILL_IMMEDIATE)
        .u32(SRQPOOL_A_POOL_DEDICATED, 64)
        .u32(SRQPOOL_A_POOL_QUOTA, 32)
        .u32(SRQPOOL_A_POOL_QUOTA_POLICY, SRQPOOL_QUOTA_DISCONNECT)
        .u32(SRQPOOL_A_POOL_RESERVE, 16)
        .u32(SRQPOOL_A_POOL_COPYBREAK, 0)
        .u64(SRQPOOL_A_POOL_ARENA, 1 << 20);
    Client client = connected(kernel);
    const auto pool = client.pool("web");
    ASSERT_TRUE(pool);
    EXPECT_EQ(pool->poll, (Poll{SRQPOOL_POLL_HYBRID, 50}));
    EXPECT_EQ(pool->refill, SRQPOOL_REFILL_IMMEDIATE);
    EXPECT_EQ(pool->dedicated, 64U);
    EXPECT_EQ(pool->quota, 32U);
    EXPECT_EQ(pool->quota_policy, SRQPOOL_QUOTA_DISCONNECT);
    EXPECT_EQ(pool->reserve, 16U);
    EXPECT_EQ(pool->copybreak, 0U);
    EXPECT_FALSE(pool->aging);
    EXPECT_FALSE(pool->keepalive);
    EXPECT_EQ(pool->arena, 1U << 20);
}

TEST(Client, DecodesWhatWasCopied) {
    FakeKernel kernel;
    kernel.add(SRQPOOL_CMD_CONN_GET).u64(SRQPOOL_A_CONN_COPIED, 9);
    kernel.add(SRQPOOL_CMD_STATS_GET)
        .u64(SRQPOOL_A_STATS_COPIED, 10)
        .u64(SRQPOOL_A_STATS_QUOTA_HITS, 11);
    Client client = connected(kernel);
    EXPECT_EQ(client.conns(std::nullopt)->front().copied, 9U);
    EXPECT_EQ(client.stats()->front().copied, 10U);
    EXPECT_EQ(client.stats()->front().quota_hits, 11U);
}

} // namespace
} // namespace srqpool
