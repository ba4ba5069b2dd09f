// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#pragma once

#include "completion_queues.h"
#include "options.h"
#include "region.h"
#include "shared.h"
#include "verbs.h"

#include <deque>
#include <list>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

namespace srqref {

using srqload::Owned;

struct Connection;

/// One message's memory. It is in a receive queue or being sent, never both, so it accounts for
/// one completion at a time.
struct Buffer {
    std::byte *data = nullptr;
    std::uint32_t lkey = 0;
    std::uint32_t length = 0;
    bool sending = false;
    Connection *owner = nullptr; // while sending; with private queues always
};

/// A completion queue with buffers that can never overrun it: all of them with a shared receive
/// queue, those of some connections with private ones.
struct Group {
    ibv_cq *cq = nullptr;
    srqload::Region region;
    Owned<ibv_mr> mr;
    std::vector<Buffer> buffers;
    std::uint32_t connections = 0; // ever placed here
};

struct Connection {
    Owned<rdma_cm_id> id;
    Owned<ibv_qp> qp;
    std::uint32_t work = 0;    // work requests of this QP that will complete
    std::uint32_t sending = 0; // those in its send queue
    bool ended = false;
    bool touched = false;           // has something to post at the end of the batch
    std::deque<Buffer *> echoes;    // waiting for room in the send queue
    std::vector<Buffer *> returned; // private: to be posted again
};

/// Receives on one shared receive queue (or private ones), echoes or drops.
class Server {
  public:
    Server(Options options, const srqload::Flag &stop)
        : options_(std::move(options)), stop_(stop) {}

    tl::expected<void, std::string> open();
    tl::expected<void, std::string> serve(); // until stopped

  private:
    using Result = tl::expected<void, std::string>;

    Result listen();
    Result query();
    tl::expected<Group *, std::string> add_group(std::uint32_t connections);
    tl::expected<Group *, std::string> group_for_next();
    Result create_srq();
    Result accept(rdma_cm_id *id);
    Result create_qp(Connection &connection, const Group &group);
    Result move_qp(Connection &connection, ibv_qp_state state);
    void fill_private(Connection &connection, Group &group);

    void handle_events();
    void end(Connection &connection);
    void destroy_if_idle(Connection &connection);

    bool poll();
    void complete(const ibv_wc &wc);
    void received(Connection *connection, Buffer &buffer, const ibv_wc &wc);
    void give_back(Buffer &buffer);
    void touch(Connection &connection);
    void post_batch();
    void post_receives(Connection *connection, std::vector<Buffer *> &returned);
    void post_echoes(Connection &connection);
    void wait();

    const Options options_;
    const srqload::Flag &stop_;
    std::uint32_t max_cqe_ = 0;

    Owned<rdma_event_channel> channel_;
    Owned<rdma_cm_id> listener_;
    Owned<ibv_pd> pd_;
    srqload::CompletionQueues queues_;
    Owned<ibv_srq> srq_;
    std::vector<std::unique_ptr<Group>> groups_;
    std::unordered_map<std::uint32_t, std::unique_ptr<Connection>> connections_; // by QP number

    std::vector<Buffer *> returned_; // to the shared queue
    std::vector<Connection *> touched_;
    std::vector<Connection *> ended_;
};

} // namespace srqref
