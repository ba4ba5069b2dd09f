// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include "format.h"

#include <array>
#include <cstddef>
#include <fmt/format.h>

namespace srqload {

std::string grouped(std::uint64_t value) {
    std::string digits = std::to_string(value);
    for (std::size_t at = digits.size(); at > 3;) {
        at -= 3;
        digits.insert(at, 1, ',');
    }
    return digits;
}

std::string human_bytes(double bytes) {
    constexpr std::array units{"B", "KiB", "MiB", "GiB", "TiB"};
    std::size_t unit = 0;
    for (; bytes >= 1024 && unit + 1 < units.size(); unit++)
        bytes /= 1024;
    return fmt::format("{:.{}f} {}", bytes, unit == 0 ? 0 : 1, units[unit]);
}

} // namespace srqload
