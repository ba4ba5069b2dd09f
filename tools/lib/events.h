// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <variant>

#include "family.h"
#include "objects.h"
#include "transport.h"

namespace srqpool {

/// Events were lost before the one that follows.
struct EventLoss {
    std::optional<std::uint32_t> count; // empty if nobody knows
};

using EventOrLoss = std::variant<Event, EventLoss>;

/// A subscription, on a transport of its own.
class EventStream {
  public:
    static Result<EventStream> subscribe(std::unique_ptr<Transport> transport,
                                         const Family &family);

    /// Waits for the next; `no_family` once the module is unloaded.
    Result<EventOrLoss> next();

  private:
    EventStream(std::unique_ptr<Transport> transport, std::uint16_t family_id);

    Status receive();
    Status take(const nlmsghdr &message);
    void take_event(Event event);

    std::unique_ptr<Transport> transport_;
    std::uint16_t family_id_;
    std::optional<std::uint32_t> last_seq_;
    bool overrun_ = false; // the socket's queue was full since last_seq_
    std::deque<EventOrLoss> pending_;
};

} // namespace srqpool
