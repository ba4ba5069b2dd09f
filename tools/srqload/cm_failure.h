// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#pragma once

#include <rdma/rdma_cma.h>
#include <string>

namespace srqload {

/// What the peer says in the private data of a rejection, if that is text.
std::string said_by_peer(const rdma_conn_param &param);

/// Why a connection did not come about, from the event that says so.
std::string cm_failure(rdma_cm_event_type type, int status, const std::string &said);

} // namespace srqload
