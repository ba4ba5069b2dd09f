// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace srqload {

/// A plain decimal number in [0, max]: no sign, no blanks, nothing behind it.
std::optional<std::uint64_t> parse_number(std::string_view text, std::uint64_t max);

/// The same with an optional suffix K, M or G (powers of 1024).
std::optional<std::uint64_t> parse_bytes(std::string_view text, std::uint64_t max);

} // namespace srqload
