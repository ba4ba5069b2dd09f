// SPDX-License-Identifier: GPL-2.0
#pragma once

#include <cstdint>
#include <string>

namespace srqctl {

/// What a number measures.
enum class Unit {
    none,
    bytes,
    nsec,
    usec,
    msec,
    sec,
    wall_clock_ns, // since 1970
};

/// "16 MiB", "640 us", "12".
std::string human(std::uint64_t value, Unit unit);

/// The same for a mean or a rate.
std::string human(double value, Unit unit);

} // namespace srqctl
