// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include "reply_window.h"

#include <gtest/gtest.h>

using namespace srqload;

namespace {

TEST(ReplyWindow, InOrder) {
    ReplyWindow window;
    for (std::uint64_t first = 0; first < 40; first += 4) {
        window.begin(first, 4);
        for (std::uint64_t i = first; i < first + 4; i++)
            EXPECT_EQ(window.arrived(i), Arrival::in_order);
    }
}

TEST(ReplyWindow, NothingSentYet) {
    ReplyWindow window;
    EXPECT_EQ(window.arrived(0), Arrival::unknown);
}

TEST(ReplyWindow, RepeatedInItsBurst) {
    ReplyWindow window;
    window.begin(0, 4);
    EXPECT_EQ(window.arrived(0), Arrival::in_order);
    EXPECT_EQ(window.arrived(0), Arrival::repeated);
    EXPECT_EQ(window.arrived(1), Arrival::in_order);
}

TEST(ReplyWindow, RepeatedFromAnEarlierBurst) {
    ReplyWindow window;
    window.begin(0, 2);
    window.arrived(0);
    window.arrived(1);
    window.begin(2, 2);
    EXPECT_EQ(window.arrived(1), Arrival::repeated);
    EXPECT_EQ(window.arrived(2), Arrival::in_order);
}

TEST(ReplyWindow, OvertakenIsReordered) {
    ReplyWindow window;
    window.begin(10, 4);
    EXPECT_EQ(window.arrived(11), Arrival::in_order);
    EXPECT_EQ(window.arrived(10), Arrival::reordered);
    EXPECT_EQ(window.arrived(10), Arrival::repeated);
    EXPECT_EQ(window.arrived(12), Arrival::in_order);
    EXPECT_EQ(window.arrived(13), Arrival::in_order);
}

TEST(ReplyWindow, NeverSentIsUnknown) {
    ReplyWindow window;
    window.begin(0, 4);
    EXPECT_EQ(window.arrived(4), Arrival::unknown);
    EXPECT_EQ(window.arrived(UINT64_MAX), Arrival::unknown);
}

} // namespace
