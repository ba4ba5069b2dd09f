// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#pragma once

#include "random.h"
#include "reply_window.h"
#include "verbs.h"

#include <cstdint>

namespace srqload {

enum class Link : std::uint8_t {
    idle,       // not tried yet
    connecting, // from address resolution to the connect response
    up,
    down,    // the peer or the device ended it
    closing, // we ended it and wait for the peer
    closed,  // or never opened
};

/// One connection. The connector owns its link, the traffic its counters.
struct Connection {
    std::uint32_t index = 0; // in the whole run: what messages are stamped with
    std::uint32_t local = 0; // in its thread

    Link link = Link::idle;
    std::uint64_t connect_begin_ns = 0;
    Owned<rdma_cm_id> id;
    Owned<ibv_qp> qp; // destroyed before its id

    bool active = false;        // its messages are neither all back nor given up
    bool needs_room = false;    // waits for a send completion, then for its turn
    std::uint32_t in_burst = 0; // of the present burst, not yet back (one-way: not completed)
    std::uint64_t burst_begin_ns = 0;
    std::uint64_t sent = 0;
    std::uint64_t sends_completed = 0;
    std::uint64_t received = 0; // distinct messages
    std::uint64_t receives_posted = 0;
    std::uint64_t receives_taken = 0;
    std::uint64_t bytes_unacknowledged = 0; // one-way
    Random sizes;
    ReplyWindow window; // only with --verify
};

} // namespace srqload
