// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#pragma once

#include "histogram.h"

#include <cstdint>
#include <infiniband/verbs.h>
#include <map>
#include <string>

namespace srqload {

/// What happened: of one thread, and merged of all.
struct Tally {
    std::uint64_t connected = 0;
    std::uint64_t connects_failed = 0;
    std::uint64_t sends_failed = 0; // one-way only: with echo a failed send is a lost message
    std::uint64_t sent = 0;
    std::uint64_t acknowledged = 0; // one-way: sends known to have completed
    std::uint64_t received = 0;     // distinct messages that came back, intact or not
    std::uint64_t lost = 0;
    std::uint64_t repeated = 0;
    std::uint64_t reordered = 0;
    std::uint64_t corrupt = 0;
    std::uint64_t bytes = 0; // that came back; one-way: that were acknowledged
    Histogram latency_ns;
    std::map<ibv_wc_status, std::uint64_t> wc_errors;
    std::map<std::string, std::uint64_t> troubles; // why connections failed or broke: text, count

    std::uint64_t connect_begin_ns = UINT64_MAX;
    std::uint64_t connect_end_ns = 0;
    std::uint64_t traffic_begin_ns = UINT64_MAX;
    std::uint64_t traffic_end_ns = 0;

    void merge(const Tally &other);
    bool clean() const;
};

/// IBV_WC_ name without the prefix.
std::string wc_status_name(ibv_wc_status status);

} // namespace srqload
