// SPDX-License-Identifier: GPL-2.0
#pragma once

#include "session.h"

namespace srqctl {

struct SaveOptions {
    std::optional<std::string> pool;
};

struct ApplyOptions {
    std::string file;
    bool dry_run = false;
};

struct DiffOptions {
    std::string file;
};

Outcome run_save(Session &session, const SaveOptions &options);
Outcome run_apply(Session &session, const ApplyOptions &options);
Outcome run_diff(Session &session, const DiffOptions &options);

} // namespace srqctl
