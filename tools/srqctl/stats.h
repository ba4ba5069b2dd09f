// SPDX-License-Identifier: GPL-2.0
#pragma once

#include "session.h"

namespace srqctl {

struct PoolStatsOptions {
    std::optional<std::string> name;
    std::optional<Seconds> interval;
    std::optional<std::uint32_t> count; // of intervals; for ever if empty
};

/// How much a counter rose a second; one that fell was reset in between.
std::optional<double> rate(const std::optional<std::uint64_t> &before,
                           const std::optional<std::uint64_t> &now, Seconds elapsed);

Outcome run_pool_stats(Session &session, const PoolStatsOptions &options);

Record describe(const srqpool::Stats &stats);

/// How much the counters rose a second, with the counters for programs.
Record describe_rates(const srqpool::Stats &before, const srqpool::Stats &now, Seconds elapsed);

} // namespace srqctl
