// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <linux/srqpool.h>

#include "lib/attributes.h"
#include "lib/message.h"
#include "lib/transport.h"

namespace srqpool::fake {

using Bytes = std::vector<std::byte>;

struct Request {
    std::uint16_t type = 0;
    std::uint16_t flags = 0;
    std::uint8_t command = 0;
    Bytes bytes;

    Attributes attributes() const;
};

/// What the kernel says about a request in the end; with code 0 the text is a warning.
struct Verdict {
    int code = 0;
    std::string text = {};
};

/// A kernel that knows the objects it was given and answers like the real one, for tests. Its
/// members are set before it is asked.
class FakeKernel {
  public:
    static constexpr std::uint16_t family_id = 0x21;
    static constexpr std::uint32_t events_group = 5;

    /// An object for `command` to show.
    Message &add(std::uint8_t command);

    /// The objects that `command` shows are gone.
    void clear(std::uint8_t command) { objects_.erase(command); }

    /// An event for subscribers. After the last the module is unloaded.
    Message &add_event();

    /// Subscribers lose events at this point.
    void add_overrun();

    bool loaded = true;
    std::uint32_t version = SRQPOOL_GENL_VERSION;
    std::map<std::uint8_t, Verdict> verdicts; // of commands, instead of done
    int interrupted_dumps = 0;                // so many next dumps are flagged
    bool truncating = false;                  // answers do not fit
    bool capping = true;                      // errors do not repeat the whole request
    std::uint64_t new_listener_id = 7;
    std::function<void(const Request &)> changed; // is called for each change that is accepted

    std::vector<Request> requests; // all that were sent to the family

    std::unique_ptr<Transport> open();

  private:
    friend class FakeTransport;

    using Datagrams = std::deque<Bytes>;

    Datagrams answer(const Request &request);
    Datagrams answer_controller(const Request &request) const;
    Datagrams answer_get(const Request &request) const;
    Datagrams answer_dump(const Request &request);

    std::map<std::uint8_t, std::deque<Message>> objects_;
    std::deque<std::optional<Message>> events_; // nothing is an overrun
};

/// An NLMSG_ERROR for a request.
Bytes make_ack(const Request &request, const Verdict &verdict, bool capped);

/// An NLMSG_DONE for a request.
Bytes make_done(const Request &request, const Verdict &verdict, std::uint16_t flags);

} // namespace srqpool::fake
