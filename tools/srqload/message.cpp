// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include "message.h"

#include "random.h"

#include <algorithm>
#include <cstring>
#include <zlib.h>

namespace srqload {

namespace {

constexpr std::uint32_t header_magic = 0x73727131; // "srq1"
constexpr std::uint32_t spread = 4096;             // places a payload can start at

std::uint32_t checksum(MessageHeader header, std::span<const std::byte> payload) {
    header.crc = 0;
    uLong crc = crc32_z(0, reinterpret_cast<const Bytef *>(&header), sizeof(header));
    return static_cast<std::uint32_t>(
        crc32_z(crc, reinterpret_cast<const Bytef *>(payload.data()), payload.size()));
}

} // namespace

Payload::Payload(std::uint64_t seed, std::uint32_t max_size) : pattern_(max_size + spread) {
    Random random{seed};
    for (std::byte &byte : pattern_)
        byte = static_cast<std::byte>(random.next() >> 56);
}

std::span<const std::byte> Payload::slice(std::uint32_t connection, std::uint64_t sequence,
                                          std::size_t size) const {
    Random place{(std::uint64_t{connection} << 40) ^ sequence};
    return std::span(pattern_).subspan(place.below(spread), size);
}

void write_message(std::span<std::byte> message, std::uint32_t connection, std::uint64_t sequence,
                   const Payload &payload) {
    auto body = payload.slice(connection, sequence, message.size() - header_size);
    MessageHeader header{sequence, connection, static_cast<std::uint32_t>(message.size()),
                         header_magic, 0};
    header.crc = checksum(header, body);
    std::memcpy(message.data(), &header, sizeof(header));
    std::copy(body.begin(), body.end(), message.begin() + header_size);
}

std::optional<std::uint64_t> read_message(std::span<const std::byte> message,
                                          std::uint32_t connection) {
    MessageHeader header{};
    if (message.size() < sizeof(header))
        return std::nullopt;
    std::memcpy(&header, message.data(), sizeof(header));
    if (header.magic != header_magic || header.connection != connection ||
        header.length != message.size() ||
        header.crc != checksum(header, message.subspan(header_size)))
        return std::nullopt;
    return header.sequence;
}

} // namespace srqload
