// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include "device.h"

#include <algorithm>
#include <netdb.h>

namespace srqload {

namespace {

constexpr int resolve_timeout_ms = 5000;

tl::expected<DeviceLimits, std::string> query_limits(ibv_context *verbs, std::uint8_t port) {
    ibv_device_attr device{};
    if (int error = ibv_query_device(verbs, &device); error != 0)
        return tl::unexpected(failure("query device", error));
    ibv_port_attr attr{};
    if (int error = ibv_query_port(verbs, port, &attr); error != 0)
        return tl::unexpected(failure("query port", error));
    return DeviceLimits{static_cast<std::uint32_t>(std::max(device.max_cqe, 0)),
                        static_cast<std::uint32_t>(std::max(device.max_qp_wr, 0)), attr.max_msg_sz};
}

} // namespace

tl::expected<Target, std::string> resolve(const std::string &host, std::uint16_t port) {
    addrinfo hints{};
    hints.ai_socktype = SOCK_STREAM;
    hints.ai_flags = AI_NUMERICSERV;
    addrinfo *found = nullptr;
    int error = getaddrinfo(host.c_str(), std::to_string(port).c_str(), &hints, &found);
    if (error != 0)
        return tl::unexpected(fmt::format("{}: {}", host, gai_strerror(error)));
    Target target;
    std::memcpy(&target.address, found->ai_addr, found->ai_addrlen);
    freeaddrinfo(found);
    return target;
}

tl::expected<Device, std::string> open_device(const Target &target) {
    Device device;
    rdma_cm_id *id = nullptr;
    if (rdma_create_id(nullptr, &id, nullptr, RDMA_PS_TCP) != 0)
        return tl::unexpected(failure("no RDMA connection manager (try: modprobe rdma_ucm)"));
    device.probe.reset(id);
    Target copy = target; // librdmacm takes it without const
    if (rdma_resolve_addr(id, nullptr, reinterpret_cast<sockaddr *>(&copy.address),
                          resolve_timeout_ms) != 0)
        return tl::unexpected(failure("no RDMA device leads to the address (try: rdma link)"));
    auto limits = query_limits(id->verbs, id->port_num);
    if (!limits)
        return tl::unexpected(limits.error());
    device.limits = *limits;
    device.pd.reset(ibv_alloc_pd(id->verbs));
    if (!device.pd)
        return tl::unexpected(failure("allocate protection domain"));
    return device;
}

tl::expected<void, std::string> add_region(Device &device, std::size_t bytes) {
    auto region = Region::map(bytes);
    if (!region)
        return tl::unexpected(region.error());
    device.region = std::move(*region);
    auto mr = register_region(device.pd.get(), device.region);
    if (!mr)
        return tl::unexpected(mr.error());
    device.mr = std::move(*mr);
    return {};
}

} // namespace srqload
