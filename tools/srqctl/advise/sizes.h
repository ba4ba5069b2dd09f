// SPDX-License-Identifier: GPL-2.0
#pragma once

#include <set>

#include "seen.h"

namespace srqctl::advice {

/// Small messages and large ones, and none between: each is shorter than `small_below` or at
/// least `large_from` long.
struct Gap {
    std::uint64_t least = 0; // of the small ones
    std::uint64_t small_below = 0;
    std::uint64_t large_from = 0;
    std::uint64_t small_count = 0;
    std::uint64_t large_count = 0;
};

/// What a histogram says about the sizes of messages.
struct Sizes {
    std::uint64_t count = 0;
    std::uint64_t below = 0; // all were shorter
    std::optional<Gap> gap;  // the widest, if it is wide enough for classes of its two sides
};

Sizes sizes_of(const srqpool::Hist &hist);

/// The size of a buffer for messages shorter than `below`: a power of two that a class can have.
std::uint32_t buffer_for(std::uint64_t below);

/// What each listener's connections have received tells who sends only small messages. There is
/// one histogram for the whole pool, so that is said only of those of which it is certain.
std::set<std::uint64_t> small_talkers(const Seen &seen, const Gap &gap);

} // namespace srqctl::advice
