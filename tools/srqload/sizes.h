// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#pragma once

#include "random.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

namespace srqload {

constexpr std::uint32_t max_message_size = 1U << 30;

/// Which sizes messages have: one of `list`, or if that is empty any in [lo, hi], uniformly.
struct Sizes {
    std::uint32_t lo = 64;
    std::uint32_t hi = 64;
    std::vector<std::uint32_t> list;
};

/// BYTES, LO-HI or A,B,C.
tl::expected<Sizes, std::string> parse_sizes(std::string_view text);

std::uint32_t pick_size(const Sizes &sizes, Random &random);

} // namespace srqload
