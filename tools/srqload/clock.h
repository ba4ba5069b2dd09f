// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#pragma once

#include <chrono>
#include <cstdint>

namespace srqload {

inline std::uint64_t now_ns() {
    return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(
                                          std::chrono::steady_clock::now().time_since_epoch())
                                          .count());
}

constexpr std::uint64_t ns_per_us = 1'000;
constexpr std::uint64_t ns_per_ms = 1'000'000;
constexpr std::uint64_t ns_per_s = 1'000'000'000;

} // namespace srqload
