// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include "histogram.h"

#include "random.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <vector>

using namespace srqload;

namespace {

TEST(Histogram, EmptyIsZero) {
    Histogram histogram;
    EXPECT_EQ(histogram.quantile(0.5), 0U);
    EXPECT_EQ(histogram.max(), 0U);
}

TEST(Histogram, OneValueIsEveryQuantile) {
    for (std::uint64_t value :
         {std::uint64_t{0}, std::uint64_t{31}, std::uint64_t{32}, std::uint64_t{63},
          std::uint64_t{64}, std::uint64_t{12345678}, UINT64_MAX}) {
        Histogram histogram;
        histogram.record(value);
        for (double fraction : {0.0, 0.5, 0.999, 1.0})
            EXPECT_EQ(histogram.quantile(fraction), value);
    }
}

TEST(Histogram, SmallValuesAreExact) {
    Histogram histogram;
    for (std::uint64_t i = 1; i <= 60; i++)
        histogram.record(i);
    EXPECT_EQ(histogram.quantile(0.5), 30U);
    EXPECT_EQ(histogram.quantile(0.9), 54U);
    EXPECT_EQ(histogram.quantile(1.0), 60U);
}

TEST(Histogram, QuantilesAreWithinAStepOfTheSortedValues) {
    Histogram histogram;
    std::vector<std::uint64_t> values;
    Random random{1};
    for (int i = 0; i < 100000; i++) {
        values.push_back(random.next() >> (20 + random.below(40)));
        histogram.record(values.back());
    }
    std::sort(values.begin(), values.end());
    for (double fraction : {0.01, 0.5, 0.9, 0.99, 0.999}) {
        auto exact = values[static_cast<std::size_t>(fraction * 100000) - 1];
        EXPECT_GE(histogram.quantile(fraction), exact);
        EXPECT_LE(histogram.quantile(fraction), exact + exact / 32 + 1);
    }
}

TEST(Histogram, TimesAndMergeCountAlike) {
    Histogram one;
    Histogram two;
    one.record(100, 3);
    two.record(5000);
    one.merge(two);
    EXPECT_EQ(one.count(), 4U);
    EXPECT_EQ(one.max(), 5000U);
    EXPECT_LE(one.quantile(0.75), 103U);
    EXPECT_EQ(one.quantile(0.76), 5000U);
}

} // namespace
