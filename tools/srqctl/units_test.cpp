// SPDX-License-Identifier: GPL-2.0
#include "units.h"

#include <cstdlib>

#include <gtest/gtest.h>

namespace srqctl {
namespace {

std::string bytes(std::uint64_t value) { return human(value, Unit::bytes); }

TEST(Units, Bytes) {
    EXPECT_EQ(bytes(0), "0 B");
    EXPECT_EQ(bytes(1023), "1023 B");
    EXPECT_EQ(bytes(1024), "1 KiB");
    EXPECT_EQ(bytes(5000), "4.88 KiB");
    EXPECT_EQ(bytes(256U << 20), "256 MiB");
    EXPECT_EQ(bytes(~std::uint64_t{0}), "16777216 TiB");
}

TEST(Units, Times) {
    EXPECT_EQ(human(std::uint64_t{0}, Unit::nsec), "0 ns");
    EXPECT_EQ(human(std::uint64_t{14000}, Unit::nsec), "14 us");
    EXPECT_EQ(human(std::uint64_t{640}, Unit::usec), "640 us");
    EXPECT_EQ(human(std::uint64_t{655360}, Unit::usec), "655.36 ms");
    EXPECT_EQ(human(std::uint64_t{1500}, Unit::msec), "1.5 s");
    EXPECT_EQ(human(std::uint64_t{0}, Unit::msec), "0 ms");
    EXPECT_EQ(human(std::uint64_t{86400}, Unit::sec), "86400 s");
    EXPECT_EQ(human(std::uint64_t{0}, Unit::sec), "0 s");
}

TEST(Units, CountsStayExact) {
    EXPECT_EQ(human(~std::uint64_t{0}, Unit::none), "18446744073709551615");
    EXPECT_EQ(human(0.5, Unit::none), "0.5");
    EXPECT_EQ(human(100.0, Unit::none), "100");
}

TEST(Units, WallClock) {
    setenv("TZ", "UTC", 1);
    EXPECT_EQ(human(std::uint64_t{1764504000123456789}, Unit::wall_clock_ns),
              "2025-11-30 12:00:00.123456");
}

} // namespace
} // namespace srqctl
