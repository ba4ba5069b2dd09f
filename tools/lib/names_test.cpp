// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include "names.h"

#include <gtest/gtest.h>

#include "objects.h"

namespace srqpool {
namespace {

TEST(Names, OfEvents) {
    EXPECT_EQ(event_name(SRQPOOL_EVENT_LOW), "low");
    EXPECT_EQ(event_name(SRQPOOL_EVENT_ERROR), "error");
    EXPECT_EQ(event_name(SRQPOOL_EVENT_SHRUNK), "shrunk");
    EXPECT_EQ(event_name(SRQPOOL_EVENT_QUOTA_HIT), "quota-hit");
    EXPECT_EQ(event_name(SRQPOOL_EVENT_DEGRADED), "degraded");
    EXPECT_EQ(event_name(SRQPOOL_EVENT_DEGRADED + 1), "13");
}

TEST(Names, OfKnobsThereAndBack) {
    for (const std::uint32_t poll :
         {SRQPOOL_POLL_AUTO, SRQPOOL_POLL_EVENT, SRQPOOL_POLL_BUSY, SRQPOOL_POLL_HYBRID})
        EXPECT_EQ(poll_from_name(poll_name(poll)), poll);
    for (const std::uint32_t refill : {SRQPOOL_REFILL_WATERMARK, SRQPOOL_REFILL_IMMEDIATE})
        EXPECT_EQ(refill_from_name(refill_name(refill)), refill);
    for (const std::uint32_t policy : {SRQPOOL_QUOTA_COPY, SRQPOOL_QUOTA_DISCONNECT})
        EXPECT_EQ(quota_policy_from_name(quota_policy_name(policy)), policy);
    EXPECT_FALSE(poll_from_name("3"));
    EXPECT_FALSE(refill_from_name(""));
    EXPECT_FALSE(quota_policy_from_name("Copy"));
}

TEST(Names, AreAllTold) {
    for (const std::string_view name : poll_names())
        EXPECT_TRUE(poll_from_name(name)) << name;
    EXPECT_EQ(poll_names().size(), SRQPOOL_POLL_HYBRID + 1U);
    EXPECT_EQ(refill_names()[SRQPOOL_REFILL_IMMEDIATE], "immediate");
    EXPECT_EQ(quota_policy_names()[SRQPOOL_QUOTA_DISCONNECT], "disconnect");
    EXPECT_EQ(transport_names()[SRQPOOL_TRANSPORT_RC], "rc");
    EXPECT_EQ(mode_names()[SRQPOOL_MODE_DELIVER], "deliver");
}

TEST(Names, OfAPollAndItsSpin) {
    EXPECT_EQ(to_string(Poll{SRQPOOL_POLL_AUTO}), "auto");
    EXPECT_EQ(to_string(Poll{SRQPOOL_POLL_EVENT, 50}), "event");
    EXPECT_EQ(to_string(Poll{SRQPOOL_POLL_HYBRID, 7}), "hybrid:7");
    EXPECT_EQ(to_string(Poll{9}), "9");
}

} // namespace
} // namespace srqpool
