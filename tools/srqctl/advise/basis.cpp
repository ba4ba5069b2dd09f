// SPDX-License-Identifier: GPL-2.0
#include <algorithm>
#include <limits>

#include "amounts.h"

namespace srqctl::advice {

namespace {

// Entries of a completion queue that no buffer gets.
constexpr std::uint64_t cq_spare = 64;

bool grew(const srqpool::Class &one) { return one.target.value_or(0) > one.floor.value_or(0); }

// The counters are the pool's: they speak of the classes that grew, or of all if none did.
bool concerns(const srqpool::Pool &pool, const srqpool::Class &one) {
    return grew(one) || std::none_of(pool.classes.begin(), pool.classes.end(), grew);
}

// An SRQ is asked for 5/4 of its share, and a completion queue has room for all of a shard.
std::uint64_t ceiling_max(const Seen &seen, std::uint64_t shards) {
    if (!seen.dev || !seen.dev->max_srq_wr || !seen.dev->max_cqe)
        return std::numeric_limits<std::uint32_t>::max();
    const std::uint64_t cqe = *seen.dev->max_cqe;
    const std::uint64_t entries = std::min<std::uint64_t>(
        *seen.dev->max_srq_wr, (cqe - std::min(cqe, cq_spare)) / seen.pool.classes.size());
    return entries * 4 / 5 * shards;
}

} // namespace

Basis basis_of(const Seen &seen, std::size_t index) {
    const srqpool::Pool &pool = seen.pool;
    const srqpool::Class &one = pool.classes[index];
    const std::uint32_t shards = std::max(pool.shards.value_or(1), 1U);
    return Basis{
        .size = one.size.value_or(0),
        .floor = one.floor.value_or(0),
        .ceiling = one.ceiling.value_or(0),
        .target = one.target.value_or(0),
        .mark = one.mark.value_or(0),
        .mark_spec = one.mark_spec.value_or(srqpool::Mark{}),
        .low_water = one.low_water.value_or(0),
        .held = one.max_in_use.value_or(0),
        .conns = conns_of_classes(seen)[index],
        .burst = burst_of(seen),
        .shards = shards,
        .low = fell_low(seen) && concerns(pool, one),
        .dry = ran_dry(seen) && concerns(pool, one),
        .armed = pool.refill.value_or(SRQPOOL_REFILL_WATERMARK) == SRQPOOL_REFILL_WATERMARK,
        .budget = pool.budget.value_or(0),
        .ceiling_max = ceiling_max(seen, shards),
    };
}

} // namespace srqctl::advice
