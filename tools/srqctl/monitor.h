// SPDX-License-Identifier: GPL-2.0
#pragma once

#include "lib/events.h"
#include "session.h"

namespace srqctl {

struct MonitorOptions {
    bool now = false; // print the state first
};

/// Runs until the module is unloaded.
Outcome run_monitor(Session &session, const MonitorOptions &options);

Record describe(const srqpool::Event &event);
Record describe(const srqpool::EventLoss &loss, std::uint64_t time_ns);

} // namespace srqctl
