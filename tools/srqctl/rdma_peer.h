// SPDX-License-Identifier: GPL-2.0
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "peer.h"
#include "srqload/verbs.h"

namespace srqctl {

/// By librdmacm and libibverbs. Once it is open, signals that end programs only make it
/// interrupted.
class RdmaPeer final : public Peer {
  public:
    static srqpool::Result<std::unique_ptr<Peer>> open();

    srqpool::Result<std::optional<Endpoint>> find(const std::string &dev) override;
    srqpool::Status connect(const Endpoint &to, Seconds limit) override;
    srqpool::Status echo(std::uint32_t count, std::uint32_t size, Seconds limit) override;
    void disconnect() override;
    bool interrupted() const override;

  private:
    template <typename T> using Owned = srqload::Owned<T>;
    using Clock = std::chrono::steady_clock;
    using Deadline = Clock::time_point;

    // Destroyed from the last to the first.
    struct Link {
        Owned<rdma_cm_id> id;
        Owned<ibv_pd> pd;
        Owned<ibv_comp_channel> channel;
        Owned<ibv_cq> cq;
        std::vector<std::byte> memory; // what is sent, then what is received
        Owned<ibv_mr> mr;
        bool has_qp = false;
        bool up = false;

        Link() = default;
        Link(const Link &) = delete;
        Link &operator=(const Link &) = delete;
        ~Link();
    };

    RdmaPeer() = default;

    srqpool::Status resolve(Link &link, const Endpoint &to, Deadline end);
    srqpool::Status create_queues(Link &link);
    srqpool::Status wait_event(rdma_cm_event_type wanted, Deadline end, bool whatever = false);
    srqpool::Status wait_readable(int fd, Deadline end, const char *what, bool whatever = false);
    srqpool::Status post_receive(std::uint32_t slot);
    srqpool::Status post_sends(std::uint32_t count, std::uint32_t size);
    srqpool::Status wait_completions(Deadline end);
    srqpool::Status take(const ibv_wc &wc, std::uint32_t size);
    std::span<std::byte> sent(std::uint32_t slot);
    std::span<std::byte> received(std::uint32_t slot);

    Owned<rdma_event_channel> events_;
    std::unique_ptr<Link> link_;
    std::uint32_t back_ = 0;     // messages of this echo that came back
    bool sends_done_ = false;    // of this echo
    std::uint64_t messages_ = 0; // sent so far
};

} // namespace srqctl
