// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include "cm_failure.h"

#include "verbs.h"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace srqload {

namespace {

// Reasons of the InfiniBand connection manager that users of rdma_cm meet.
std::string reject_reason(int status) {
    switch (status) {
    case 1:
        return "no queue pair";
    case 2:
        return "no end-to-end context";
    case 3:
        return "no resources";
    case 4:
        return "timeout";
    case 6:
        return "invalid communication id";
    case 8:
        return "invalid service id: nobody listens";
    case 9:
        return "invalid transport";
    case 10:
        return "stale connection";
    case 11:
        return "no such resource domain";
    case 28:
        return "consumer defined";
    default:
        return fmt::format("reason {}", status);
    }
}

std::string with_errno(std::string_view what, int status) {
    return status < 0 ? failure(what, -status) : std::string(what);
}

} // namespace

std::string said_by_peer(const rdma_conn_param &param) {
    const auto *data = static_cast<const char *>(param.private_data);
    std::string_view text(data, data == nullptr ? 0 : param.private_data_len);
    text = text.substr(0, text.find('\0'));
    bool clean = std::all_of(text.begin(), text.end(),
                             [](char c) { return std::isprint(static_cast<unsigned char>(c)); });
    return clean ? std::string(text) : std::string();
}

std::string cm_failure(rdma_cm_event_type type, int status, const std::string &said) {
    switch (type) {
    case RDMA_CM_EVENT_REJECTED:
        return fmt::format("rejected ({}){}{}", reject_reason(status), said.empty() ? "" : ": ",
                           said);
    case RDMA_CM_EVENT_UNREACHABLE:
        return status == -ETIMEDOUT ? "timeout" : with_errno("unreachable", status);
    case RDMA_CM_EVENT_ADDR_ERROR:
        return with_errno("address not resolved", status);
    case RDMA_CM_EVENT_ROUTE_ERROR:
        return with_errno("route not resolved", status);
    default:
        return with_errno(rdma_event_str(type), status);
    }
}

} // namespace srqload
