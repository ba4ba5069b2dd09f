// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#pragma once

#include "options.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <tl/expected.hpp>

namespace srqload {

/// What of a device bounds a run.
struct DeviceLimits {
    std::uint32_t max_cqe = 0;
    std::uint32_t max_qp_wr = 0;
    std::uint32_t max_message = 0;
};

/// Every depth and size that follows from the options, decided before anything is created.
struct Plan {
    std::uint32_t threads = 1;
    std::uint32_t burst = 1;        // not more than there are messages
    std::uint32_t signal_every = 1; // likewise
    std::uint32_t send_depth = 0;
    std::uint32_t recv_depth = 0;         // 0: nothing comes back
    std::uint32_t cqe_per_connection = 0; // the most that can wait in a CQ, an error included
    std::uint32_t connections_per_cq = 0;
    std::size_t slot = 0;         // bytes from one message buffer to the next
    std::uint32_t send_slots = 0; // of a connection if verifying, else of a thread
    std::size_t bytes_each = 0;   // memory of a connection if verifying, else of a thread
    std::size_t bytes = 0;        // of the whole run
};

tl::expected<Plan, std::string> make_plan(const Options &options, const DeviceLimits &limits);

} // namespace srqload
