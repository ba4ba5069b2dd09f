// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include "number.h"

#include <charconv>

namespace srqload {

namespace {

unsigned suffix_shift(char suffix) {
    switch (suffix) {
    case 'K':
    case 'k':
        return 10;
    case 'M':
    case 'm':
        return 20;
    case 'G':
    case 'g':
        return 30;
    default:
        return 0;
    }
}

} // namespace

std::optional<std::uint64_t> parse_number(std::string_view text, std::uint64_t max) {
    std::uint64_t value = 0;
    const char *end = text.data() + text.size();
    auto [stop, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc{} || stop != end || value > max)
        return std::nullopt;
    return value;
}

std::optional<std::uint64_t> parse_bytes(std::string_view text, std::uint64_t max) {
    unsigned shift = text.empty() ? 0 : suffix_shift(text.back());
    if (shift != 0)
        text.remove_suffix(1);
    auto value = parse_number(text, max >> shift);
    if (!value)
        return std::nullopt;
    return *value << shift;
}

} // namespace srqload
