// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#pragma once

#include "connection.h"
#include "message.h"
#include "options.h"
#include "pacer.h"
#include "plan.h"
#include "shared.h"
#include "tally.h"

#include <deque>
#include <span>
#include <string>
#include <vector>

namespace srqload {

/// The memory one thread cuts its buffers from.
struct Buffers {
    std::byte *base = nullptr;
    std::uint32_t lkey = 0;
};

/// Sends the bursts of one thread's connections and accounts for what comes back.
class Traffic {
  public:
    Traffic(const Options &options, const Plan &plan, const Payload &payload, Buffers buffers,
            std::span<Connection> connections, Tally &tally, Shared &shared);

    /// Posts the first receives of a connection whose QP has left RESET; an error's text if that
    /// fails.
    tl::expected<void, std::string> prepare(Connection &connection);

    /// The connection is up: its messages are owed from now on.
    void open(Connection &connection);

    /// The first burst of every connection is due.
    void start(std::uint64_t now);

    /// Starts bursts that are due, but no endless number; true if there was any.
    bool launch(std::uint64_t now);

    /// Nanoseconds until launch() has something to do that no completion announces.
    std::uint64_t next_launch(std::uint64_t now) const;

    void begin_batch();
    void complete(const ibv_wc &wc);

    /// What is missing of this connection will not come any more.
    void break_off(Connection &connection, const std::string &why);

    /// Nothing moves any more: breaks off whatever is active.
    void give_up(const std::string &why);

    void stop() { stopped_ = true; } // launch nothing more
    void abandon();                  // after stop(): do not wait for what is in flight

    std::uint32_t active() const { return active_; }
    bool in_flight() const { return flying_ != 0; }

  private:
    ibv_sge segment(const Connection &connection, std::uint32_t slot, std::uint32_t size) const;
    std::byte *slot_at(const Connection &connection, std::uint32_t slot) const;
    tl::expected<void, std::string> post_receives(Connection &connection, std::uint32_t count);
    bool post_burst(Connection &connection, std::uint64_t now);
    void describe_send(Connection &connection, std::uint32_t place, std::uint32_t count);
    bool signalled(std::uint64_t sequence, bool last_of_burst) const;
    bool has_room(const Connection &connection) const;
    std::uint32_t next_burst(const Connection &connection) const;

    void send_completed(Connection &connection, std::uint64_t sequence);
    void received(Connection &connection, std::uint32_t slot, std::uint32_t length);
    bool counts(Connection &connection, std::uint32_t slot, std::uint32_t length);
    void one_less(Connection &connection, std::uint64_t count);
    void look_if_over(Connection &connection);
    void settle(Connection &connection);

    const Options &options_;
    const Plan &plan_;
    const Payload &payload_;
    Buffers buffers_;
    std::span<Connection> connections_;
    Tally &tally_;
    Shared &shared_;

    Pacer pacer_;
    std::deque<std::uint32_t> due_; // connections whose next burst may start
    std::uint32_t active_ = 0;
    std::uint64_t flying_ = 0; // messages in all bursts
    std::uint64_t batch_ns_ = 0;
    bool stopped_ = false;

    std::vector<ibv_send_wr> sends_; // scratch, one burst
    std::vector<ibv_recv_wr> receives_;
    std::vector<ibv_sge> segments_;
};

} // namespace srqload
