// SPDX-License-Identifier: GPL-2.0
#pragma once

#include <string>

#include "seen.h"

namespace srqctl::advice {

/// What floor, ceiling and mark of a class follow from.
struct Basis {
    std::uint32_t size = 0;    // of its buffers, as advised
    std::uint32_t floor = 0;   // as it is
    std::uint32_t ceiling = 0; // as it is
    std::uint32_t target = 0;
    std::uint32_t mark = 0;      // the effective one
    srqpool::Mark mark_spec;     // as it is
    std::uint32_t low_water = 0; // fewest posted
    std::uint64_t held = 0;      // most at once
    std::uint64_t conns = 0;
    std::uint64_t burst = 1;
    std::uint32_t shards = 1;
    bool low = false;  // it fell under its mark
    bool dry = false;  // and connections waited
    bool armed = true; // there is a limit event
    std::uint64_t budget = 0;
    std::uint64_t ceiling_max = 0; // that the device can have
};

/// Of a class of the pool, as it is.
Basis basis_of(const Seen &seen, std::size_t index);

template <typename T> struct Choice {
    T value;
    std::string why;
};

Choice<std::uint32_t> floor_for(const Basis &basis);
Choice<std::uint32_t> ceiling_for(const Basis &basis, std::uint32_t floor);
Choice<srqpool::Mark> mark_for(const Basis &basis, std::uint32_t floor);

/// Is the mark lower than advice would have it?
bool mark_is_low(const Basis &basis);

} // namespace srqctl::advice
