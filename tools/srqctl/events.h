// SPDX-License-Identifier: GPL-2.0
#pragma once

#include "session.h"

namespace srqctl {

struct EventsOptions {
    std::string pool;
    std::optional<std::uint32_t> count; // only so many of the last
};

Outcome run_events(Session &session, const EventsOptions &options);

} // namespace srqctl
