// SPDX-License-Identifier: GPL-2.0
#pragma once

#include "session.h"

namespace srqctl {

struct AdviseOptions {
    std::optional<std::string> pool;
    std::optional<std::string> from; // a file
    std::optional<std::uint32_t> burst;
    bool record = false;
};

Outcome run_advise(Session &session, const AdviseOptions &options);

} // namespace srqctl
