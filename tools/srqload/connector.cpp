// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include "connector.h"

#include "clock.h"
#include "cm_failure.h"

#include <algorithm>
#include <fcntl.h>

namespace srqload {

namespace {

constexpr int resolve_timeout_ms = 5000;
// The connection manager gives up by itself after about a minute: this is for when it does not.
constexpr std::uint64_t connect_timeout_ns = 90 * ns_per_s;
constexpr std::size_t closes_at_once = 256;
constexpr std::uint8_t retry_count = 7;

} // namespace

Connector::Connector(const Options &options, const Plan &plan, const Target &target,
                     const Device &device, const CompletionQueues &queues,
                     std::span<Connection> connections, Traffic &traffic, Tally &tally,
                     Shared &shared)
    : options_(options), plan_(plan), target_(target), device_(device), queues_(queues),
      connections_(connections), traffic_(traffic), tally_(tally), shared_(shared) {}

tl::expected<void, std::string> Connector::open() {
    channel_.reset(rdma_create_event_channel());
    if (!channel_)
        return tl::unexpected(failure("create event channel"));
    fcntl(fd(), F_SETFL, fcntl(fd(), F_GETFL) | O_NONBLOCK);
    return {};
}

bool Connector::start_connects() {
    while (next_ < connections_.size()) {
        if (shared_.connecting.fetch_add(1) >= options_.connecting) {
            shared_.connecting.fetch_sub(1);
            return true;
        }
        in_progress_++;
        start(connections_[next_++]);
    }
    return false;
}

void Connector::start(Connection &connection) {
    connection.link = Link::connecting;
    connection.connect_begin_ns = now_ns();
    rdma_cm_id *id = nullptr;
    if (rdma_create_id(channel_.get(), &id, &connection, RDMA_PS_TCP) != 0)
        return failed(connection, failure("create id"));
    connection.id.reset(id);
    auto *address = reinterpret_cast<sockaddr *>(&target_.address);
    if (rdma_resolve_addr(id, nullptr, address, resolve_timeout_ms) != 0)
        failed(connection, failure("address not resolved"));
}

Connector::Event Connector::take(rdma_cm_event *event) {
    Event taken{static_cast<Connection *>(event->id->context), event->event, event->status, {}};
    if (event->event == RDMA_CM_EVENT_REJECTED)
        taken.said = said_by_peer(event->param.conn);
    rdma_ack_cm_event(event); // an id with an event not acknowledged cannot be destroyed
    return taken;
}

bool Connector::handle_events() {
    constexpr int events_at_once = 64; // then completions have their turn
    int count = 0;
    rdma_cm_event *event = nullptr;
    for (; count < events_at_once && rdma_get_cm_event(channel_.get(), &event) == 0; count++)
        handle(take(event));
    return count != 0;
}

void Connector::handle(const Event &event) {
    Connection &connection = *event.connection;
    switch (event.type) {
    case RDMA_CM_EVENT_ADDR_RESOLVED:
        if (rdma_resolve_route(connection.id.get(), resolve_timeout_ms) != 0)
            failed(connection, failure("route not resolved"));
        break;
    case RDMA_CM_EVENT_ROUTE_RESOLVED:
        route_resolved(connection);
        break;
    case RDMA_CM_EVENT_CONNECT_RESPONSE:
        responded(connection);
        break;
    case RDMA_CM_EVENT_DISCONNECTED:
        ended(connection, "disconnected by the peer");
        break;
    case RDMA_CM_EVENT_DEVICE_REMOVAL:
        ended(connection, "device removed");
        break;
    case RDMA_CM_EVENT_ADDR_ERROR:
    case RDMA_CM_EVENT_ROUTE_ERROR:
    case RDMA_CM_EVENT_CONNECT_ERROR:
    case RDMA_CM_EVENT_UNREACHABLE:
    case RDMA_CM_EVENT_REJECTED:
        if (event.type == RDMA_CM_EVENT_REJECTED)
            shared_.moved(now_ns()); // there is somebody
        failed(connection, cm_failure(event.type, event.status, event.said));
        break;
    default: // newer kernels know more of them
        break;
    }
}

void Connector::route_resolved(Connection &connection) {
    if (auto created = create_qp(connection); !created)
        return failed(connection, created.error());
    rdma_conn_param param{};
    param.responder_resources = 1;
    param.initiator_depth = 1;
    param.retry_count = retry_count;
    param.rnr_retry_count = options_.rnr_retry; // for the server's own sends
    param.qp_num = connection.qp->qp_num;
    if (rdma_connect(connection.id.get(), &param) != 0)
        failed(connection, failure("connect"));
}

tl::expected<void, std::string> Connector::create_qp(Connection &connection) {
    ibv_qp_init_attr attr{};
    attr.send_cq = attr.recv_cq = queues_.at(connection.local / plan_.connections_per_cq);
    attr.cap.max_send_wr = plan_.send_depth;
    attr.cap.max_recv_wr = std::max(plan_.recv_depth, 1U);
    attr.cap.max_send_sge = attr.cap.max_recv_sge = 1;
    attr.qp_type = IBV_QPT_RC;
    connection.qp.reset(ibv_create_qp(device_.pd.get(), &attr));
    if (!connection.qp)
        return tl::unexpected(failure("create QP"));
    return {};
}

tl::expected<void, std::string> Connector::move_qp(Connection &connection, ibv_qp_state state) {
    ibv_qp_attr attr{};
    attr.qp_state = state;
    int mask = 0;
    if (rdma_init_qp_attr(connection.id.get(), &attr, &mask) != 0)
        return tl::unexpected(failure("QP attributes"));
    if ((mask & IBV_QP_RNR_RETRY) != 0)
        attr.rnr_retry = options_.rnr_retry;
    if (int error = ibv_modify_qp(connection.qp.get(), &attr, mask); error != 0)
        return tl::unexpected(failure("modify QP", error));
    return {};
}

void Connector::responded(Connection &connection) {
    auto moved = move_qp(connection, IBV_QPS_INIT)
                     .and_then([&] { return traffic_.prepare(connection); })
                     .and_then([&] { return move_qp(connection, IBV_QPS_RTR); })
                     .and_then([&] { return move_qp(connection, IBV_QPS_RTS); });
    if (!moved)
        return failed(connection, moved.error());
    if (rdma_establish(connection.id.get()) != 0)
        return failed(connection, failure("establish"));
    up(connection);
}

void Connector::up(Connection &connection) {
    leave_connecting(connection);
    connection.link = Link::up;
    tally_.connected++;
    tally_.connect_end_ns = now_ns();
    shared_.moved(tally_.connect_end_ns);
    shared_.connected.fetch_add(1, std::memory_order_relaxed);
    traffic_.open(connection);
}

void Connector::leave_connecting(Connection &) {
    in_progress_--;
    shared_.connecting.fetch_sub(1);
}

void Connector::failed(Connection &connection, const std::string &why) {
    if (connection.link != Link::connecting)
        return;
    leave_connecting(connection);
    connection.link = Link::closed;
    connection.qp.reset();
    connection.id.reset();
    tally_.connects_failed++;
    tally_.troubles[why]++;
}

void Connector::ended(Connection &connection, const std::string &why) {
    shared_.moved(now_ns());
    if (connection.link == Link::connecting)
        return failed(connection, why);
    if (connection.link == Link::closing) {
        closing_--;
        return close(connection);
    }
    if (connection.link != Link::up)
        return;
    connection.link = Link::down;
    rdma_disconnect(connection.id.get()); // answers the peer
    ended_.push_back({&connection, why});
}

void Connector::expire_connects(std::uint64_t now) {
    for (Connection &connection : connections_.first(next_)) {
        if (connection.link == Link::connecting &&
            now - connection.connect_begin_ns > connect_timeout_ns)
            failed(connection, "timeout");
    }
}

void Connector::fail_connects(const std::string &why) {
    for (Connection &connection : connections_.first(next_))
        failed(connection, why);
    if (std::size_t untried = connections_.size() - next_; untried != 0) {
        tally_.connects_failed += untried;
        tally_.troubles["not tried"] += untried;
    }
    next_ = connections_.size();
}

void Connector::abandon_connects() {
    for (Connection &connection : connections_.first(next_)) {
        if (connection.link != Link::connecting)
            continue;
        leave_connecting(connection);
        connection.link = Link::down;
    }
    next_ = connections_.size();
}

void Connector::close(Connection &connection) {
    connection.link = Link::closed;
    connection.qp.reset();
    connection.id.reset();
    closed_++;
}

void Connector::start_closes() {
    while (next_close_ < connections_.size() && closing_ < closes_at_once) {
        Connection &connection = connections_[next_close_++];
        if (connection.link == Link::up && rdma_disconnect(connection.id.get()) == 0) {
            connection.link = Link::closing;
            closing_++;
        } else {
            close(connection);
        }
    }
}

void Connector::finish_closes() {
    for (Connection &connection : connections_)
        close(connection);
    closed_ = connections_.size();
}

} // namespace srqload
