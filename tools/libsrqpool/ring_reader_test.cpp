// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include <cerrno>

#include <gtest/gtest.h>

#include "libsrqpool/fake/fake_device.h"
#include "libsrqpool/fake/opened.h"

namespace srqpool::device {
namespace {

using Indices = std::vector<std::uint32_t>;

Indices returned(FakeRing &ring) {
    Indices indices;
    for (const srqpool_return &one : ring.returns())
        indices.push_back(one.index);
    return indices;
}

void give(FakeRing &ring, std::uint32_t count) {
    for (std::uint32_t i = 0; i < count; i++)
        ring.give_message(i);
}

std::vector<std::uint64_t> take(const Opened &reader, std::uint32_t count) {
    std::vector<std::uint64_t> messages;
    for (std::uint32_t i = 0; i < count; i++)
        messages.push_back(next(reader).message);
    return messages;
}

TEST(RingReader, TellsWhatHappened) {
    FakeDevice device;
    device.write_buffer(4096, "hello");
    srqpool_desc desc{};
    desc.record = {.conn = 9,
                   .time_ns = 11,
                   .type = SRQPOOL_RECORD_UP,
                   .len = 0,
                   .class_index = 2,
                   .flags = 0,
                   .imm = 0,
                   .reserved = 0};
    device.ring().give(desc);
    device.ring().give_message(3, 5, 4096);
    const Opened reader(device.open_reader());

    const srqpool_event up = next(reader);
    EXPECT_EQ(up.record.type, static_cast<std::uint32_t>(SRQPOOL_RECORD_UP));
    EXPECT_EQ(up.record.conn, 9U);
    EXPECT_EQ(up.record.time_ns, 11U);
    EXPECT_EQ(up.record.class_index, 2U);
    EXPECT_EQ(up.data, nullptr);
    EXPECT_EQ(up.message, 0U);

    const srqpool_event message = next(reader);
    EXPECT_EQ(message.record.type, static_cast<std::uint32_t>(SRQPOOL_RECORD_MESSAGE));
    EXPECT_NE(message.message, 0U);
    EXPECT_EQ(text(message), "hello");
    EXPECT_EQ(no_next(reader), -EAGAIN);
}

TEST(RingReader, IndicesWrap) {
    FakeDevice device(1, 8, 0xfffffffdU);
    const Opened reader(device.open_reader());
    for (std::uint32_t i = 0; i < 20; i++) {
        device.ring().give_message(100 + i, i);
        const srqpool_event event = next(reader);
        EXPECT_EQ(event.record.len, i);
        EXPECT_EQ(srqpool_reader_give_back(reader.get(), event.message), 0);
        EXPECT_EQ(no_next(reader), -EAGAIN);
        EXPECT_EQ(device.ring().taken(), i + 1);
        EXPECT_EQ(returned(device.ring()), Indices{100 + i});
    }
}

TEST(RingReader, TellsWhatItTookAfter32) {
    FakeDevice device;
    give(device.ring(), 40);
    const Opened reader(device.open_reader());
    take(reader, 31);
    EXPECT_EQ(device.ring().taken(), 0U);
    take(reader, 1);
    EXPECT_EQ(device.ring().taken(), 32U);
    take(reader, 8);
    EXPECT_EQ(device.ring().taken(), 32U);
}

TEST(RingReader, TellsWhatIsGivenBackAfter32) {
    FakeDevice device;
    give(device.ring(), 40);
    const Opened reader(device.open_reader());
    const auto messages = take(reader, 40);
    EXPECT_EQ(srqpool_reader_flush(reader.get()), 0);
    for (std::size_t i = 0; i < 31; i++)
        EXPECT_EQ(srqpool_reader_give_back(reader.get(), messages[i]), 0);
    EXPECT_TRUE(returned(device.ring()).empty());
    EXPECT_EQ(srqpool_reader_give_back(reader.get(), messages[31]), 0);
    EXPECT_EQ(returned(device.ring()).size(), 32U);
    EXPECT_EQ(srqpool_reader_give_back(reader.get(), messages[32]), 0);
    EXPECT_TRUE(returned(device.ring()).empty());
}

TEST(RingReader, ASmallRingIsToldSooner) {
    FakeDevice device(1, 8);
    give(device.ring(), 8);
    const Opened reader(device.open_reader());
    take(reader, 3);
    EXPECT_EQ(device.ring().taken(), 0U);
    take(reader, 1);
    EXPECT_EQ(device.ring().taken(), 4U);
}

TEST(RingReader, TellsAllWhenItFindsNothing) {
    FakeDevice device;
    give(device.ring(), 1);
    const Opened reader(device.open_reader());
    srqpool_reader_give_back(reader.get(), take(reader, 1).front());
    EXPECT_EQ(device.ring().taken(), 0U);
    EXPECT_EQ(no_next(reader), -EAGAIN);
    EXPECT_EQ(device.ring().taken(), 1U);
    EXPECT_EQ(returned(device.ring()), Indices{0});
}

TEST(RingReader, TellsAllWhenFlushed) {
    FakeDevice device(2);
    give(device.ring(0), 1);
    give(device.ring(1), 1);
    const Opened reader(device.open_reader());
    for (const std::uint64_t message : take(reader, 2))
        srqpool_reader_give_back(reader.get(), message);
    EXPECT_EQ(srqpool_reader_flush(reader.get()), 0);
    for (std::size_t i = 0; i < 2; i++) {
        EXPECT_EQ(device.ring(i).taken(), 1U);
        EXPECT_EQ(returned(device.ring(i)), Indices{0});
    }
}

TEST(RingReader, TellsAllBeforeItWaits) {
    FakeDevice device;
    give(device.ring(), 1);
    const Opened reader(device.open_reader());
    srqpool_reader_give_back(reader.get(), take(reader, 1).front());
    device.on_poll = [&](const FakeDevice::Poll &) {
        EXPECT_EQ(device.ring().taken(), 1U);
        EXPECT_EQ(returned(device.ring()), Indices{0});
        return 0;
    };
    EXPECT_EQ(srqpool_reader_wait(reader.get(), 0, nullptr), -ETIMEDOUT);
    EXPECT_EQ(device.polls.size(), 1U);
}

// What the program did, and what the ring asks for.
Indices kicks(std::uint32_t flags, bool takes, bool gives_back) {
    FakeDevice device(2);
    give(device.ring(1), 1);
    const Opened reader(device.open_reader());
    const std::uint64_t message = take(reader, 1).front();
    if (!takes)
        srqpool_reader_flush(reader.get());
    if (gives_back)
        srqpool_reader_give_back(reader.get(), message);
    device.ring(1).set_flags(flags);
    srqpool_reader_flush(reader.get());
    srqpool_reader_flush(reader.get());
    return device.kicks;
}

TEST(RingReader, KicksWhenAskedTo) {
    const Indices none;
    const Indices once{1};
    constexpr std::uint32_t on_take = SRQPOOL_RING_KICK_TAKE;
    constexpr std::uint32_t on_return = SRQPOOL_RING_KICK_RETURN;
    EXPECT_EQ(kicks(0, true, true), none);
    EXPECT_EQ(kicks(on_take, true, false), once);
    EXPECT_EQ(kicks(on_take, false, true), none);
    EXPECT_EQ(kicks(on_return, true, false), none);
    EXPECT_EQ(kicks(on_return, false, true), once);
    EXPECT_EQ(kicks(on_take | on_return, true, true), once);
    EXPECT_EQ(kicks(on_take | on_return, false, false), none);
}

TEST(RingReader, NothingIsTakenOfADeadPool) {
    FakeDevice device;
    give(device.ring(), 2);
    const Opened reader(device.open_reader());
    const std::uint64_t message = take(reader, 1).front();
    const std::size_t mappings = device.mappings.size();
    device.ring().set_flags(SRQPOOL_RING_DEAD | SRQPOOL_RING_KICK_RETURN | SRQPOOL_RING_KICK_TAKE);
    EXPECT_EQ(no_next(reader), -ENODEV);
    EXPECT_EQ(srqpool_reader_wait(reader.get(), -1, nullptr), -ENODEV);
    EXPECT_EQ(srqpool_reader_reply(reader.get(), message, 1), -ENODEV);
    EXPECT_EQ(srqpool_reader_give_back(reader.get(), message), 0);
    EXPECT_EQ(srqpool_reader_flush(reader.get()), -ENODEV);
    EXPECT_EQ(device.mappings.size(), mappings);
    EXPECT_TRUE(device.kicks.empty());
    EXPECT_TRUE(device.polls.empty());
}

TEST(RingReader, AWaitFindsTheDeadPool) {
    FakeDevice device(2);
    const Opened reader(device.open_reader());
    device.ring(1).set_flags(SRQPOOL_RING_DEAD);
    EXPECT_EQ(srqpool_reader_wait(reader.get(), -1, nullptr), -ENODEV);
    EXPECT_EQ(no_next(reader), -ENODEV);
}

TEST(RingReader, AKickFindsTheDeadPool) {
    FakeDevice device;
    give(device.ring(), 2);
    const Opened reader(device.open_reader());
    take(reader, 1);
    device.kick_error = -ENODEV;
    device.ring().set_flags(SRQPOOL_RING_KICK_TAKE);
    EXPECT_EQ(srqpool_reader_flush(reader.get()), -ENODEV);
    EXPECT_EQ(no_next(reader), -ENODEV);
}

TEST(RingReader, NoMessageIsGivenBackTwice) {
    FakeDevice device(1, 8);
    device.ring().give_message(0xdeadbeef);
    const Opened reader(device.open_reader());
    const std::uint64_t message = take(reader, 1).front();
    EXPECT_EQ(srqpool_reader_give_back(reader.get(), message), 0);
    EXPECT_EQ(srqpool_reader_give_back(reader.get(), message), -EINVAL);
    EXPECT_EQ(srqpool_reader_reply(reader.get(), message, 0), -EINVAL);
    // Nor when its place has another.
    device.ring().give_message(5);
    EXPECT_NE(take(reader, 1).front(), message);
    EXPECT_EQ(srqpool_reader_give_back(reader.get(), message), -EINVAL);
    srqpool_reader_flush(reader.get());
    EXPECT_EQ(returned(device.ring()), Indices{0xdeadbeef});
}

TEST(RingReader, NothingElseIsGivenBack) {
    FakeDevice device(1, 8);
    const Opened reader(device.open_reader());
    for (const std::uint64_t message : {0ULL, 1ULL, 1ULL << 32, (1ULL << 32) + 8, ~0ULL})
        EXPECT_EQ(srqpool_reader_give_back(reader.get(), message), -EINVAL);
}

TEST(RingReader, ItsEndGivesAllBack) {
    FakeDevice device(2);
    device.ring(0).give_message(1);
    device.ring(0).give_message(2);
    device.ring(1).give_message(3);
    device.ring(1).set_flags(SRQPOOL_RING_KICK_RETURN);
    {
        const Opened reader(device.open_reader());
        srqpool_reader_give_back(reader.get(), take(reader, 3)[1]);
    }
    EXPECT_EQ(returned(device.ring(0)), (Indices{2, 1}));
    EXPECT_EQ(returned(device.ring(1)), Indices{3});
    EXPECT_EQ(device.kicks, Indices{1});
    EXPECT_EQ(device.mappings.size(), device.unmapped.size());
    EXPECT_EQ(device.closes, 1);
}

TEST(RingReader, RingsTakeTurns) {
    FakeDevice device(3);
    for (std::uint32_t i = 0; i < 64; i++)
        device.ring(0).give_message(i, 0);
    device.ring(1).give_message(0, 1);
    for (std::uint32_t i = 0; i < 40; i++)
        device.ring(2).give_message(i, 2);
    const Opened reader(device.open_reader());
    std::string order;
    for (int i = 0; i < 105; i++)
        order += static_cast<char>('0' + next(reader).record.len);
    EXPECT_EQ(order, std::string(32, '0') + '1' + std::string(32, '2') + std::string(32, '0') +
                         std::string(8, '2'));
    EXPECT_EQ(no_next(reader), -EAGAIN);
}

TEST(RingReader, EachMessageGoesBackToItsRing) {
    FakeDevice device(2);
    device.ring(0).give_message(10);
    device.ring(1).give_message(20);
    const Opened reader(device.open_reader());
    const auto messages = take(reader, 2);
    srqpool_reader_give_back(reader.get(), messages[1]);
    srqpool_reader_flush(reader.get());
    EXPECT_TRUE(returned(device.ring(0)).empty());
    EXPECT_EQ(returned(device.ring(1)), Indices{20});
}

TEST(RingReader, AReplyIsAReturnThatIsSent) {
    FakeDevice device;
    device.ring().give_message(4, 100);
    device.ring().give_message(5, 100);
    const Opened reader(device.open_reader());
    const auto messages = take(reader, 2);
    EXPECT_EQ(srqpool_reader_reply(reader.get(), messages[0], 101), -EINVAL);
    EXPECT_EQ(srqpool_reader_reply(reader.get(), messages[0], 100), 0);
    EXPECT_EQ(srqpool_reader_reply(reader.get(), messages[0], 100), -EINVAL);
    EXPECT_EQ(srqpool_reader_give_back(reader.get(), messages[1]), 0);
    srqpool_reader_flush(reader.get());
    const auto returns = device.ring().returns();
    ASSERT_EQ(returns.size(), 2U);
    EXPECT_EQ(returns[0].index, 4U);
    EXPECT_EQ(returns[0].flags, SRQPOOL_RETURN_SEND);
    EXPECT_EQ(returns[0].len, 100U);
    EXPECT_EQ(returns[0].reserved, 0U);
    EXPECT_EQ(returns[1].index, 5U);
    EXPECT_EQ(returns[1].flags, 0U);
    EXPECT_EQ(returns[1].len, 0U);
    EXPECT_TRUE(device.written.empty());
}

TEST(RingReader, MoreThanItsEntriesAreNotHeld) {
    FakeDevice device(1, 8);
    give(device.ring(), 8);
    const Opened reader(device.open_reader());
    const auto messages = take(reader, 8);
    device.ring().give_message(99);
    EXPECT_EQ(no_next(reader), -ENOMEM);
    srqpool_reader_give_back(reader.get(), messages[0]);
    EXPECT_NE(take(reader, 1).front(), 0U);
}

} // namespace
} // namespace srqpool::device
