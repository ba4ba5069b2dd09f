// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include "sizes.h"

#include "number.h"

#include <algorithm>
#include <fmt/format.h>

namespace srqload {

namespace {

tl::expected<std::uint32_t, std::string> parse_size(std::string_view text) {
    auto value = parse_bytes(text, max_message_size);
    if (!value || *value == 0)
        return tl::unexpected(fmt::format("'{}' is not a size from 1 to 1G", text));
    return static_cast<std::uint32_t>(*value);
}

tl::expected<Sizes, std::string> parse_range(std::string_view text, std::size_t dash) {
    auto lo = parse_size(text.substr(0, dash));
    if (!lo)
        return tl::unexpected(lo.error());
    auto hi = parse_size(text.substr(dash + 1));
    if (!hi)
        return tl::unexpected(hi.error());
    if (*lo > *hi)
        return tl::unexpected(fmt::format("{} is greater than {}", *lo, *hi));
    return Sizes{*lo, *hi, {}};
}

tl::expected<Sizes, std::string> parse_list(std::string_view text) {
    Sizes sizes;
    for (std::size_t begin = 0; begin <= text.size();) {
        std::size_t comma = std::min(text.find(',', begin), text.size());
        auto size = parse_size(text.substr(begin, comma - begin));
        if (!size)
            return tl::unexpected(size.error());
        sizes.list.push_back(*size);
        begin = comma + 1;
    }
    auto [least, most] = std::minmax_element(sizes.list.begin(), sizes.list.end());
    sizes.lo = *least;
    sizes.hi = *most;
    return sizes;
}

} // namespace

tl::expected<Sizes, std::string> parse_sizes(std::string_view text) {
    if (std::size_t dash = text.find('-'); dash != std::string_view::npos)
        return parse_range(text, dash);
    return parse_list(text);
}

std::uint32_t pick_size(const Sizes &sizes, Random &random) {
    if (sizes.lo == sizes.hi)
        return sizes.lo;
    if (sizes.list.empty())
        return sizes.lo + random.below(sizes.hi - sizes.lo + 1);
    return sizes.list[random.below(static_cast<std::uint32_t>(sizes.list.size()))];
}

} // namespace srqload
