// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#pragma once

#include <memory>
#include <vector>

#include "transport.h"

struct mnl_socket;

namespace srqpool {

/// A generic netlink socket.
class Socket final : public Transport {
  public:
    static Result<std::unique_ptr<Transport>> open();

    Status send(std::span<const std::byte> message) override;
    Result<std::span<const std::byte>> receive() override;
    Status join(std::uint32_t group) override;
    std::uint32_t port() const override;

  private:
    struct Close {
        void operator()(mnl_socket *socket) const;
    };
    using Handle = std::unique_ptr<mnl_socket, Close>;

    explicit Socket(Handle handle);
    void set_option(int option, int value);

    Handle handle_;
    std::vector<std::byte> buffer_;
};

} // namespace srqpool
