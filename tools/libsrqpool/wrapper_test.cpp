// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include <srqpool/srqpool.hpp>

#include <cerrno>
#include <type_traits>

#include <gtest/gtest.h>

#include "libsrqpool/fake/fake_device.h"

namespace srqpool {
namespace {

static_assert(!std::is_copy_constructible_v<Reader> && !std::is_copy_assignable_v<Reader>);
static_assert(!std::is_copy_constructible_v<Message> && !std::is_copy_assignable_v<Message>);
static_assert(std::is_nothrow_move_constructible_v<Reader> &&
              std::is_nothrow_move_assignable_v<Reader>);
static_assert(std::is_nothrow_move_constructible_v<Message> &&
              std::is_nothrow_move_assignable_v<Message>);
static_assert(
    noexcept(std::declval<Reader &>().next()) &&noexcept(std::declval<Message &>().reply()));

class Wrapper : public testing::Test {
  protected:
    std::size_t returns() {
        reader.flush();
        return device.ring().returns().size();
    }

    Message message(std::uint32_t len = 8) {
        device.ring().give_message(0, len, 4096);
        return std::move(reader.next().message());
    }

    device::FakeDevice device;
    Reader reader{device.open_reader()};
};

TEST_F(Wrapper, OpeningSaysWhyItFails) {
    std::error_code error;
    const Reader none = Reader::open(std::string(SRQPOOL_NAME_MAX + 1, 'x'), error);
    EXPECT_FALSE(none);
    // Without the module the name is not looked at.
    EXPECT_TRUE(error == std::errc::no_such_file_or_directory ||
                error == std::errc::no_such_device_or_address);
}

TEST_F(Wrapper, AnEventIsOneOrSaysWhyNot) {
    EXPECT_FALSE(reader.next());
    EXPECT_EQ(reader.next().error(), -EAGAIN);
    srqpool_desc desc{};
    desc.record.type = SRQPOOL_RECORD_WRITABLE;
    desc.record.conn = 3;
    desc.record.time_ns = 4;
    desc.record.class_index = 5;
    desc.record.imm = 6;
    device.ring().give(desc);
    desc.record.flags = SRQPOOL_RECORD_IMM;
    device.ring().give(desc);
    Event event = reader.next();
    EXPECT_TRUE(event);
    EXPECT_EQ(event.error(), 0);
    EXPECT_EQ(event.type(), EventType::writable);
    EXPECT_EQ(event.conn(), 3U);
    EXPECT_EQ(event.time_ns(), 4U);
    EXPECT_EQ(event.class_index(), 5U);
    EXPECT_EQ(event.imm(), std::nullopt);
    EXPECT_FALSE(event.message());
    EXPECT_EQ(event.message().reply(), -EINVAL);
    EXPECT_EQ(reader.next().imm(), 6U);
}

TEST_F(Wrapper, AMessageHasItsBytes) {
    device.write_buffer(4096, "hello");
    const Message one = message(5);
    EXPECT_TRUE(one);
    EXPECT_EQ(one.data().size(), 5U);
    EXPECT_EQ(one.data().front(), std::byte{'h'});
}

TEST_F(Wrapper, AMessageIsGivenBackAtItsEnd) {
    {
        const Message one = message();
        EXPECT_EQ(returns(), 0U);
    }
    EXPECT_EQ(returns(), 1U);
    device.ring().give_message(0);
    reader.next();
    EXPECT_EQ(returns(), 1U);
}

TEST_F(Wrapper, AMessageIsGivenBackOnce) {
    Message one = message();
    one.give_back();
    EXPECT_FALSE(one);
    EXPECT_TRUE(one.data().empty());
    one.give_back();
    EXPECT_EQ(one.reply(), -EINVAL);
    EXPECT_EQ(returns(), 1U);
}

TEST_F(Wrapper, AMessageMoves) {
    Message one = message();
    Message two = std::move(one);
    EXPECT_FALSE(one); // NOLINT(bugprone-use-after-move)
    EXPECT_TRUE(one.data().empty());
    EXPECT_TRUE(two);
    EXPECT_EQ(returns(), 0U);
    two = message();
    EXPECT_EQ(returns(), 1U);
    two = Message();
    EXPECT_EQ(returns(), 1U);
}

TEST_F(Wrapper, AReplyConsumes) {
    Message one = message(8);
    EXPECT_EQ(one.reply(9), -EINVAL);
    EXPECT_TRUE(one);
    EXPECT_EQ(one.reply(3), 0);
    EXPECT_FALSE(one);
    Message two = message(8);
    EXPECT_EQ(two.reply(), 0);
    reader.flush();
    const auto sent = device.ring().returns();
    ASSERT_EQ(sent.size(), 2U);
    EXPECT_EQ(sent[0].len, 3U);
    EXPECT_EQ(sent[1].len, 8U);
}

TEST_F(Wrapper, AReaderMoves) {
    Reader other = std::move(reader);
    EXPECT_FALSE(reader); // NOLINT(bugprone-use-after-move)
    EXPECT_EQ(device.closes, 0);
    EXPECT_EQ(other.next().error(), -EAGAIN);
    device::FakeDevice second;
    other = Reader(second.open_reader());
    EXPECT_EQ(device.closes, 1);
    EXPECT_EQ(second.closes, 0);
    other = Reader();
    EXPECT_EQ(second.closes, 1);
}

TEST_F(Wrapper, SendsWithAndWithoutImmediateData) {
    const std::byte data[3]{};
    EXPECT_EQ(reader.send(5, data), 0);
    EXPECT_EQ(reader.send(5, data, 6), 0);
    ASSERT_EQ(device.written.size(), 2U);
    srqpool_send heads[2];
    for (int i = 0; i < 2; i++)
        device.written[static_cast<std::size_t>(i)].copy(reinterpret_cast<char *>(&heads[i]),
                                                         sizeof(srqpool_send));
    EXPECT_EQ(heads[0].flags, 0U);
    EXPECT_EQ(heads[1].flags, SRQPOOL_SEND_IMM);
    EXPECT_EQ(heads[1].imm, 6U);
}

} // namespace
} // namespace srqpool
