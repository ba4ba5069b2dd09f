// SPDX-License-Identifier: GPL-2.0
#pragma once

#include <memory>
#include <string>

#include "lib/fake/fake_kernel.h"
#include "peer.h"

namespace srqctl {

constexpr int fake_pid = 4711;

/// RDMA that is not there, and what it makes of the kernel: a pool selftest-4711 comes and goes
/// as it is told, and its limit event comes with the second burst. The scenario can be
///   selftest [no-rdma|no-address|rejected|changed|silent|unarmed|held|interrupted|left]
srqpool::Result<std::unique_ptr<Peer>> fake_peer(srqpool::fake::FakeKernel &kernel,
                                                 const std::string &scenario);

} // namespace srqctl
