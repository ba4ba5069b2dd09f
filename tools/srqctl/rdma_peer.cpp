// SPDX-License-Identifier: GPL-2.0
#include "rdma_peer.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <string_view>

#include <fcntl.h>
#include <fmt/format.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <poll.h>

#include "srqload/cm_failure.h"

namespace srqctl {

namespace {

using srqpool::Address;
using srqpool::Error;
using srqpool::ErrorKind;
using srqpool::Status;

constexpr std::uint32_t slots = 64; // messages that can be on their way at once
constexpr std::size_t slot_size = 4096;
constexpr std::uint64_t send_id = ~std::uint64_t{0};
constexpr int resolve_ms = 5000;
constexpr std::chrono::milliseconds look_interval{50}; // at whether it is interrupted
constexpr std::chrono::seconds disconnect_limit{5};
constexpr std::uint8_t retries = 7; // and, of RNR NAKs, for ever

tl::unexpected<Error> words(std::string text) {
    return tl::unexpected(Error{ErrorKind::system, 0, std::move(text)});
}

tl::unexpected<Error> failure(std::string_view what, int code = errno) {
    return tl::unexpected(srqpool::system_error(what, code));
}

sigset_t ending_signals() {
    sigset_t set;
    sigemptyset(&set);
    for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGPIPE})
        sigaddset(&set, number);
    return set;
}

std::optional<Address> address_of(const sockaddr *any) {
    if (any == nullptr)
        return std::nullopt;
    if (any->sa_family == AF_INET) {
        const auto *in = reinterpret_cast<const sockaddr_in *>(any);
        return srqpool::address_from_wire(std::as_bytes(std::span(&in->sin_addr, 1)));
    }
    if (any->sa_family != AF_INET6)
        return std::nullopt;
    const auto *in6 = reinterpret_cast<const sockaddr_in6 *>(any);
    auto address = srqpool::address_from_wire(std::as_bytes(std::span(&in6->sin6_addr, 1)));
    address->scope_id = in6->sin6_scope_id;
    return address;
}

sockaddr_storage socket_address(const Address &address, std::uint16_t port) {
    sockaddr_storage storage{};
    if (address.size == sizeof(in_addr)) {
        auto *in = reinterpret_cast<sockaddr_in *>(&storage);
        in->sin_family = AF_INET;
        in->sin_port = htons(port);
        std::memcpy(&in->sin_addr, address.bytes.data(), sizeof(in->sin_addr));
        return storage;
    }
    auto *in6 = reinterpret_cast<sockaddr_in6 *>(&storage);
    in6->sin6_family = AF_INET6;
    in6->sin6_port = htons(port);
    in6->sin6_scope_id = address.scope_id;
    std::memcpy(&in6->sin6_addr, address.bytes.data(), sizeof(in6->sin6_addr));
    return storage;
}

// IPv4 first, addresses of a link last.
int rank(const Address &address) {
    if (address.size == sizeof(in_addr))
        return 0;
    return address.scope_id == 0 ? 1 : 2;
}

// A loopback address leads to any device.
srqpool::Result<std::vector<Address>> local_addresses() {
    ifaddrs *list = nullptr;
    if (getifaddrs(&list) != 0)
        return failure("cannot list the addresses of this machine");
    const std::unique_ptr<ifaddrs, decltype(&freeifaddrs)> owner(list, freeifaddrs);

    std::vector<Address> addresses;
    for (const ifaddrs *one = list; one != nullptr; one = one->ifa_next)
        if (const auto address = address_of(one->ifa_addr);
            address && (one->ifa_flags & IFF_LOOPBACK) == 0)
            addresses.push_back(*address);
    std::stable_sort(addresses.begin(), addresses.end(),
                     [](const Address &a, const Address &b) { return rank(a) < rank(b); });
    return addresses;
}

bool is_of(const rdma_cm_id *id, const std::string &dev) {
    return id->verbs != nullptr && dev == ibv_get_device_name(id->verbs->device);
}

} // namespace

RdmaPeer::Link::~Link() {
    if (has_qp)
        rdma_destroy_qp(id.get());
}

srqpool::Result<std::unique_ptr<Peer>> RdmaPeer::open() {
    std::unique_ptr<RdmaPeer> peer(new RdmaPeer);
    peer->events_.reset(rdma_create_event_channel());
    if (!peer->events_)
        return failure("no RDMA connection manager (try: modprobe rdma_ucm)");
    const int fd = peer->events_->fd;
    fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
    const sigset_t signals = ending_signals();
    sigprocmask(SIG_BLOCK, &signals, nullptr);
    return peer;
}

bool RdmaPeer::interrupted() const {
    sigset_t pending;
    sigpending(&pending);
    return sigismember(&pending, SIGINT) == 1 || sigismember(&pending, SIGTERM) == 1 ||
           sigismember(&pending, SIGHUP) == 1;
}

srqpool::Result<std::optional<Peer::Endpoint>> RdmaPeer::find(const std::string &dev) {
    const auto addresses = local_addresses();
    if (!addresses)
        return tl::unexpected(addresses.error());
    for (const Address &address : *addresses) {
        rdma_cm_id *made = nullptr;
        if (rdma_create_id(events_.get(), &made, nullptr, RDMA_PS_TCP) != 0)
            return failure("cannot create an RDMA id");
        const Owned<rdma_cm_id> id(made);
        sockaddr_storage at = socket_address(address, 0);
        if (rdma_bind_addr(id.get(), reinterpret_cast<sockaddr *>(&at)) == 0 && is_of(made, dev))
            return Endpoint{address, ntohs(rdma_get_src_port(made))};
    }
    return std::nullopt;
}

Status RdmaPeer::wait_readable(int fd, Deadline end, const char *what, bool whatever) {
    for (;;) {
        pollfd one{.fd = fd, .events = POLLIN, .revents = 0};
        const int ready = poll(&one, 1, static_cast<int>(look_interval.count()));
        if (ready > 0)
            return {};
        if (ready < 0 && errno != EINTR)
            return failure("poll");
        if (!whatever && interrupted())
            return words("interrupted");
        if (Clock::now() >= end)
            return words(fmt::format("timeout: {}", what));
    }
}

Status RdmaPeer::wait_event(rdma_cm_event_type wanted, Deadline end, bool whatever) {
    if (auto ready = wait_readable(events_->fd, end, rdma_event_str(wanted), whatever); !ready)
        return ready;
    rdma_cm_event *event = nullptr;
    if (rdma_get_cm_event(events_.get(), &event) != 0)
        return failure("no event of the RDMA connection manager");
    const rdma_cm_event_type type = event->event;
    const int status = event->status;
    const std::string said =
        type == RDMA_CM_EVENT_REJECTED ? srqload::said_by_peer(event->param.conn) : std::string();
    rdma_ack_cm_event(event);
    if (type == wanted)
        return {};
    return words(srqload::cm_failure(type, status, said));
}

Status RdmaPeer::resolve(Link &link, const Endpoint &to, Deadline end) {
    rdma_cm_id *made = nullptr;
    if (rdma_create_id(events_.get(), &made, nullptr, RDMA_PS_TCP) != 0)
        return failure("cannot create an RDMA id");
    link.id.reset(made);
    sockaddr_storage from = socket_address(to.address, 0);
    sockaddr_storage address = socket_address(to.address, to.port);
    if (rdma_resolve_addr(made, reinterpret_cast<sockaddr *>(&from),
                          reinterpret_cast<sockaddr *>(&address), resolve_ms) != 0)
        return failure("address not resolved");
    if (auto resolved = wait_event(RDMA_CM_EVENT_ADDR_RESOLVED, end); !resolved)
        return resolved;
    if (rdma_resolve_route(made, resolve_ms) != 0)
        return failure("route not resolved");
    return wait_event(RDMA_CM_EVENT_ROUTE_RESOLVED, end);
}

Status RdmaPeer::create_queues(Link &link) {
    link.pd.reset(ibv_alloc_pd(link.id->verbs));
    if (!link.pd)
        return failure("cannot allocate a protection domain");
    link.channel.reset(ibv_create_comp_channel(link.id->verbs));
    if (!link.channel)
        return failure("cannot create a completion channel");
    fcntl(link.channel->fd, F_SETFL, fcntl(link.channel->fd, F_GETFL) | O_NONBLOCK);
    link.cq.reset(ibv_create_cq(link.id->verbs, 2 * slots, nullptr, link.channel.get(), 0));
    if (!link.cq)
        return failure("cannot create a completion queue");
    link.memory.resize(slot_size * slots * 2);
    link.mr.reset(
        ibv_reg_mr(link.pd.get(), link.memory.data(), link.memory.size(), IBV_ACCESS_LOCAL_WRITE));
    if (!link.mr)
        return failure("cannot register memory");
    ibv_qp_init_attr attr{};
    attr.send_cq = attr.recv_cq = link.cq.get();
    attr.cap.max_send_wr = attr.cap.max_recv_wr = slots;
    attr.cap.max_send_sge = attr.cap.max_recv_sge = 1;
    attr.qp_type = IBV_QPT_RC;
    if (rdma_create_qp(link.id.get(), link.pd.get(), &attr) != 0)
        return failure("cannot create a queue pair");
    link.has_qp = true;
    return {};
}

Status RdmaPeer::connect(const Endpoint &to, Seconds limit) {
    const Deadline end = Clock::now() + std::chrono::duration_cast<Clock::duration>(limit);
    link_ = std::make_unique<Link>();
    if (auto resolved = resolve(*link_, to, end); !resolved)
        return resolved;
    if (auto created = create_queues(*link_); !created)
        return created;
    for (std::uint32_t slot = 0; slot < slots; slot++)
        if (auto posted = post_receive(slot); !posted)
            return posted;

    rdma_conn_param param{};
    param.responder_resources = 1;
    param.initiator_depth = 1;
    param.retry_count = retries;
    param.rnr_retry_count = retries;
    if (rdma_connect(link_->id.get(), &param) != 0)
        return failure("cannot connect");
    if (auto established = wait_event(RDMA_CM_EVENT_ESTABLISHED, end); !established)
        return established;
    link_->up = true;
    return {};
}

std::span<std::byte> RdmaPeer::sent(std::uint32_t slot) {
    return std::span(link_->memory).subspan(slot * slot_size, slot_size);
}

std::span<std::byte> RdmaPeer::received(std::uint32_t slot) { return sent(slots + slot); }

Status RdmaPeer::post_receive(std::uint32_t slot) {
    ibv_sge sge{.addr = reinterpret_cast<std::uintptr_t>(received(slot).data()),
                .length = slot_size,
                .lkey = link_->mr->lkey};
    ibv_recv_wr wr{};
    ibv_recv_wr *bad = nullptr;
    wr.wr_id = slot;
    wr.sg_list = &sge;
    wr.num_sge = 1;
    if (const int error = ibv_post_recv(link_->id->qp, &wr, &bad); error != 0)
        return failure("cannot post a receive", error);
    return {};
}

// One chain, so that they arrive as close together as they can.
Status RdmaPeer::post_sends(std::uint32_t count, std::uint32_t size) {
    std::array<ibv_sge, slots> sges{};
    std::array<ibv_send_wr, slots> wrs{};
    for (std::uint32_t slot = 0; slot < count; slot++) {
        const auto bytes = sent(slot).first(size);
        for (std::size_t i = 0; i < bytes.size(); i++)
            bytes[i] = static_cast<std::byte>((messages_ * 31 + i * 7 + (i >> 8)) & 0xff);
        messages_++;
        sges[slot] = {reinterpret_cast<std::uintptr_t>(bytes.data()), size, link_->mr->lkey};
        wrs[slot].wr_id = send_id;
        wrs[slot].sg_list = &sges[slot];
        wrs[slot].num_sge = 1;
        wrs[slot].opcode = IBV_WR_SEND;
        if (slot + 1 < count)
            wrs[slot].next = &wrs[slot + 1];
        else
            wrs[slot].send_flags = IBV_SEND_SIGNALED;
    }
    ibv_send_wr *bad = nullptr;
    if (const int error = ibv_post_send(link_->id->qp, wrs.data(), &bad); error != 0)
        return failure("cannot post a send", error);
    return {};
}

Status RdmaPeer::take(const ibv_wc &wc, std::uint32_t size) {
    if (wc.status == IBV_WC_WR_FLUSH_ERR)
        return words("the connection was closed");
    if (wc.status != IBV_WC_SUCCESS)
        return words(fmt::format("a {} failed: {}", wc.wr_id == send_id ? "send" : "receive",
                                 ibv_wc_status_str(wc.status)));
    if (wc.wr_id == send_id) {
        sends_done_ = true;
        return {};
    }
    const auto slot = static_cast<std::uint32_t>(wc.wr_id);
    const auto was = sent(back_).first(size);
    const auto is = received(slot).first(std::min<std::size_t>(wc.byte_len, slot_size));
    const bool same = std::equal(was.begin(), was.end(), is.begin(), is.end());
    back_++;
    if (!same)
        return words(fmt::format("message {}, of {} bytes, came back changed, with {} bytes", back_,
                                 size, wc.byte_len));
    return post_receive(slot);
}

// Until there is one: asks first, then looks, so that none is overlooked.
Status RdmaPeer::wait_completions(Deadline end) {
    if (auto ready = wait_readable(link_->channel->fd, end, "a message that comes back"); !ready)
        return ready;
    ibv_cq *cq = nullptr;
    void *context = nullptr;
    if (ibv_get_cq_event(link_->channel.get(), &cq, &context) != 0)
        return failure("no event of the completion queue");
    ibv_ack_cq_events(cq, 1);
    return {};
}

Status RdmaPeer::echo(std::uint32_t count, std::uint32_t size, Seconds limit) {
    const Deadline end = Clock::now() + std::chrono::duration_cast<Clock::duration>(limit);
    if (count > slots || size > slot_size)
        return words(fmt::format("{} messages of {} bytes are too much", count, size));
    back_ = 0;
    sends_done_ = false;
    bool armed = false;
    if (auto posted = post_sends(count, size); !posted)
        return posted;
    while (back_ < count || !sends_done_) {
        ibv_wc wc{};
        const int found = ibv_poll_cq(link_->cq.get(), 1, &wc);
        if (found < 0)
            return words("cannot poll the completion queue");
        if (found > 0) {
            if (auto taken = take(wc, size); !taken)
                return taken;
        } else if (!armed) {
            if (const int error = ibv_req_notify_cq(link_->cq.get(), 0); error != 0)
                return failure("cannot arm the completion queue", error);
            armed = true;
        } else {
            if (auto ready = wait_completions(end); !ready)
                return tl::unexpected(
                    Error{ready.error().kind, ready.error().code,
                          fmt::format("{}; {} of {} are back", ready.error().text, back_, count)});
            armed = false;
        }
    }
    return {};
}

void RdmaPeer::disconnect() {
    if (!link_)
        return;
    // A peer that does not answer is left.
    if (link_->up && rdma_disconnect(link_->id.get()) == 0)
        (void)wait_event(RDMA_CM_EVENT_DISCONNECTED, Clock::now() + disconnect_limit, true);
    link_.reset();
}

} // namespace srqctl
