// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include "pacer.h"

#include <gtest/gtest.h>

using namespace srqload;

namespace {

TEST(Pacer, WithoutARateNeverWaits) {
    Pacer pacer(0);
    pacer.start(1000);
    for (int i = 0; i < 10; i++) {
        EXPECT_EQ(pacer.wait(1000), 0U);
        pacer.spend(1000, 100);
    }
}

TEST(Pacer, SpacesBurstsByTheirSize) {
    Pacer pacer(1000);
    pacer.start(0);
    EXPECT_EQ(pacer.wait(0), 0U);
    pacer.spend(0, 5);
    EXPECT_EQ(pacer.wait(0), 5'000'000U);
    EXPECT_EQ(pacer.wait(4'000'000), 1'000'000U);
    EXPECT_EQ(pacer.wait(5'000'000), 0U);
}

TEST(Pacer, MakesUpForALateStart) {
    Pacer pacer(1000);
    pacer.start(0);
    pacer.spend(500'000, 1);
    EXPECT_EQ(pacer.wait(1'000'000), 0U);
}

TEST(Pacer, DoesNotFloodAfterALongStall) {
    Pacer pacer(1000);
    pacer.start(0);
    std::uint64_t now = 60'000'000'000;
    int bursts = 0;
    for (; pacer.wait(now) == 0; bursts++)
        pacer.spend(now, 1);
    EXPECT_LE(bursts, 101);
}

} // namespace
