// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#pragma once

#include <cstdint>
#include <string>

namespace srqload {

/// 1234567 as 1,234,567.
std::string grouped(std::uint64_t value);

/// Bytes in the largest binary unit that leaves a number from 1: 1.5 MiB.
std::string human_bytes(double bytes);

} // namespace srqload
