// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#pragma once

#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <infiniband/verbs.h>
#include <memory>
#include <rdma/rdma_cma.h>
#include <string>
#include <string_view>

namespace srqload {

struct VerbsDeleter {
    void operator()(rdma_event_channel *channel) const { rdma_destroy_event_channel(channel); }
    void operator()(rdma_cm_id *id) const { rdma_destroy_id(id); }
    void operator()(ibv_pd *pd) const { ibv_dealloc_pd(pd); }
    void operator()(ibv_mr *mr) const { ibv_dereg_mr(mr); }
    void operator()(ibv_comp_channel *channel) const { ibv_destroy_comp_channel(channel); }
    void operator()(ibv_cq *cq) const { ibv_destroy_cq(cq); }
    void operator()(ibv_srq *srq) const { ibv_destroy_srq(srq); }
    void operator()(ibv_qp *qp) const { ibv_destroy_qp(qp); }
};

/// Owns a verbs or rdma_cm object.
template <typename T> using Owned = std::unique_ptr<T, VerbsDeleter>;

/// What could not be done and why, with the code that verbs calls return or leave in errno.
inline std::string failure(std::string_view what, int error = errno) {
    return fmt::format("{}: {}", what, std::strerror(error));
}

} // namespace srqload
