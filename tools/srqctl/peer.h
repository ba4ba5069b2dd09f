// SPDX-License-Identifier: GPL-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "lib/address.h"
#include "lib/error.h"

namespace srqctl {

/// A client of a listener over RDMA, in this process. Whatever waits ends with an error soon after
/// `interrupted` is true.
class Peer {
  public:
    using Seconds = std::chrono::duration<double>;

    struct Endpoint {
        srqpool::Address address;
        std::uint16_t port = 0;
    };

    virtual ~Peer() = default;

    /// Where a listener on the device can be: an address of it and a free port. Nothing if it has
    /// no address.
    virtual srqpool::Result<std::optional<Endpoint>> find(const std::string &dev) = 0;

    virtual srqpool::Status connect(const Endpoint &to, Seconds limit) = 0;

    /// Sends so many messages of `size` bytes at once, and waits until each is back as it was.
    virtual srqpool::Status echo(std::uint32_t count, std::uint32_t size, Seconds limit) = 0;

    /// Nothing of the connection is left on return, on this side.
    virtual void disconnect() = 0;

    /// Somebody wants the program to end.
    virtual bool interrupted() const = 0;
};

} // namespace srqctl
