// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include "server.h"

#include <algorithm>
#include <array>
#include <fcntl.h>
#include <netdb.h>
#include <poll.h>

namespace srqref {

namespace {

using srqload::failure;

constexpr std::uint32_t send_depth = 128;
constexpr std::uint32_t connections_per_group = 64;
constexpr std::uint8_t rnr_timer_640us = 12; // code of the InfiniBand table
constexpr int chain = 64;

std::uint64_t id_of(const Buffer *buffer) { return reinterpret_cast<std::uint64_t>(buffer); }

ibv_sge segment(const Buffer &buffer, std::uint32_t length) {
    return {reinterpret_cast<std::uint64_t>(buffer.data), length, buffer.lkey};
}

} // namespace

Server::Result Server::open() {
    auto ready = listen().and_then([this] { return query(); });
    if (!ready || !options_.shared)
        return ready;
    auto group = add_group(1);
    if (!group)
        return tl::unexpected(group.error());
    return create_srq();
}

Server::Result Server::listen() {
    addrinfo hints{};
    hints.ai_socktype = SOCK_STREAM;
    addrinfo *found = nullptr;
    const std::string port = std::to_string(options_.port);
    if (int error = getaddrinfo(options_.address.c_str(), port.c_str(), &hints, &found); error != 0)
        return tl::unexpected(fmt::format("{}: {}", options_.address, gai_strerror(error)));
    std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> address(found, freeaddrinfo);

    channel_.reset(rdma_create_event_channel());
    if (!channel_)
        return tl::unexpected(failure("create event channel"));
    fcntl(channel_->fd, F_SETFL, fcntl(channel_->fd, F_GETFL) | O_NONBLOCK);
    rdma_cm_id *id = nullptr;
    if (rdma_create_id(channel_.get(), &id, nullptr, RDMA_PS_TCP) != 0)
        return tl::unexpected(failure("create id"));
    listener_.reset(id);
    if (rdma_bind_addr(id, address->ai_addr) != 0)
        return tl::unexpected(failure("bind"));
    if (id->verbs == nullptr)
        return tl::unexpected(std::string("no RDMA device has this address"));
    if (rdma_listen(id, 1024) != 0)
        return tl::unexpected(failure("listen"));
    return {};
}

Server::Result Server::query() {
    ibv_device_attr attr{};
    if (int error = ibv_query_device(listener_->verbs, &attr); error != 0)
        return tl::unexpected(failure("query device", error));
    max_cqe_ = static_cast<std::uint32_t>(attr.max_cqe);
    if (options_.depth > max_cqe_)
        return tl::unexpected(fmt::format("a depth of {} needs as large a completion queue, the "
                                          "device allows {}",
                                          options_.depth, max_cqe_));
    pd_.reset(ibv_alloc_pd(listener_->verbs));
    if (!pd_)
        return tl::unexpected(failure("allocate protection domain"));
    auto queues = srqload::CompletionQueues::create(listener_->verbs);
    if (!queues)
        return tl::unexpected(queues.error());
    queues_ = std::move(*queues);
    return {};
}

tl::expected<Group *, std::string> Server::add_group(std::uint32_t connections) {
    auto group = std::make_unique<Group>();
    std::uint32_t count = options_.depth * connections;
    auto region = srqload::Region::map(std::size_t{count} * options_.size);
    if (!region)
        return tl::unexpected(region.error());
    group->region = std::move(*region);
    auto mr = srqload::register_region(pd_.get(), group->region);
    if (!mr)
        return tl::unexpected(mr.error());
    group->mr = std::move(*mr);
    if (auto added = queues_.add(count); !added)
        return tl::unexpected(added.error());
    group->cq = queues_.at(queues_.size() - 1);
    group->buffers.resize(count);
    for (std::size_t i = 0; i < count; i++) {
        group->buffers[i].data = group->region.data() + i * options_.size;
        group->buffers[i].lkey = group->mr->lkey;
    }
    groups_.push_back(std::move(group));
    return groups_.back().get();
}

// Private buffers stay with a place in their group, and places are not used twice: a reference
// server sees a run's connections once.
tl::expected<Group *, std::string> Server::group_for_next() {
    std::uint32_t places = std::min(connections_per_group, max_cqe_ / options_.depth);
    if (options_.shared || (!groups_.empty() && groups_.back()->connections < places))
        return groups_.back().get();
    return add_group(places);
}

Server::Result Server::create_srq() {
    ibv_srq_init_attr attr{};
    attr.attr.max_wr = options_.depth;
    attr.attr.max_sge = 1;
    srq_.reset(ibv_create_srq(pd_.get(), &attr));
    if (!srq_)
        return tl::unexpected(failure(fmt::format("create shared queue of {}", options_.depth)));
    for (Buffer &buffer : groups_.front()->buffers)
        returned_.push_back(&buffer);
    post_receives(nullptr, returned_);
    return {};
}

Server::Result Server::create_qp(Connection &connection, const Group &group) {
    ibv_qp_init_attr attr{};
    attr.send_cq = attr.recv_cq = group.cq;
    attr.srq = srq_.get();
    attr.cap.max_send_wr = std::min(send_depth, options_.depth);
    attr.cap.max_recv_wr = options_.shared ? 0 : options_.depth;
    attr.cap.max_send_sge = attr.cap.max_recv_sge = 1;
    attr.qp_type = IBV_QPT_RC;
    attr.sq_sig_all = 1;
    connection.qp.reset(ibv_create_qp(pd_.get(), &attr));
    if (!connection.qp)
        return tl::unexpected(failure("create QP"));
    return {};
}

Server::Result Server::move_qp(Connection &connection, ibv_qp_state state) {
    ibv_qp_attr attr{};
    attr.qp_state = state;
    int mask = 0;
    if (rdma_init_qp_attr(connection.id.get(), &attr, &mask) != 0)
        return tl::unexpected(failure("QP attributes"));
    attr.min_rnr_timer = rnr_timer_640us; // the connection manager's would be 655 ms
    if (int error = ibv_modify_qp(connection.qp.get(), &attr, mask); error != 0)
        return tl::unexpected(failure("modify QP", error));
    return {};
}

void Server::fill_private(Connection &connection, Group &group) {
    if (options_.shared)
        return;
    std::size_t first = std::size_t{group.connections++} * options_.depth;
    for (std::size_t i = first; i < first + options_.depth; i++) {
        group.buffers[i].owner = &connection;
        connection.returned.push_back(&group.buffers[i]);
    }
    post_receives(&connection, connection.returned);
}

Server::Result Server::accept(rdma_cm_id *id) {
    auto connection = std::make_unique<Connection>();
    connection->id.reset(id);
    id->context = connection.get();
    auto group = group_for_next();
    if (!group)
        return tl::unexpected(group.error());
    auto moved = create_qp(*connection, **group).and_then([&] {
        return move_qp(*connection, IBV_QPS_INIT);
    });
    if (!moved)
        return moved;
    fill_private(*connection, **group);
    moved = move_qp(*connection, IBV_QPS_RTR).and_then([&] {
        return move_qp(*connection, IBV_QPS_RTS);
    });
    rdma_conn_param param{};
    param.responder_resources = param.initiator_depth = 1;
    param.rnr_retry_count = 7;
    param.srq = options_.shared ? 1 : 0;
    param.qp_num = connection->qp->qp_num;
    if (moved && rdma_accept(id, &param) != 0)
        moved = tl::unexpected(failure("accept"));
    // Even if that failed: posted buffers hold a pointer to it until they complete.
    Connection &kept = *(connections_[param.qp_num] = std::move(connection));
    if (!moved)
        end(kept);
    return moved;
}

void Server::handle_events() {
    rdma_cm_event *event = nullptr;
    while (rdma_get_cm_event(channel_.get(), &event) == 0) {
        rdma_cm_id *id = event->id;
        rdma_cm_event_type type = event->event;
        rdma_ack_cm_event(event);
        auto *connection = static_cast<Connection *>(id->context);
        if (type == RDMA_CM_EVENT_CONNECT_REQUEST) {
            if (auto accepted = accept(id); !accepted)
                fmt::print(stderr, "srqref: {}\n", accepted.error());
        } else if (connection != nullptr && type != RDMA_CM_EVENT_ESTABLISHED &&
                   type != RDMA_CM_EVENT_TIMEWAIT_EXIT) {
            end(*connection); // disconnected, unreachable, device removed
        }
    }
}

void Server::end(Connection &connection) {
    if (std::exchange(connection.ended, true))
        return;
    ibv_qp_attr attr{};
    attr.qp_state = IBV_QPS_ERR; // flushes what it still has
    ibv_modify_qp(connection.qp.get(), &attr, IBV_QP_STATE);
    rdma_disconnect(connection.id.get());
    for (Buffer *buffer : std::exchange(connection.echoes, {}))
        give_back(*buffer);
    ended_.push_back(&connection);
}

void Server::destroy_if_idle(Connection &connection) {
    if (connection.ended && connection.work == 0)
        connections_.erase(connection.qp->qp_num);
}

bool Server::poll() {
    bool any = queues_.poll([] {}, [this](const ibv_wc &wc) { complete(wc); });
    post_batch();
    return any;
}

void Server::complete(const ibv_wc &wc) {
    Buffer &buffer = *reinterpret_cast<Buffer *>(wc.wr_id);
    auto found = connections_.find(wc.qp_num);
    Connection *connection = found == connections_.end() ? nullptr : found->second.get();
    if (connection != nullptr && wc.status != IBV_WC_SUCCESS)
        end(*connection);
    if (!buffer.sending)
        return received(connection, buffer, wc);
    buffer.sending = false;
    buffer.owner->sending--;
    buffer.owner->work--;
    touch(*buffer.owner);
    give_back(buffer);
}

void Server::received(Connection *connection, Buffer &buffer, const ibv_wc &wc) {
    if (!options_.shared)
        buffer.owner->work--;
    if (connection == nullptr || connection->ended || !options_.echo || wc.status != IBV_WC_SUCCESS)
        return give_back(buffer);
    buffer.owner = connection;
    buffer.length = wc.byte_len;
    connection->echoes.push_back(&buffer);
    touch(*connection);
}

void Server::give_back(Buffer &buffer) {
    if (options_.shared)
        return returned_.push_back(&buffer);
    touch(*buffer.owner);
    if (!buffer.owner->ended)
        buffer.owner->returned.push_back(&buffer);
}

void Server::touch(Connection &connection) {
    if (!std::exchange(connection.touched, true))
        touched_.push_back(&connection);
}

void Server::post_batch() {
    for (Connection *connection : std::exchange(ended_, {}))
        touch(*connection);
    for (Connection *connection : std::exchange(touched_, {})) {
        connection->touched = false;
        if (!connection->ended) {
            post_receives(connection, connection->returned);
            post_echoes(*connection);
        }
        destroy_if_idle(*connection);
    }
    post_receives(nullptr, returned_);
}

void Server::post_receives(Connection *connection, std::vector<Buffer *> &returned) {
    std::array<ibv_recv_wr, chain> wrs{};
    std::array<ibv_sge, chain> segments{};
    for (std::size_t first = 0; first < returned.size(); first += chain) {
        std::size_t count = std::min<std::size_t>(returned.size() - first, chain);
        for (std::size_t i = 0; i < count; i++) {
            const Buffer *buffer = returned[first + i];
            segments[i] = segment(*buffer, options_.size);
            wrs[i] = {id_of(buffer), i + 1 < count ? &wrs[i + 1] : nullptr, &segments[i], 1};
        }
        ibv_recv_wr *bad = nullptr;
        int error = connection == nullptr ? ibv_post_srq_recv(srq_.get(), wrs.data(), &bad)
                                          : ibv_post_recv(connection->qp.get(), wrs.data(), &bad);
        if (error != 0)
            fmt::print(stderr, "srqref: {}\n", failure("post receive", error));
        else if (connection != nullptr)
            connection->work += static_cast<std::uint32_t>(count);
    }
    returned.clear();
}

void Server::post_echoes(Connection &connection) {
    std::array<ibv_send_wr, send_depth> wrs{};
    std::array<ibv_sge, send_depth> segments{};
    std::size_t room = std::min(send_depth, options_.depth) - connection.sending;
    std::size_t count = std::min(room, connection.echoes.size());
    if (count == 0)
        return;
    for (std::size_t i = 0; i < count; i++) {
        Buffer *buffer = connection.echoes.front();
        connection.echoes.pop_front();
        buffer->sending = true;
        segments[i] = segment(*buffer, buffer->length);
        wrs[i].wr_id = id_of(buffer);
        wrs[i].next = i + 1 < count ? &wrs[i + 1] : nullptr;
        wrs[i].sg_list = &segments[i];
        wrs[i].num_sge = 1;
        wrs[i].opcode = IBV_WR_SEND;
    }
    connection.sending += static_cast<std::uint32_t>(count);
    connection.work += static_cast<std::uint32_t>(count);
    ibv_send_wr *bad = nullptr;
    if (int error = ibv_post_send(connection.qp.get(), wrs.data(), &bad); error != 0)
        fmt::print(stderr, "srqref: {}\n", failure("post send", error));
}

Server::Result Server::serve() {
    constexpr int polls_per_look = 256; // at the events, while busy
    while (!stop_.raised()) {
        bool worked = false;
        for (int i = 0; i < polls_per_look && (poll() || options_.busy); i++)
            worked = true;
        handle_events();
        post_batch();
        if (!worked)
            wait();
    }
    return {};
}

void Server::wait() {
    queues_.arm();
    bool late = queues_.poll_armed([] {}, [this](const ibv_wc &wc) { complete(wc); });
    post_batch();
    if (late)
        return;
    std::array<pollfd, 3> fds{
        {{queues_.fd(), POLLIN, 0}, {channel_->fd, POLLIN, 0}, {stop_.fd(), POLLIN, 0}}};
    if (::poll(fds.data(), fds.size(), -1) > 0 && fds[0].revents != 0)
        queues_.take_events();
}

} // namespace srqref
