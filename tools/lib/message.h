// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include <linux/netlink.h>

namespace srqpool {

/// A generic netlink message under construction.
class Message {
  public:
    Message(std::uint16_t type, std::uint16_t flags, std::uint8_t command);

    Message &flag(std::uint16_t attribute);
    Message &u8(std::uint16_t attribute, std::uint8_t value);
    Message &u16(std::uint16_t attribute, std::uint16_t value);
    Message &u32(std::uint16_t attribute, std::uint32_t value);
    Message &u64(std::uint16_t attribute, std::uint64_t value);
    Message &string(std::uint16_t attribute, std::string_view value);
    Message &binary(std::uint16_t attribute, std::span<const std::byte> value);

    /// What `fill` adds goes into a nest.
    template <typename Fill> Message &nest(std::uint16_t attribute, Fill fill) {
        const std::size_t start = open_nest(attribute);
        fill();
        close_nest(start);
        return *this;
    }

    void address(std::uint32_t sequence, std::uint32_t port);

    std::uint16_t flags() const { return header()->nlmsg_flags; }
    std::uint16_t type() const { return header()->nlmsg_type; }
    std::span<const std::byte> bytes() const { return bytes_; }

  private:
    const nlmsghdr *header() const { return reinterpret_cast<const nlmsghdr *>(bytes_.data()); }
    nlmsghdr *header() { return reinterpret_cast<nlmsghdr *>(bytes_.data()); }

    void put(std::uint16_t attribute, const void *value, std::size_t size);
    std::size_t open_nest(std::uint16_t attribute);
    void close_nest(std::size_t start);
    void append(const void *value, std::size_t size);

    std::vector<std::byte> bytes_;
};

} // namespace srqpool
