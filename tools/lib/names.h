// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace srqpool {

// The words for the numbers of the interface; a number that this build does not know stays one.

std::string pool_state_name(std::uint32_t state);
std::string poll_name(std::uint32_t poll);
std::string refill_name(std::uint32_t refill);
std::string quota_policy_name(std::uint32_t policy);
std::string queue_state_name(std::uint32_t state);
std::string conn_state_name(std::uint32_t state);
std::string transport_name(std::uint32_t transport);
std::string mode_name(std::uint32_t mode);
std::string event_name(std::uint32_t type);
std::string hist_name(std::uint32_t kind);

/// IB_WC_ names without the prefix.
std::string wc_status_name(std::uint32_t status);

// And back, for what a user gives.

std::optional<std::uint32_t> poll_from_name(std::string_view name);
std::optional<std::uint32_t> refill_from_name(std::string_view name);
std::optional<std::uint32_t> quota_policy_from_name(std::string_view name);
std::optional<std::uint32_t> transport_from_name(std::string_view name);
std::optional<std::uint32_t> mode_from_name(std::string_view name);

// All there are of a knob, in the order of its numbers.

using Names = std::span<const std::string_view>;

Names poll_names();
Names refill_names();
Names quota_policy_names();
Names transport_names();
Names mode_names();

} // namespace srqpool
