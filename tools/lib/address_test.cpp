// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include "address.h"

#include <gtest/gtest.h>

namespace srqpool {
namespace {

TEST(Address, ReadsAndWritesLiterals) {
    for (const char *text : {"10.7.0.1", "::1", "fe80::1", "fe80::1%lo", "2001:db8::7"}) {
        const auto address = parse_address(text);
        ASSERT_TRUE(address) << text;
        EXPECT_EQ(to_string(*address), text);
    }
}

TEST(Address, RefusesWhatIsNone) {
    for (const char *text : {"", "10.7.0", "10.7.0.256", "10.7.0.1 ", "localhost", "fe80::1%",
                             "fe80::1%nonesuch", "fe80::1%0", "10.7.0.1%lo", "[::1]", "::1:::"})
        EXPECT_FALSE(parse_address(text)) << text;
}

TEST(Address, AnUnknownScopeStaysANumber) {
    const auto address = parse_address("fe80::1%987654");
    ASSERT_TRUE(address);
    EXPECT_EQ(address->scope_id, 987654U);
    EXPECT_EQ(to_string(*address), "fe80::1%987654");
}

TEST(Address, BracketsIpv6BeforeAPort) {
    EXPECT_EQ(with_port(*parse_address("10.7.0.1"), 7471), "10.7.0.1:7471");
    EXPECT_EQ(with_port(*parse_address("fe80::1%lo"), 7471), "[fe80::1%lo]:7471");
}

TEST(Address, TakesOnlyFourOrSixteenBytes) {
    const std::array<std::byte, 16> bytes{};
    EXPECT_TRUE(address_from_wire(std::span(bytes).first(4)));
    EXPECT_TRUE(address_from_wire(bytes));
    EXPECT_FALSE(address_from_wire(std::span(bytes).first(5)));
    EXPECT_FALSE(address_from_wire({}));
}

} // namespace
} // namespace srqpool
