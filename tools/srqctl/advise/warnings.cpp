// SPDX-License-Identifier: GPL-2.0
#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "advice.h"
#include "amounts.h"
#include "sizes.h"
#include "units.h"

namespace srqctl::advice {

namespace {

using Warnings = std::vector<std::string>;

// Buffers so many times as large as the longest message are far too large.
constexpr std::uint64_t far_larger = 8;
// A quota that one of so many messages goes over is always hit.
constexpr std::uint64_t always_hit = 10;
constexpr std::uint64_t quota_min = 16;

std::string bytes(std::uint64_t count) { return human(count, Unit::bytes); }

void warn_of_marks(const Seen &seen, Warnings &warnings) {
    for (std::size_t i = 0; i < seen.pool.classes.size(); i++) {
        const Basis basis = basis_of(seen, i);
        if (mark_is_low(basis))
            warnings.push_back(fmt::format("class {}: the mark is too low, {} of {} buffers",
                                           seen.pool.classes[i].name, basis.mark, basis.target));
    }
}

void warn_of_sizes(const Seen &seen, const Sizes &sizes, Warnings &warnings) {
    const std::vector<std::uint64_t> conns = conns_of_classes(seen);
    for (std::size_t i = 0; i < conns.size(); i++) {
        const srqpool::Class &one = seen.pool.classes[i];
        const std::uint64_t size = one.size.value_or(0);
        const bool used = conns[i] > 0 || conns.size() == 1;
        if (used && size / far_larger >= sizes.below)
            warnings.push_back(fmt::format("class {}: its buffers of {} are far larger than the "
                                           "messages, all of which were shorter than {}",
                                           one.name, bytes(size), bytes(sizes.below)));
    }
}

// What can be done about it.
std::string way_out(const Seen &seen, const Gap &gap) {
    if (!seen.conns || !seen.listeners)
        return "whose is not known without listeners and connections";
    if (!small_talkers(seen, gap).empty())
        return "some listeners have only small ones, and can have a class for them";
    std::string way = "have those that send small ones connect to a listener of their own, or "
                      "say how large their messages get";
    if (seen.pool.copybreak.value_or(0) >= gap.small_below)
        return way;
    return way + fmt::format("; with --copybreak {} a small one does not keep a large buffer",
                             gap.small_below);
}

// A class of several has large messages by its size; small ones are seen on its connections.
bool has_both(const Seen &seen, const srqpool::Class &one, const Gap &gap) {
    if (one.size.value_or(0) < gap.large_from)
        return false;
    if (seen.pool.classes.size() == 1)
        return true;
    return seen.conns && std::any_of(seen.conns->begin(), seen.conns->end(), [&](const auto &conn) {
               const std::uint64_t msgs = conn.rx_msgs.value_or(0);
               return conn.class_name == one.name && msgs > 0 &&
                      conn.rx_bytes.value_or(0) / msgs < gap.small_below;
           });
}

void warn_of_mixture(const Seen &seen, const Gap &gap, Warnings &warnings) {
    for (const srqpool::Class &one : seen.pool.classes)
        if (has_both(seen, one, gap))
            warnings.push_back(fmt::format(
                "class {}: one class for very different sizes: {} messages shorter than {}, {} of "
                "{} or more; {}",
                one.name, gap.small_count, bytes(gap.small_below), gap.large_count,
                bytes(gap.large_from), way_out(seen, gap)));
}

void warn_of_naks(const Seen &seen, Warnings &warnings) {
    const std::uint64_t naks = seen.stats.rnr_naks.value_or(0);
    if (naks > 0 && ran_dry(seen))
        warnings.push_back(fmt::format("{} RNR NAKs: peers were told to wait for a buffer", naks));
    else if (naks > 0)
        warnings.push_back(fmt::format("the device sent {} RNR NAKs, but this pool never fell "
                                       "under its mark: look at the others of the device",
                                       naks));
    else if (ran_dry(seen))
        warnings.push_back(
            fmt::format("a queue stood empty {} times", seen.stats.starved_events.value_or(0)));
}

void warn_of_oversize(const Seen &seen, Warnings &warnings) {
    if (const std::uint64_t oversize = seen.stats.oversize.value_or(0))
        warnings.push_back(fmt::format("{} messages were larger than their buffer, which ends the "
                                       "connection",
                                       oversize));
}

void warn_of_growth(const Seen &seen, Warnings &warnings) {
    if (const std::uint64_t failures = seen.stats.alloc_failures.value_or(0))
        warnings.push_back(fmt::format("{} buffers could not be allocated", failures));
}

// Where everything is given back at once nobody can come near a quota.
bool holds(const Seen &seen) {
    if (!seen.listeners)
        return true;
    return std::any_of(seen.listeners->begin(), seen.listeners->end(),
                       [](const srqpool::Listener &listener) {
                           return listener.mode.value_or(SRQPOOL_MODE_SINK) != SRQPOOL_MODE_SINK;
                       });
}

void warn_of_quota(const Seen &seen, std::uint64_t msgs, Warnings &warnings) {
    const std::uint64_t quota = seen.pool.quota.value_or(0);
    const std::uint64_t hits = seen.stats.quota_hits.value_or(0);
    std::uint64_t held = 0;
    for (const srqpool::Class &one : seen.pool.classes)
        held += one.max_in_use.value_or(0);
    if (quota == 0 || !holds(seen))
        return;
    if (hits >= msgs / always_hit)
        warnings.push_back(fmt::format("the quota of {} is always hit, by {} of {} messages: raise "
                                       "it, or see srqctl conn show --top",
                                       quota, hits, msgs));
    else if (hits == 0 && quota > quota_min && quota / 2 >= held)
        warnings.push_back(fmt::format("the quota of {} is never hit: all connections together "
                                       "held {} buffers at most; --quota {} would keep one from "
                                       "taking many more",
                                       quota, held, std::max(quota_min, std::bit_ceil(held))));
}

} // namespace

std::vector<std::string> warnings_on(const Seen &seen) {
    const Sizes sizes = sizes_of(hist_of(seen.stats, SRQPOOL_HIST_MSG_BYTES));
    Warnings warnings;
    warn_of_naks(seen, warnings);
    warn_of_marks(seen, warnings);
    warn_of_sizes(seen, sizes, warnings);
    if (sizes.gap)
        warn_of_mixture(seen, *sizes.gap, warnings);
    warn_of_oversize(seen, warnings);
    warn_of_growth(seen, warnings);
    warn_of_quota(seen, sizes.count, warnings);
    return warnings;
}

} // namespace srqctl::advice
