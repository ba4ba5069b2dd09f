// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include "tally.h"

#include <algorithm>
#include <fmt/format.h>

namespace srqload {

void Tally::merge(const Tally &other) {
    connected += other.connected;
    connects_failed += other.connects_failed;
    sends_failed += other.sends_failed;
    sent += other.sent;
    acknowledged += other.acknowledged;
    received += other.received;
    lost += other.lost;
    repeated += other.repeated;
    reordered += other.reordered;
    corrupt += other.corrupt;
    bytes += other.bytes;
    latency_ns.merge(other.latency_ns);
    for (auto [status, count] : other.wc_errors)
        wc_errors[status] += count;
    for (const auto &[text, count] : other.troubles)
        troubles[text] += count;
    connect_begin_ns = std::min(connect_begin_ns, other.connect_begin_ns);
    connect_end_ns = std::max(connect_end_ns, other.connect_end_ns);
    traffic_begin_ns = std::min(traffic_begin_ns, other.traffic_begin_ns);
    traffic_end_ns = std::max(traffic_end_ns, other.traffic_end_ns);
}

bool Tally::clean() const {
    return connects_failed + sends_failed + lost + repeated + reordered + corrupt == 0;
}

std::string wc_status_name(ibv_wc_status status) {
#define NAME(name)                                                                                 \
    case IBV_WC_##name:                                                                            \
        return #name
    switch (status) {
        NAME(SUCCESS);
        NAME(LOC_LEN_ERR);
        NAME(LOC_QP_OP_ERR);
        NAME(LOC_EEC_OP_ERR);
        NAME(LOC_PROT_ERR);
        NAME(WR_FLUSH_ERR);
        NAME(MW_BIND_ERR);
        NAME(BAD_RESP_ERR);
        NAME(LOC_ACCESS_ERR);
        NAME(REM_INV_REQ_ERR);
        NAME(REM_ACCESS_ERR);
        NAME(REM_OP_ERR);
        NAME(RETRY_EXC_ERR);
        NAME(RNR_RETRY_EXC_ERR);
        NAME(LOC_RDD_VIOL_ERR);
        NAME(REM_INV_RD_REQ_ERR);
        NAME(REM_ABORT_ERR);
        NAME(INV_EECN_ERR);
        NAME(INV_EEC_STATE_ERR);
        NAME(FATAL_ERR);
        NAME(RESP_TIMEOUT_ERR);
        NAME(GENERAL_ERR);
        NAME(TM_ERR);
        NAME(TM_RNDV_INCOMPLETE);
    }
#undef NAME
    return fmt::format("{}", static_cast<unsigned>(status));
}

} // namespace srqload
