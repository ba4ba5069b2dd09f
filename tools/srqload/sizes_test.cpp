// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include "sizes.h"

#include <gtest/gtest.h>
#include <map>

using namespace srqload;

namespace {

std::vector<std::uint32_t> draw(const Sizes &sizes, std::uint64_t seed, int count) {
    Random random = random_stream(seed, 0);
    std::vector<std::uint32_t> drawn;
    drawn.reserve(static_cast<std::size_t>(count));
    for (int i = 0; i < count; i++)
        drawn.push_back(pick_size(sizes, random));
    return drawn;
}

TEST(Sizes, OneSize) {
    auto sizes = parse_sizes("4K");
    ASSERT_TRUE(sizes.has_value());
    for (std::uint32_t size : draw(*sizes, 1, 100))
        EXPECT_EQ(size, 4096U);
}

TEST(Sizes, LargestIsAGibibyte) {
    EXPECT_TRUE(parse_sizes("1G").has_value());
    EXPECT_FALSE(parse_sizes("1073741825").has_value());
}

TEST(Sizes, RangeIsUniformAndReachesBothEnds) {
    auto sizes = parse_sizes("10-19");
    ASSERT_TRUE(sizes.has_value());
    std::map<std::uint32_t, int> counts;
    for (std::uint32_t size : draw(*sizes, 1, 10000))
        counts[size]++;
    ASSERT_EQ(counts.size(), 10U);
    EXPECT_EQ(counts.begin()->first, 10U);
    EXPECT_EQ(counts.rbegin()->first, 19U);
    for (auto [size, count] : counts)
        EXPECT_NEAR(count, 1000, 150) << size;
}

TEST(Sizes, ListIsUniformOverItsElements) {
    auto sizes = parse_sizes("64,1M,24");
    ASSERT_TRUE(sizes.has_value());
    EXPECT_EQ(sizes->lo, 24U);
    EXPECT_EQ(sizes->hi, 1U << 20);
    std::map<std::uint32_t, int> counts;
    for (std::uint32_t size : draw(*sizes, 1, 9000))
        counts[size]++;
    ASSERT_EQ(counts.size(), 3U);
    for (auto [size, count] : counts)
        EXPECT_NEAR(count, 3000, 250) << size;
}

TEST(Sizes, SeedDecides) {
    auto sizes = parse_sizes("1-1000000");
    ASSERT_TRUE(sizes.has_value());
    EXPECT_EQ(draw(*sizes, 7, 50), draw(*sizes, 7, 50));
    EXPECT_NE(draw(*sizes, 7, 50), draw(*sizes, 8, 50));
}

TEST(Sizes, ConnectionsDiffer) {
    Random first = random_stream(1, 0);
    Random second = random_stream(1, 1);
    EXPECT_NE(first.next(), second.next());
}

} // namespace
