// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include "libsrqpool/read_reader.h"

#include <cerrno>
#include <cstring>

#include <gtest/gtest.h>

#include "libsrqpool/fake/fake_device.h"
#include "libsrqpool/fake/opened.h"

namespace srqpool::device {
namespace {

Opened open_read(FakeDevice &device) { return Opened(device.open_reader(SRQPOOL_READER_READ)); }

srqpool_send head_of(const std::string &written) {
    srqpool_send head{};
    std::memcpy(&head, written.data(), sizeof(head));
    return head;
}

std::string data_of(const std::string &written) { return written.substr(sizeof(srqpool_send)); }

TEST(ReadReader, TellsWhatHappened) {
    FakeDevice device;
    device.add_record(SRQPOOL_RECORD_UP);
    device.add_record(SRQPOOL_RECORD_MESSAGE, "hello", SRQPOOL_RECORD_IMM, 77);
    const Opened reader = open_read(device);
    const srqpool_event up = next(reader);
    EXPECT_EQ(up.record.type, static_cast<std::uint32_t>(SRQPOOL_RECORD_UP));
    EXPECT_EQ(up.record.conn, 7U);
    EXPECT_EQ(up.data, nullptr);
    EXPECT_EQ(up.message, 0U);
    const srqpool_event message = next(reader);
    EXPECT_EQ(text(message), "hello");
    EXPECT_EQ(message.record.imm, 77U);
    EXPECT_NE(message.message, 0U);
    EXPECT_EQ(no_next(reader), -EAGAIN);
}

TEST(ReadReader, MessagesStayUntilGivenBack) {
    FakeDevice device;
    const Opened reader = open_read(device);
    std::vector<srqpool_event> held;
    for (int i = 0; i < 100; i++) {
        device.add_record(SRQPOOL_RECORD_MESSAGE, std::to_string(i));
        held.push_back(next(reader));
    }
    for (std::size_t i = 0; i < held.size(); i++)
        EXPECT_EQ(text(held[i]), std::to_string(i));
}

TEST(ReadReader, BuffersAreUsedAgain) {
    FakeDevice device;
    const Opened reader = open_read(device);
    device.add_record(SRQPOOL_RECORD_MESSAGE, "one");
    device.add_record(SRQPOOL_RECORD_MESSAGE, "two");
    const srqpool_event one = next(reader);
    srqpool_reader_give_back(reader.get(), one.message);
    EXPECT_EQ(next(reader).data, one.data);
}

TEST(ReadReader, WhatIsNoMessageHoldsNoBuffer) {
    FakeDevice device;
    const Opened reader = open_read(device);
    device.add_record(SRQPOOL_RECORD_MESSAGE, "one");
    const srqpool_event one = next(reader);
    srqpool_reader_give_back(reader.get(), one.message);
    device.add_record(SRQPOOL_RECORD_UP);
    next(reader);
    device.add_record(SRQPOOL_RECORD_MESSAGE, "two");
    EXPECT_EQ(next(reader).data, one.data);
}

TEST(ReadReader, GrowsForWhatDoesNotFit) {
    FakeDevice device;
    const Opened reader = open_read(device);
    const std::string large(SRQPOOL_SIZE_MAX, 'x');
    device.add_record(SRQPOOL_RECORD_MESSAGE, "small");
    device.add_record(SRQPOOL_RECORD_MESSAGE, large);
    const srqpool_event small = next(reader);
    EXPECT_EQ(device.reads, std::vector<std::size_t>{ReadReader::first_bytes});
    EXPECT_EQ(text(next(reader)), large);
    EXPECT_EQ(device.reads.back(), ReadReader::most_bytes);
    EXPECT_EQ(text(small), "small");
}

TEST(ReadReader, GrowsNoMoreThanNeeded) {
    FakeDevice device;
    const Opened reader = open_read(device);
    device.add_record(SRQPOOL_RECORD_MESSAGE, std::string(100000, 'x'));
    EXPECT_EQ(next(reader).record.len, 100000U);
    EXPECT_EQ(device.reads,
              (std::vector<std::size_t>{ReadReader::first_bytes, 2 * ReadReader::first_bytes}));
}

TEST(ReadReader, NoMessageIsGivenBackTwice) {
    FakeDevice device;
    const Opened reader = open_read(device);
    device.add_record(SRQPOOL_RECORD_MESSAGE, "one");
    const std::uint64_t message = next(reader).message;
    EXPECT_EQ(srqpool_reader_give_back(reader.get(), message), 0);
    EXPECT_EQ(srqpool_reader_give_back(reader.get(), message), -EINVAL);
    EXPECT_EQ(srqpool_reader_reply(reader.get(), message, 1), -EINVAL);
}

TEST(ReadReader, AReplyIsWritten) {
    FakeDevice device;
    const Opened reader = open_read(device);
    device.add_record(SRQPOOL_RECORD_MESSAGE, "hello");
    device.add_record(SRQPOOL_RECORD_MESSAGE, "with", SRQPOOL_RECORD_IMM, 77);
    const std::uint64_t message = next(reader).message;
    EXPECT_EQ(srqpool_reader_reply(reader.get(), message, 6), -EINVAL);
    EXPECT_EQ(srqpool_reader_reply(reader.get(), message, 4), 0);
    EXPECT_EQ(srqpool_reader_give_back(reader.get(), message), -EINVAL);
    EXPECT_EQ(srqpool_reader_reply(reader.get(), next(reader).message, 0), 0);
    ASSERT_EQ(device.written.size(), 2U);
    EXPECT_EQ(data_of(device.written[0]), "hell");
    EXPECT_EQ(head_of(device.written[0]).conn, 7U);
    EXPECT_EQ(head_of(device.written[0]).flags, 0U);
    EXPECT_EQ(data_of(device.written[1]), "");
    EXPECT_EQ(head_of(device.written[1]).flags, SRQPOOL_SEND_IMM);
    EXPECT_EQ(head_of(device.written[1]).imm, 77U);
}

TEST(ReadReader, AReplyWithoutRoomCanBeTriedAgain) {
    FakeDevice device;
    const Opened reader = open_read(device);
    device.add_record(SRQPOOL_RECORD_MESSAGE, "hello");
    const std::uint64_t message = next(reader).message;
    device.write_error = -EAGAIN;
    EXPECT_EQ(srqpool_reader_reply(reader.get(), message, 5), -EAGAIN);
    device.write_error = 0;
    EXPECT_EQ(srqpool_reader_reply(reader.get(), message, 5), 0);
    EXPECT_EQ(device.written.size(), 1U);
}

TEST(ReadReader, Sends) {
    FakeDevice device;
    const Opened reader = open_read(device);
    const std::uint32_t imm = 5;
    EXPECT_EQ(srqpool_reader_send(reader.get(), 9, "abc", 3, nullptr), 0);
    EXPECT_EQ(srqpool_reader_send(reader.get(), 9, "abc", 2, &imm), 0);
    ASSERT_EQ(device.written.size(), 2U);
    EXPECT_EQ(head_of(device.written[0]).conn, 9U);
    EXPECT_EQ(head_of(device.written[0]).flags, 0U);
    EXPECT_EQ(data_of(device.written[0]), "abc");
    EXPECT_EQ(head_of(device.written[1]).imm, 5U);
    EXPECT_EQ(head_of(device.written[1]).flags, SRQPOOL_SEND_IMM);
    EXPECT_EQ(data_of(device.written[1]), "ab");
    device.write_error = -EMSGSIZE;
    EXPECT_EQ(srqpool_reader_send(reader.get(), 9, "abc", 3, nullptr), -EMSGSIZE);
}

TEST(ReadReader, HangsUpAndCounts) {
    FakeDevice device;
    const Opened reader = open_read(device);
    EXPECT_EQ(srqpool_reader_hang_up(reader.get(), 9), 0);
    EXPECT_EQ(device.closed_conns, std::vector<std::uint64_t>{9});
    srqpool_reader_stats stats{};
    EXPECT_EQ(srqpool_reader_get_stats(reader.get(), &stats), 0);
    EXPECT_EQ(stats.messages, 42U);
}

TEST(ReadReader, ASignalIsNoEnd) {
    FakeDevice device;
    const Opened reader = open_read(device);
    device.add_record(SRQPOOL_RECORD_MESSAGE, "hello");
    device.interrupted_reads = 2;
    EXPECT_EQ(text(next(reader)), "hello");
}

} // namespace
} // namespace srqpool::device
