// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace srqpool {

/// An IPv4 or IPv6 address in network order.
struct Address {
    std::array<std::byte, 16> bytes{};
    std::size_t size = 4; // 4 or 16
    std::uint32_t scope_id = 0;

    std::span<const std::byte> wire() const { return {bytes.data(), size}; }
};

/// Nothing unless there are 4 or 16 bytes.
std::optional<Address> address_from_wire(std::span<const std::byte> wire);

/// A literal: "10.7.0.1", "fe80::1%eth0". Nothing for a name or a malformed one.
std::optional<Address> parse_address(const std::string &text);

/// "10.7.0.1", "fe80::1%eth0".
std::string to_string(const Address &address);

/// "10.7.0.1:7471", "[fe80::1%eth0]:7471".
std::string with_port(const Address &address, std::uint16_t port);

} // namespace srqpool
