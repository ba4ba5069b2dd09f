// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include "events.h"

#include <gtest/gtest.h>

#include "fake/fake_kernel.h"

namespace srqpool {
namespace {

using fake::FakeKernel;

EventStream subscribed(FakeKernel &kernel) {
    Family family;
    family.id = FakeKernel::family_id;
    family.groups[SRQPOOL_MCGRP_EVENTS] = FakeKernel::events_group;
    auto stream = EventStream::subscribe(kernel.open(), family);
    EXPECT_TRUE(stream);
    return std::move(*stream);
}

// "5", "lost 2", "unloaded": all events up to the end.
std::vector<std::string> read_all(EventStream stream) {
    std::vector<std::string> seen;
    for (;;) {
        const auto next = stream.next();
        if (!next) {
            seen.emplace_back(next.error().kind == ErrorKind::no_family ? "unloaded" : "error");
            return seen;
        }
        if (const auto *event = std::get_if<Event>(&*next)) {
            seen.push_back(std::to_string(event->seq));
            continue;
        }
        const auto &count = std::get<EventLoss>(*next).count;
        seen.push_back("lost " + (count ? std::to_string(*count) : "some"));
    }
}

using Seen = std::vector<std::string>;

TEST(EventStream, ReadsInOrderUntilTheModuleIsUnloaded) {
    FakeKernel kernel;
    for (const std::uint32_t seq : {5U, 6U, 7U})
        kernel.add_event().u32(SRQPOOL_A_EVENT_SEQ, seq);
    EXPECT_EQ(read_all(subscribed(kernel)), (Seen{"5", "6", "7", "unloaded"}));
}

TEST(EventStream, FlagsAGap) {
    FakeKernel kernel;
    for (const std::uint32_t seq : {5U, 8U})
        kernel.add_event().u32(SRQPOOL_A_EVENT_SEQ, seq);
    EXPECT_EQ(read_all(subscribed(kernel)), (Seen{"5", "lost 2", "8", "unloaded"}));
}

TEST(EventStream, TheNumberWraps) {
    FakeKernel kernel;
    for (const std::uint32_t seq : {0xffffffffU, 0U})
        kernel.add_event().u32(SRQPOOL_A_EVENT_SEQ, seq);
    EXPECT_EQ(read_all(subscribed(kernel)), (Seen{"4294967295", "0", "unloaded"}));
}

TEST(EventStream, FlagsAnOverrunOnce) {
    FakeKernel kernel;
    kernel.add_event().u32(SRQPOOL_A_EVENT_SEQ, 5);
    kernel.add_overrun();
    kernel.add_event().u32(SRQPOOL_A_EVENT_SEQ, 9);
    EXPECT_EQ(read_all(subscribed(kernel)), (Seen{"5", "lost 3", "9", "unloaded"}));
}

TEST(EventStream, FlagsAnOverrunBeforeTheFirst) {
    FakeKernel kernel;
    kernel.add_overrun();
    kernel.add_event().u32(SRQPOOL_A_EVENT_SEQ, 9);
    EXPECT_EQ(read_all(subscribed(kernel)), (Seen{"lost some", "9", "unloaded"}));
}

TEST(EventStream, NeedsTheGroup) {
    FakeKernel kernel;
    EXPECT_FALSE(EventStream::subscribe(kernel.open(), Family{}));
}

} // namespace
} // namespace srqpool
