// SPDX-License-Identifier: GPL-2.0
#pragma once

#include "advise/seen.h"
#include "session.h"

namespace srqctl {

/// A file of statistics, once it was read.
struct SavedStats {
    std::string path;
    int code = 0; // errno of reading it
    std::vector<advice::Seen> seen;
};

struct AdviseOptions {
    std::optional<std::string> pool;
    std::optional<SavedStats> from;
    std::optional<std::uint32_t> burst;
    bool record = false;
};

Outcome run_advise(Session &session, const AdviseOptions &options);

} // namespace srqctl
