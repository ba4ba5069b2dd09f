// SPDX-License-Identifier: GPL-2.0
#pragma once

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "lib/objects.h"

namespace srqctl::advice {

/// All that advice on a pool follows from. What is empty is not known.
struct Seen {
    srqpool::Pool pool;
    srqpool::Stats stats;
    std::optional<std::vector<srqpool::Listener>> listeners; // of the pool
    std::optional<std::vector<srqpool::Conn>> conns;         // the open ones
    std::optional<srqpool::Dev> dev;
    std::optional<std::uint32_t> burst; // messages that a connection sends at once
};

/// Those of a list that are of a pool.
template <typename T> std::vector<T> of_pool(const std::vector<T> &all, const std::string &pool) {
    std::vector<T> some;
    std::copy_if(all.begin(), all.end(), std::back_inserter(some),
                 [&](const T &one) { return one.pool == pool; });
    return some;
}

/// A histogram of the statistics, empty if there is none.
srqpool::Hist hist_of(const srqpool::Stats &stats, srqpool_hist kind);

/// Open connections of each class, in the order of the pool's classes.
std::vector<std::uint64_t> conns_of_classes(const Seen &seen);

/// Messages a connection sends at once: what is known of it, or else what 99 of 100 batches of
/// completions did not exceed. Never 0.
std::uint64_t burst_of(const Seen &seen);

/// Did connections wait for buffers of this pool?
bool ran_dry(const Seen &seen);

/// Did the pool fall under a mark, or was there none to fall under?
bool fell_low(const Seen &seen);

} // namespace srqctl::advice
