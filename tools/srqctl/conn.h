// SPDX-License-Identifier: GPL-2.0
#pragma once

#include "session.h"

namespace srqctl {

struct ConnShowOptions {
    std::optional<std::string> pool;
    std::optional<std::uint32_t> top; // only so many, the greatest holders first
};

struct ConnKillOptions {
    std::uint64_t id = 0;
};

Outcome run_conn_show(Session &session, const ConnShowOptions &options);
Outcome run_conn_kill(Session &session, const ConnKillOptions &options);

/// The `count` that hold most, greatest first; of those that hold as much, who copied more.
std::vector<srqpool::Conn> greatest_holders(std::vector<srqpool::Conn> conns, std::size_t count);

Record describe(const srqpool::Conn &conn);

} // namespace srqctl
