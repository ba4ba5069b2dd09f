// SPDX-License-Identifier: GPL-2.0
#pragma once

#include <optional>
#include <vector>

#include "lib/objects.h"
#include "record.h"

namespace srqctl {

constexpr std::uint64_t config_version = 1;

struct PoolConfig {
    srqpool::PoolSpec spec;
    std::optional<std::vector<srqpool::ListenerSpec>> listeners = {}; // nothing: not said
};

/// Pools as a file describes them. What it does not say of a pool is the default in a new one, and
/// stays in one that exists.
struct Config {
    std::vector<PoolConfig> pools;
};

/// What gives the same pools again.
Config config_of(const std::vector<srqpool::Pool> &pools,
                 const std::vector<srqpool::Listener> &listeners);

Json to_json(const Config &config);

} // namespace srqctl
