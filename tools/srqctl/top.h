// SPDX-License-Identifier: GPL-2.0
#pragma once

#include "session.h"

namespace srqctl {

struct TopOptions {
    Seconds interval{1};
    std::optional<std::uint32_t> count; // of intervals; until the user quits if empty
    bool ascii = false;
};

/// Takes over the terminal until the user or a signal quits, or the module is unloaded.
Outcome run_top(Session &session, const TopOptions &options);

} // namespace srqctl
