// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include "pacer.h"

#include <algorithm>

namespace srqload {

namespace {

// How much of a stall is made up for: enough for a late wake-up, not enough for a flood.
constexpr std::uint64_t catch_up_ns = 100'000'000;

} // namespace

std::uint64_t Pacer::wait(std::uint64_t now_ns) const {
    return rate_ > 0 && due_ns_ > now_ns ? due_ns_ - now_ns : 0;
}

void Pacer::spend(std::uint64_t now_ns, std::uint32_t messages) {
    if (rate_ <= 0)
        return;
    std::uint64_t oldest = now_ns > catch_up_ns ? now_ns - catch_up_ns : 0;
    due_ns_ = std::max(due_ns_, oldest) + static_cast<std::uint64_t>(1e9 * messages / rate_);
}

} // namespace srqload
