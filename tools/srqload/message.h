// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace srqload {

/// What --verify puts in front of every message. Only srqload itself reads it back, so the bytes
/// are in the host's order.
struct MessageHeader {
    std::uint64_t sequence;
    std::uint32_t connection;
    std::uint32_t length; // of the whole message
    std::uint32_t magic;
    std::uint32_t crc; // of header and payload, with this field 0
};

constexpr std::uint32_t header_size = sizeof(MessageHeader);
static_assert(header_size == 24);

/// Payloads are cut from one random pattern, at a place that differs from message to message, so
/// that a stale buffer never looks like the message expected in it.
class Payload {
  public:
    Payload(std::uint64_t seed, std::uint32_t max_size);

    std::span<const std::byte> slice(std::uint32_t connection, std::uint64_t sequence,
                                     std::size_t size) const;
    std::span<const std::byte> all() const { return pattern_; }

  private:
    std::vector<std::byte> pattern_;
};

/// Fills `message` (at least a header long) for its connection and place in the sequence.
void write_message(std::span<std::byte> message, std::uint32_t connection, std::uint64_t sequence,
                   const Payload &payload);

/// The sequence number of an intact message of this connection; nothing if it is corrupt.
std::optional<std::uint64_t> read_message(std::span<const std::byte> message,
                                          std::uint32_t connection);

} // namespace srqload
