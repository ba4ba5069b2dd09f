// SPDX-License-Identifier: GPL-2.0
#include "seen.h"

#include <algorithm>

namespace srqctl::advice {

namespace {

// Most completions that the module takes in one poll.
constexpr std::uint64_t batch_max = 32;

std::optional<std::size_t> class_index(const srqpool::Pool &pool,
                                       const std::optional<std::string> &name) {
    for (std::size_t i = 0; i < pool.classes.size(); i++)
        if (name == pool.classes[i].name)
            return i;
    return std::nullopt;
}

// The bucket that 99 of 100 values do not exceed.
std::size_t bucket_of_99(const srqpool::Hist &hist) {
    long double total = 0;
    for (const std::uint64_t count : hist.buckets)
        total += static_cast<long double>(count);
    long double below = 0;
    for (std::size_t i = 0; i < hist.buckets.size(); i++) {
        below += static_cast<long double>(hist.buckets[i]);
        if (below * 100 >= total * 99)
            return i;
    }
    return 0;
}

std::uint64_t most_messages(const std::vector<srqpool::Conn> &conns) {
    std::uint64_t most = 0;
    for (const srqpool::Conn &conn : conns)
        most = std::max(most, conn.rx_msgs.value_or(0));
    return most;
}

bool is_never_armed(const srqpool::Pool &pool) {
    return pool.refill.value_or(SRQPOOL_REFILL_WATERMARK) != SRQPOOL_REFILL_WATERMARK ||
           std::any_of(pool.classes.begin(), pool.classes.end(),
                       [](const srqpool::Class &one) { return one.mark.value_or(0) == 0; });
}

} // namespace

srqpool::Hist hist_of(const srqpool::Stats &stats, srqpool_hist kind) {
    for (const srqpool::Hist &hist : stats.hists)
        if (hist.kind == kind)
            return hist;
    return {};
}

std::vector<std::uint64_t> conns_of_classes(const Seen &seen) {
    std::vector<std::uint64_t> counts(seen.pool.classes.size());
    if (seen.conns) {
        for (const srqpool::Conn &conn : *seen.conns)
            if (const auto i = class_index(seen.pool, conn.class_name))
                counts[*i]++;
    } else if (counts.size() == 1) {
        counts[0] = seen.pool.conns.value_or(0);
    } else if (seen.listeners) {
        for (const srqpool::Listener &listener : *seen.listeners)
            if (const auto i = class_index(seen.pool, listener.class_name))
                counts[*i] += listener.conns.value_or(0);
    }
    return counts;
}

std::uint64_t burst_of(const Seen &seen) {
    if (seen.burst)
        return std::max(*seen.burst, 1U);
    if (const std::uint32_t depth = seen.pool.dedicated.value_or(0))
        return depth;
    const std::size_t bucket = bucket_of_99(hist_of(seen.stats, SRQPOOL_HIST_BATCH));
    std::uint64_t burst = std::min(std::uint64_t{1} << bucket, batch_max);
    if (seen.conns && !seen.conns->empty())
        burst = std::min(burst, most_messages(*seen.conns));
    return std::max<std::uint64_t>(burst, 1);
}

bool fell_low(const Seen &seen) {
    const srqpool::Stats &stats = seen.stats;
    return stats.limit_events.value_or(0) > 0 || stats.watchdog_refills.value_or(0) > 0 ||
           stats.starved_events.value_or(0) > 0;
}

bool ran_dry(const Seen &seen) {
    if (seen.stats.starved_events.value_or(0) > 0)
        return true;
    // NAKs are counted by the device, for all of its pools.
    return seen.stats.rnr_naks.value_or(0) > 0 && (fell_low(seen) || is_never_armed(seen.pool));
}

} // namespace srqctl::advice
