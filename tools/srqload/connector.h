// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#pragma once

#include "completion_queues.h"
#include "connection.h"
#include "device.h"
#include "options.h"
#include "plan.h"
#include "shared.h"
#include "tally.h"
#include "traffic.h"

#include <span>
#include <string>
#include <vector>

namespace srqload {

/// Opens and closes one thread's connections, all on one event channel. QPs are srqload's own
/// and moved by hand, because librdmacm would take the retry count from the server's answer.
class Connector {
  public:
    Connector(const Options &options, const Plan &plan, const Target &target, const Device &device,
              const CompletionQueues &queues, std::span<Connection> connections, Traffic &traffic,
              Tally &tally, Shared &shared);

    tl::expected<void, std::string> open();
    int fd() const { return channel_->fd; }

    /// Starts connects up to the bound; true if the bound of all threads together stopped it.
    bool start_connects();

    /// Handles what has happened; true if anything had.
    bool handle_events();

    /// Fails the connects that take too long.
    void expire_connects(std::uint64_t now);

    /// Fails the connects in progress and all not yet started.
    void fail_connects(const std::string &why);

    /// Forgets the connects in progress and all not yet started.
    void abandon_connects();

    bool connects_over() const { return in_progress_ == 0 && next_ == connections_.size(); }

    /// Connections that the other side ended since the last call.
    struct Ended {
        Connection *connection;
        std::string why;
    };
    std::vector<Ended> take_ended() { return std::exchange(ended_, {}); }

    /// Starts to disconnect, up to a bound, and destroys what has been.
    void start_closes();

    /// Destroys everything left without waiting for the peer.
    void finish_closes();

    bool closes_over() const { return closed_ == connections_.size(); }

  private:
    struct Event {
        Connection *connection;
        rdma_cm_event_type type;
        int status;
        std::string said; // the peer's private data in a rejection, if it is text
    };

    static Event take(rdma_cm_event *event);
    void handle(const Event &event);
    void start(Connection &connection);
    void route_resolved(Connection &connection);
    void responded(Connection &connection);
    void ended(Connection &connection, const std::string &why);
    void up(Connection &connection);
    void failed(Connection &connection, const std::string &why);
    void leave_connecting(Connection &connection);
    void close(Connection &connection);
    tl::expected<void, std::string> create_qp(Connection &connection);
    tl::expected<void, std::string> move_qp(Connection &connection, ibv_qp_state state);

    const Options &options_;
    const Plan &plan_;
    Target target_;
    const Device &device_;
    const CompletionQueues &queues_;
    std::span<Connection> connections_;
    Traffic &traffic_;
    Tally &tally_;
    Shared &shared_;

    Owned<rdma_event_channel> channel_;
    std::size_t next_ = 0; // first connection not tried
    std::uint32_t in_progress_ = 0;
    std::vector<Ended> ended_;
    std::size_t next_close_ = 0;
    std::size_t closing_ = 0;
    std::size_t closed_ = 0;
};

} // namespace srqload
