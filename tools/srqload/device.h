// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#pragma once

#include "plan.h"
#include "region.h"
#include "verbs.h"

#include <cstdint>
#include <string>
#include <sys/socket.h>
#include <tl/expected.hpp>

namespace srqload {

struct Target {
    sockaddr_storage address{};
};

tl::expected<Target, std::string> resolve(const std::string &host, std::uint16_t port);

/// The RDMA device that leads to a target, and what all threads share of it.
struct Device {
    Owned<rdma_cm_id> probe; // keeps librdmacm's device open
    Owned<ibv_pd> pd;
    DeviceLimits limits;
    Region region; // must outlive its registration
    Owned<ibv_mr> mr;

    ibv_context *verbs() const { return probe->verbs; }
};

tl::expected<Device, std::string> open_device(const Target &target);

/// Maps and registers the one region that all buffers are cut from.
tl::expected<void, std::string> add_region(Device &device, std::size_t bytes);

} // namespace srqload
