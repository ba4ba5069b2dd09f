// SPDX-License-Identifier: GPL-2.0
#pragma once

#include "session.h"

namespace srqctl {

struct SelftestOptions {
    std::string dev;
};

/// Tries a device with a pool of its own, which is gone on return.
Outcome run_selftest(Session &session, const SelftestOptions &options);

} // namespace srqctl
