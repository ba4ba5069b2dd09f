// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include "message.h"

#include <cstring>

#include <gtest/gtest.h>

#include "attributes.h"

namespace srqpool {
namespace {

Attributes attributes_of(const Message &message) {
    return Attributes::of_message(*reinterpret_cast<const nlmsghdr *>(message.bytes().data()));
}

TEST(Message, GivesBackWhatWasPut) {
    Message message(0x21, NLM_F_REQUEST, 3);
    message.u8(1, 1).u16(2, 7471).u32(3, 640).u64(4, 1ULL << 40).string(5, "web").flag(6);

    const Attributes attributes = attributes_of(message);
    EXPECT_EQ(attributes.u8(1), 1);
    EXPECT_EQ(attributes.boolean(1), true);
    EXPECT_EQ(attributes.u16(2), 7471);
    EXPECT_EQ(attributes.u32(3), 640U);
    EXPECT_EQ(attributes.u64(4), 1ULL << 40);
    EXPECT_EQ(attributes.string(5), "web");
    EXPECT_TRUE(attributes.binary(6));
    EXPECT_FALSE(attributes.binary(7));
}

TEST(Message, LengthCoversEverything) {
    Message message(0x21, 0, 1);
    message.string(1, "a");
    nlmsghdr header;
    std::memcpy(&header, message.bytes().data(), sizeof(header));
    EXPECT_EQ(header.nlmsg_len, message.bytes().size());
    EXPECT_EQ(header.nlmsg_len % NLMSG_ALIGNTO, 0U);
}

TEST(Message, NestsAndRepeats) {
    Message message(0x21, 0, 1);
    for (std::uint32_t size : {512U, 4096U})
        message.nest(9, [&] { message.u32(2, size); });

    std::vector<std::uint32_t> sizes;
    attributes_of(message).each_nest(
        9, [&](const Attributes &nest) { sizes.push_back(nest.u32(2).value_or(0)); });
    EXPECT_EQ(sizes, (std::vector<std::uint32_t>{512, 4096}));
}

TEST(Attributes, RefusesAnotherLength) {
    Message message(0x21, 0, 1);
    message.u32(1, 5);
    EXPECT_FALSE(attributes_of(message).u64(1));
    EXPECT_FALSE(attributes_of(message).u8(1));
}

// Cut anywhere, a row must not be read beyond its end; ASAN watches.
TEST(Attributes, SurvivesTruncation) {
    Message message(0x21, 0, 1);
    message.string(1, "some text").u64(2, 1).nest(3, [&] { message.u32(4, 1); });
    for (std::size_t length = NLMSG_HDRLEN; length < message.bytes().size(); length++) {
        const std::vector<std::byte> cut(
            message.bytes().begin(), message.bytes().begin() + static_cast<std::ptrdiff_t>(length));
        const Attributes row{std::span<const std::byte>(cut).subspan(NLMSG_HDRLEN)};
        row.string(1);
        row.u64(2);
        row.each_nest(3, [](const Attributes &nest) { nest.u32(4); });
    }
}

TEST(Attributes, StopsAtALengthThatCannotBe) {
    const std::vector<std::byte> zeros(64);
    EXPECT_FALSE(Attributes(zeros).binary(0));

    nlattr huge{};
    huge.nla_len = 1000;
    huge.nla_type = 1;
    std::vector<std::byte> row(16);
    std::memcpy(row.data(), &huge, sizeof(huge));
    EXPECT_FALSE(Attributes(row).binary(1));
}

} // namespace
} // namespace srqpool
