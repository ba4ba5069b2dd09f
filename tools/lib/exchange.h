// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "message.h"
#include "transport.h"

namespace srqpool {

using Visitor = std::function<void(const nlmsghdr &)>;

/// Sends requests and reads their answers to the end.
class Exchange {
  public:
    explicit Exchange(Transport &transport) : transport_(transport) {}

    /// A request for a change or for one object; `visit` gets what comes before the ACK.
    Status request(Message message, const Visitor &visit);

    /// Starts over with `restart` when the objects changed meanwhile, a few times.
    Status dump(const Message &message, const std::function<void()> &restart, const Visitor &visit);

    /// What accepted requests were warned about; empties it.
    std::vector<std::string> take_warnings();

    void warn(std::string text) { warnings_.push_back(std::move(text)); }

  private:
    struct Progress {
        bool done = false;
        bool interrupted = false;
    };

    Status receive_until_done(std::uint32_t sequence, Progress &progress, const Visitor &visit);
    Status take(const nlmsghdr &message, Progress &progress, const Visitor &visit);
    Status finish(const nlmsghdr &message, Progress &progress);

    Transport &transport_;
    std::uint32_t sequence_ = 0;
    std::vector<std::string> warnings_;
};

/// Walks the messages of a datagram.
Status each_message(std::span<const std::byte> datagram,
                    const std::function<Status(const nlmsghdr &)> &visit);

} // namespace srqpool
