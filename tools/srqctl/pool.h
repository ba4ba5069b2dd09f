// SPDX-License-Identifier: GPL-2.0
#pragma once

#include "session.h"

namespace srqctl {

struct PoolAddOptions {
    srqpool::PoolSpec spec;
};

struct PoolSetOptions {
    srqpool::PoolSpec spec;
};

struct PoolShowOptions {
    std::optional<std::string> name;
};

struct PoolResetOptions {
    std::optional<std::string> name;
};

struct PoolDelOptions {
    std::string name;
    bool force = false;
};

Outcome run_pool_add(Session &session, const PoolAddOptions &options);
Outcome run_pool_set(Session &session, const PoolSetOptions &options);
Outcome run_pool_show(Session &session, const PoolShowOptions &options);
Outcome run_pool_reset(Session &session, const PoolResetOptions &options);
Outcome run_pool_del(Session &session, const PoolDelOptions &options);

Record describe(const srqpool::Pool &pool);

} // namespace srqctl
