// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "error.h"

namespace srqpool {

/// What carries netlink messages: a socket, or recorded answers in a test.
class Transport {
  public:
    virtual ~Transport() = default;

    virtual Status send(std::span<const std::byte> message) = 0;

    /// One datagram, aligned for netlink headers and valid until the next call.
    virtual Result<std::span<const std::byte>> receive() = 0;

    virtual Status join(std::uint32_t group) = 0;

    /// The address that answers carry.
    virtual std::uint32_t port() const = 0;
};

} // namespace srqpool
