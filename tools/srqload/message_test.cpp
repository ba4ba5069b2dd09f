// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include "message.h"

#include <gtest/gtest.h>

using namespace srqload;

namespace {

constexpr std::uint32_t connection = 17;
constexpr std::uint64_t sequence = 123456;

class Message : public testing::TestWithParam<std::size_t> {
  protected:
    Message() : bytes_(GetParam()) { write_message(bytes_, connection, sequence, payload_); }

    Payload payload_{1, 8192};
    std::vector<std::byte> bytes_;
};

TEST_P(Message, IntactIsRecognised) { EXPECT_EQ(read_message(bytes_, connection), sequence); }

TEST_P(Message, AnyFlippedBitIsCorrupt) {
    for (std::size_t i = 0; i < bytes_.size(); i++) {
        bytes_[i] ^= std::byte{0x10};
        EXPECT_FALSE(read_message(bytes_, connection)) << "byte " << i;
        bytes_[i] ^= std::byte{0x10};
    }
}

TEST_P(Message, OtherLengthIsCorrupt) {
    std::span<const std::byte> whole(bytes_);
    EXPECT_FALSE(read_message(whole.first(whole.size() - 1), connection));
    EXPECT_FALSE(read_message(whole.first(0), connection));
    bytes_.push_back(std::byte{0});
    EXPECT_FALSE(read_message(bytes_, connection));
}

TEST_P(Message, OfAnotherConnectionIsCorrupt) {
    EXPECT_FALSE(read_message(bytes_, connection + 1));
}

INSTANTIATE_TEST_SUITE_P(Lengths, Message, testing::Values(24, 25, 64, 1000, 4096));

TEST(Payload, DiffersFromMessageToMessage) {
    Payload payload(1, 64);
    auto first = payload.slice(0, 0, 64);
    auto second = payload.slice(0, 1, 64);
    auto other = payload.slice(1, 0, 64);
    EXPECT_FALSE(std::equal(first.begin(), first.end(), second.begin()));
    EXPECT_FALSE(std::equal(first.begin(), first.end(), other.begin()));
}

} // namespace
