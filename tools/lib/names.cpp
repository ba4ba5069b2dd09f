// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include "names.h"

#include <algorithm>
#include <array>

#include <linux/srqpool.h>

namespace srqpool {

namespace {

// Each list is in the order of its enum; the assertions notice one that grew.

constexpr std::array<std::string_view, 4> pool_states = {"active", "degraded", "detached",
                                                         "deleting"};
static_assert(SRQPOOL_POOL_DELETING + 1 == pool_states.size());

constexpr std::array<std::string_view, 4> polls = {"auto", "event", "busy", "hybrid"};
static_assert(SRQPOOL_POLL_HYBRID + 1 == polls.size());

constexpr std::array<std::string_view, 2> refills = {"watermark", "immediate"};
static_assert(SRQPOOL_REFILL_IMMEDIATE + 1 == refills.size());

constexpr std::array<std::string_view, 2> quota_policies = {"copy", "disconnect"};
static_assert(SRQPOOL_QUOTA_DISCONNECT + 1 == quota_policies.size());

constexpr std::array<std::string_view, 4> queue_states = {"filling", "active", "starved", "error"};
static_assert(SRQPOOL_QUEUE_ERROR + 1 == queue_states.size());

constexpr std::array<std::string_view, 3> conn_states = {"connecting", "up", "closing"};
static_assert(SRQPOOL_CONN_CLOSING + 1 == conn_states.size());

constexpr std::array<std::string_view, 1> transports = {"rc"};
static_assert(SRQPOOL_TRANSPORT_RC + 1 == transports.size());

constexpr std::array<std::string_view, 3> modes = {"sink", "echo", "deliver"};
static_assert(SRQPOOL_MODE_DELIVER + 1 == modes.size());

constexpr std::array<std::string_view, 13> events = {
    "low",      "grown",    "starved", "recovered", "budget-hit", "conn-up",  "conn-down",
    "dev-gone", "dev-back", "error",   "shrunk",    "quota-hit",  "degraded",
};
static_assert(SRQPOOL_EVENT_DEGRADED + 1 == events.size());

constexpr std::array<std::string_view, 4> hists = {"refill_latency_ns", "hold_ns", "msg_bytes",
                                                   "batch"};
static_assert(SRQPOOL_HIST_BATCH + 1 == hists.size());

// enum ib_wc_status of the kernel's rdma/ib_verbs.h.
constexpr std::array<std::string_view, 22> wc_statuses = {
    "SUCCESS",          "LOC_LEN_ERR",       "LOC_QP_OP_ERR",     "LOC_EEC_OP_ERR",
    "LOC_PROT_ERR",     "WR_FLUSH_ERR",      "MW_BIND_ERR",       "BAD_RESP_ERR",
    "LOC_ACCESS_ERR",   "REM_INV_REQ_ERR",   "REM_ACCESS_ERR",    "REM_OP_ERR",
    "RETRY_EXC_ERR",    "RNR_RETRY_EXC_ERR", "LOC_RDD_VIOL_ERR",  "REM_INV_RD_REQ_ERR",
    "REM_ABORT_ERR",    "INV_EECN_ERR",      "INV_EEC_STATE_ERR", "FATAL_ERR",
    "RESP_TIMEOUT_ERR", "GENERAL_ERR",
};

std::string name_of(Names names, std::uint32_t number) {
    if (number < names.size())
        return std::string(names[number]);
    return std::to_string(number);
}

std::optional<std::uint32_t> number_of(Names names, std::string_view name) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end())
        return std::nullopt;
    return static_cast<std::uint32_t>(found - names.begin());
}

} // namespace

std::string pool_state_name(std::uint32_t state) { return name_of(pool_states, state); }

std::string poll_name(std::uint32_t poll) { return name_of(polls, poll); }

std::string refill_name(std::uint32_t refill) { return name_of(refills, refill); }

std::string quota_policy_name(std::uint32_t policy) { return name_of(quota_policies, policy); }

std::string queue_state_name(std::uint32_t state) { return name_of(queue_states, state); }

std::string conn_state_name(std::uint32_t state) { return name_of(conn_states, state); }

std::string transport_name(std::uint32_t transport) { return name_of(transports, transport); }

std::string mode_name(std::uint32_t mode) { return name_of(modes, mode); }

std::string event_name(std::uint32_t type) { return name_of(events, type); }

std::string hist_name(std::uint32_t kind) { return name_of(hists, kind); }

std::string wc_status_name(std::uint32_t status) { return name_of(wc_statuses, status); }

std::optional<std::uint32_t> poll_from_name(std::string_view name) {
    return number_of(polls, name);
}

std::optional<std::uint32_t> refill_from_name(std::string_view name) {
    return number_of(refills, name);
}

std::optional<std::uint32_t> quota_policy_from_name(std::string_view name) {
    return number_of(quota_policies, name);
}

std::optional<std::uint32_t> transport_from_name(std::string_view name) {
    return number_of(transports, name);
}

std::optional<std::uint32_t> mode_from_name(std::string_view name) {
    return number_of(modes, name);
}

Names poll_names() { return polls; }

Names refill_names() { return refills; }

Names quota_policy_names() { return quota_policies; }

Names transport_names() { return transports; }

Names mode_names() { return modes; }

} // namespace srqpool
