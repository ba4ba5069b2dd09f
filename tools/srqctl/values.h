// SPDX-License-Identifier: GPL-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <tl/expected.hpp>

#include "lib/objects.h"

namespace srqctl {

// What a user gives on the command line, read strictly: no sign, no blank, nothing left over,
// no overflow. The error says what is wrong with it.

template <typename T> using Parsed = tl::expected<T, std::string>;

Parsed<std::uint64_t> parse_number(std::string_view text);

/// From 0.
Parsed<std::uint32_t> parse_amount(std::string_view text);

/// From 1.
Parsed<std::uint32_t> parse_count(std::string_view text);

/// From 1; K, M and G (or KiB, MiB, GiB) are powers of 1024.
Parsed<std::uint64_t> parse_bytes(std::string_view text);

/// The same for a buffer.
Parsed<std::uint32_t> parse_size(std::string_view text);

/// The same from 0, for a message.
Parsed<std::uint32_t> parse_copybreak(std::string_view text);

/// 1 to 65535.
Parsed<std::uint16_t> parse_port(std::string_view text);

/// An IPv4 or IPv6 literal.
Parsed<srqpool::Address> parse_addr(const std::string &text);

/// Of a pool or a class.
Parsed<std::string> parse_name(const std::string &text);

Parsed<std::string> parse_dev_name(const std::string &text);

/// 0 for "auto".
Parsed<std::uint32_t> parse_shards(std::string_view text);

/// auto|event|busy|hybrid[:USEC]
Parsed<srqpool::Poll> parse_poll(std::string_view text);

/// "64", "12%" or "auto".
Parsed<srqpool::Mark> parse_mark(std::string_view text);

Parsed<void> check_range(std::uint32_t floor, std::uint32_t ceiling);
Parsed<void> check_mark(const srqpool::Mark &mark, std::uint32_t ceiling);

/// [CNAME=]SIZE:FLOOR[-CEILING][@MARK]
Parsed<srqpool::ClassSpec> parse_class(const std::string &text);

Parsed<std::uint32_t> parse_refill(std::string_view text);
Parsed<std::uint32_t> parse_quota_policy(std::string_view text);
Parsed<std::uint32_t> parse_transport(std::string_view text);
Parsed<std::uint32_t> parse_mode(std::string_view text);

/// A positive number of seconds, "0.5".
Parsed<std::chrono::duration<double>> parse_seconds(std::string_view text);

} // namespace srqctl
