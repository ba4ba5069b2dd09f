// SPDX-License-Identifier: GPL-2.0
#include "values.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "lib/names.h"

namespace srqctl {

namespace {

constexpr std::size_t dev_name_max = 63; // IB_DEVICE_NAME_MAX less its NUL
constexpr double seconds_max = 86400;

tl::unexpected<std::string> wrong(std::string text) { return tl::unexpected(std::move(text)); }

struct Suffix {
    std::string_view name;
    unsigned shift;
};

constexpr std::array suffixes = {
    Suffix{"KiB", 10}, Suffix{"MiB", 20}, Suffix{"GiB", 30},
    Suffix{"K", 10},   Suffix{"M", 20},   Suffix{"G", 30},
};

// Takes a suffix off `text` and answers by how much it shifts.
unsigned take_suffix(std::string_view &text) {
    for (const Suffix &suffix : suffixes) {
        if (text.size() < suffix.name.size() ||
            text.substr(text.size() - suffix.name.size()) != suffix.name)
            continue;
        text.remove_suffix(suffix.name.size());
        return suffix.shift;
    }
    return 0;
}

std::errc read_digits(std::string_view text, std::uint64_t &value) {
    const char *end = text.data() + text.size();
    const auto [stop, failure] = std::from_chars(text.data(), end, value);
    if (failure == std::errc{} && stop != end)
        return std::errc::invalid_argument;
    return failure;
}

bool is_name_char(char c) { return c > ' ' && c <= '~' && c != '/'; }

Parsed<std::uint32_t> narrow(std::uint64_t value, std::string_view text) {
    if (value > std::numeric_limits<std::uint32_t>::max())
        return wrong(fmt::format("'{}' is too large", text));
    return static_cast<std::uint32_t>(value);
}

// From 0.
Parsed<std::uint64_t> read_bytes(std::string_view text) {
    std::string_view digits = text;
    const unsigned shift = take_suffix(digits);
    std::uint64_t value = 0;
    const std::errc failure = read_digits(digits, value);
    if (failure == std::errc::result_out_of_range ||
        value > std::numeric_limits<std::uint64_t>::max() >> shift)
        return wrong(fmt::format("'{}' is too large", text));
    if (failure != std::errc{})
        return wrong(fmt::format("'{}' is not a number of bytes, such as 4096, 64K or 1G", text));
    return value << shift;
}

Parsed<std::uint32_t> parse_spin(std::string_view text) {
    auto usec = parse_count(text);
    if (usec && *usec > SRQPOOL_POLL_USEC_MAX)
        return wrong(fmt::format("'{}' is more than {}", text, SRQPOOL_POLL_USEC_MAX));
    return usec;
}

// One of the words that `from_name` knows; `what` says what they are for.
Parsed<std::uint32_t> parse_word(std::string_view text,
                                 std::optional<std::uint32_t> (*from_name)(std::string_view),
                                 std::string_view what, srqpool::Names words) {
    const auto number = from_name(text);
    if (!number)
        return wrong(fmt::format("'{}' is not a {}; there {}: {}", text, what,
                                 words.size() == 1 ? "is" : "are", fmt::join(words, ", ")));
    return *number;
}

struct Range {
    std::uint32_t floor;
    std::uint32_t ceiling;
};

// FLOOR[-CEILING]
Parsed<Range> parse_range(std::string_view text) {
    const std::size_t dash = text.find('-');
    const auto floor = parse_count(text.substr(0, dash));
    if (!floor)
        return wrong("FLOOR: " + floor.error());
    if (dash == std::string_view::npos)
        return Range{*floor, *floor};

    const auto ceiling = parse_count(text.substr(dash + 1));
    if (!ceiling)
        return wrong("CEILING: " + ceiling.error());
    if (const auto fits = check_range(*floor, *ceiling); !fits)
        return wrong(fits.error());
    return Range{*floor, *ceiling};
}

Parsed<std::optional<srqpool::Mark>> parse_class_mark(std::string_view text,
                                                      std::uint32_t ceiling) {
    const std::size_t at = text.find('@');
    if (at == std::string_view::npos)
        return std::nullopt;
    const auto mark = parse_mark(text.substr(at + 1));
    if (!mark)
        return wrong(mark.error());
    if (const auto fits = check_mark(*mark, ceiling); !fits)
        return wrong(fits.error());
    return *mark;
}

// SIZE:FLOOR[-CEILING][@MARK]
Parsed<srqpool::ClassSpec> parse_class_numbers(std::string_view text) {
    const std::size_t colon = text.find(':');
    if (colon == std::string_view::npos)
        return wrong("no ':' between SIZE and FLOOR");

    const auto size = parse_size(text.substr(0, colon));
    if (!size)
        return wrong("SIZE: " + size.error());
    const std::string_view rest = text.substr(colon + 1);
    const auto range = parse_range(rest.substr(0, rest.find('@')));
    if (!range)
        return wrong(range.error());
    const auto mark = parse_class_mark(rest, range->ceiling);
    if (!mark)
        return wrong("MARK: " + mark.error());

    return srqpool::ClassSpec{
        .name = std::to_string(*size),
        .size = *size,
        .floor = range->floor,
        .ceiling = range->ceiling,
        .mark = *mark,
    };
}

} // namespace

Parsed<std::uint64_t> parse_number(std::string_view text) {
    std::uint64_t value = 0;
    const std::errc failure = read_digits(text, value);
    if (failure == std::errc::result_out_of_range)
        return wrong(fmt::format("'{}' is too large", text));
    if (failure != std::errc{})
        return wrong(fmt::format("'{}' is not a number", text));
    return value;
}

Parsed<std::uint32_t> parse_amount(std::string_view text) {
    const auto value = parse_number(text);
    if (!value)
        return wrong(value.error());
    return narrow(*value, text);
}

Parsed<std::uint32_t> parse_count(std::string_view text) {
    auto value = parse_amount(text);
    if (value && *value == 0)
        return wrong("must be at least 1");
    return value;
}

Parsed<std::uint64_t> parse_bytes(std::string_view text) {
    auto bytes = read_bytes(text);
    if (bytes && *bytes == 0)
        return wrong("must be at least 1 byte");
    return bytes;
}

Parsed<std::uint32_t> parse_size(std::string_view text) {
    const auto bytes = parse_bytes(text);
    if (!bytes)
        return wrong(bytes.error());
    return narrow(*bytes, text);
}

Parsed<std::uint32_t> parse_copybreak(std::string_view text) {
    const auto bytes = read_bytes(text);
    if (!bytes)
        return wrong(bytes.error());
    return narrow(*bytes, text);
}

Parsed<std::uint16_t> parse_port(std::string_view text) {
    const auto value = parse_number(text);
    if (!value || *value == 0 || *value > std::numeric_limits<std::uint16_t>::max())
        return wrong(fmt::format("'{}' is not a port from 1 to 65535", text));
    return static_cast<std::uint16_t>(*value);
}

Parsed<srqpool::Address> parse_addr(const std::string &text) {
    const auto address = srqpool::parse_address(text);
    if (!address)
        return wrong(fmt::format("'{}' is not an IPv4 or IPv6 address", text));
    return *address;
}

Parsed<std::string> parse_name(const std::string &text) {
    if (text.empty() || text.size() > SRQPOOL_NAME_MAX)
        return wrong(fmt::format("'{}': a name has 1 to {} characters", text, SRQPOOL_NAME_MAX));
    if (!std::all_of(text.begin(), text.end(), is_name_char))
        return wrong(fmt::format("'{}': a name is printable ASCII without '/' or blank", text));
    return text;
}

Parsed<std::string> parse_dev_name(const std::string &text) {
    if (text.empty() || text.size() > dev_name_max ||
        !std::all_of(text.begin(), text.end(), is_name_char))
        return wrong(fmt::format("'{}' cannot be the name of an RDMA device", text));
    return text;
}

Parsed<std::uint32_t> parse_shards(std::string_view text) {
    if (text == "auto")
        return 0;
    return parse_count(text);
}

Parsed<srqpool::Poll> parse_poll(std::string_view text) {
    const std::size_t colon = text.find(':');
    const auto kind = srqpool::poll_from_name(text.substr(0, colon));
    if (!kind || (colon != std::string_view::npos && *kind != SRQPOOL_POLL_HYBRID))
        return wrong(fmt::format("'{}' is not auto, event, busy or hybrid[:USEC]", text));
    if (*kind != SRQPOOL_POLL_HYBRID)
        return srqpool::Poll{*kind};
    if (colon == std::string_view::npos)
        return srqpool::Poll{*kind, SRQPOOL_POLL_USEC_DEFAULT};

    const auto usec = parse_spin(text.substr(colon + 1));
    if (!usec)
        return wrong("USEC: " + usec.error());
    return srqpool::Poll{*kind, *usec};
}

Parsed<srqpool::Mark> parse_mark(std::string_view text) {
    if (text == "auto")
        return srqpool::Mark{SRQPOOL_MARK_AUTO};

    std::string_view digits = text;
    const bool percent = !digits.empty() && digits.back() == '%';
    if (percent)
        digits.remove_suffix(1);

    const auto value = parse_number(digits);
    if (!value)
        return wrong(fmt::format("'{}' is not a count, a percentage or auto", text));
    if (percent && *value > 100)
        return wrong(fmt::format("'{}' is more than 100%", text));
    const auto count = narrow(*value, text);
    if (!count)
        return wrong(count.error());
    return srqpool::Mark{percent ? SRQPOOL_MARK_PERCENT : SRQPOOL_MARK_COUNT, *count};
}

Parsed<void> check_range(std::uint32_t floor, std::uint32_t ceiling) {
    if (floor > ceiling)
        return wrong(fmt::format("the floor {} is above the ceiling {}", floor, ceiling));
    return {};
}

Parsed<void> check_mark(const srqpool::Mark &mark, std::uint32_t ceiling) {
    if (mark.kind == SRQPOOL_MARK_COUNT && mark.value > ceiling)
        return wrong(fmt::format("the mark {} is above the ceiling {}", mark.value, ceiling));
    return {};
}

Parsed<srqpool::ClassSpec> parse_class(const std::string &text) {
    const std::size_t equals = text.find('=');
    const bool named = equals != std::string::npos;
    auto spec = parse_class_numbers(std::string_view(text).substr(named ? equals + 1 : 0));
    if (!spec)
        return wrong(fmt::format("'{}': {}", text, spec.error()));
    if (!named)
        return spec;

    auto name = parse_name(text.substr(0, equals));
    if (!name)
        return wrong(fmt::format("CNAME: {}", name.error()));
    spec->name = std::move(*name);
    return spec;
}

Parsed<std::uint32_t> parse_refill(std::string_view text) {
    return parse_word(text, srqpool::refill_from_name, "way to refill", srqpool::refill_names());
}

Parsed<std::uint32_t> parse_quota_policy(std::string_view text) {
    return parse_word(text, srqpool::quota_policy_from_name, "quota policy",
                      srqpool::quota_policy_names());
}

Parsed<std::uint32_t> parse_transport(std::string_view text) {
    return parse_word(text, srqpool::transport_from_name, "transport", srqpool::transport_names());
}

Parsed<std::uint32_t> parse_mode(std::string_view text) {
    return parse_word(text, srqpool::mode_from_name, "mode", srqpool::mode_names());
}

Parsed<std::chrono::duration<double>> parse_seconds(std::string_view text) {
    double value = 0;
    const char *end = text.data() + text.size();
    const auto [stop, failure] = std::from_chars(text.data(), end, value, std::chars_format::fixed);
    if (failure != std::errc{} || stop != end || !std::isfinite(value))
        return wrong(fmt::format("'{}' is not a number of seconds", text));
    if (value <= 0 || value > seconds_max)
        return wrong(fmt::format("'{}' is not between 0 and {} seconds", text, seconds_max));
    return std::chrono::duration<double>(value);
}

} // namespace srqctl
