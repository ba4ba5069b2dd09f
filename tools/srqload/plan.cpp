// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include "plan.h"

#include <algorithm>
#include <fmt/format.h>

namespace srqload {

namespace {

constexpr std::size_t cache_line = 64;

std::uint32_t at_most(std::uint32_t value, std::uint64_t bound) {
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(value, bound));
}

// A reply can overtake the completion of its own send, and up to signal_every - 1 sends wait
// unsignalled behind the last completion: room for two bursts and those always holds a signalled
// send, whose completion makes the next room.
void plan_queues(const Options &options, Plan &plan) {
    plan.burst = at_most(options.burst, options.messages);
    plan.signal_every = at_most(options.signal_every, options.messages);
    plan.send_depth = 2 * plan.burst + plan.signal_every;
    // One more than can be expected, so that a repeated message is seen and not held off.
    plan.recv_depth = options.one_way ? 0 : plan.burst + 1;
    // In an error every work request completes, signalled or not.
    plan.cqe_per_connection = plan.send_depth + plan.recv_depth;
}

// Only --verify looks at contents. Without it the connections of a thread send from the same
// buffers and receive into the same: 10,000 connections then cost no more memory than one.
void plan_memory(const Options &options, Plan &plan) {
    plan.slot = (options.sizes.hi + cache_line - 1) / cache_line * cache_line;
    plan.send_slots = plan.burst;
    plan.bytes_each = plan.slot * (std::size_t{plan.send_slots} + plan.recv_depth);
    plan.bytes = plan.bytes_each * (options.verify ? options.connections : plan.threads);
}

} // namespace

tl::expected<Plan, std::string> make_plan(const Options &options, const DeviceLimits &limits) {
    Plan plan;
    plan.threads = std::min(options.threads, options.connections);
    plan_queues(options, plan);
    plan_memory(options, plan);
    if (plan.send_depth > limits.max_qp_wr)
        return tl::unexpected(
            fmt::format("--burst {} with --signal-every {} needs a send queue of {}, the device "
                        "allows {}",
                        options.burst, options.signal_every, plan.send_depth, limits.max_qp_wr));
    if (plan.cqe_per_connection > limits.max_cqe)
        return tl::unexpected(fmt::format(
            "--burst {} with --signal-every {} needs a completion queue of {}, the "
            "device allows {}",
            options.burst, options.signal_every, plan.cqe_per_connection, limits.max_cqe));
    if (options.sizes.hi > limits.max_message)
        return tl::unexpected(fmt::format("--size {} is too large, the device allows {}",
                                          options.sizes.hi, limits.max_message));
    plan.connections_per_cq = limits.max_cqe / plan.cqe_per_connection;
    return plan;
}

} // namespace srqload
