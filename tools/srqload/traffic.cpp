// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include "traffic.h"

#include "clock.h"

#include <algorithm>
#include <utility>

namespace srqload {

namespace {

constexpr int launches_at_once = 64; // then completions and events have their turn

// A work request's id: what it was, the connection's number in its thread, and the message's
// number (send) or buffer (receive).
constexpr unsigned connection_shift = 42;
constexpr std::uint64_t send_flag = std::uint64_t{1} << 63;
constexpr std::uint64_t detail_mask = (std::uint64_t{1} << connection_shift) - 1;

std::uint64_t receive_id(const Connection &connection, std::uint32_t slot) {
    return std::uint64_t{connection.local} << connection_shift | slot;
}

std::uint64_t send_id(const Connection &connection, std::uint64_t sequence) {
    return send_flag | std::uint64_t{connection.local} << connection_shift | sequence;
}

double share_of_rate(const Options &options, std::size_t connections) {
    return static_cast<double>(options.rate) * static_cast<double>(connections) /
           static_cast<double>(options.connections);
}

} // namespace

Traffic::Traffic(const Options &options, const Plan &plan, const Payload &payload, Buffers buffers,
                 std::span<Connection> connections, Tally &tally, Shared &shared)
    : options_(options), plan_(plan), payload_(payload), buffers_(buffers),
      connections_(connections), tally_(tally), shared_(shared),
      pacer_(share_of_rate(options, connections.size())), sends_(plan.burst),
      receives_(plan.recv_depth), segments_(std::max(plan.burst, plan.recv_depth)) {
    if (options_.verify)
        return;
    for (std::uint32_t slot = 0; slot < plan_.send_slots; slot++) {
        auto content = payload_.slice(0, slot, options_.sizes.hi);
        std::copy(content.begin(), content.end(), buffers_.base + slot * plan_.slot);
    }
}

std::byte *Traffic::slot_at(const Connection &connection, std::uint32_t slot) const {
    std::size_t owner = options_.verify ? connection.local : 0;
    return buffers_.base + owner * plan_.bytes_each + slot * plan_.slot;
}

ibv_sge Traffic::segment(const Connection &connection, std::uint32_t slot,
                         std::uint32_t size) const {
    return {reinterpret_cast<std::uint64_t>(slot_at(connection, slot)), size, buffers_.lkey};
}

// Receives complete in the order they were posted, so the buffers go round.
tl::expected<void, std::string> Traffic::post_receives(Connection &connection,
                                                       std::uint32_t count) {
    if (count == 0)
        return {};
    for (std::uint32_t i = 0; i < count; i++) {
        auto turn = static_cast<std::uint32_t>((connection.receives_posted + i) % plan_.recv_depth);
        std::uint32_t slot = plan_.send_slots + turn;
        segments_[i] = segment(connection, slot, options_.sizes.hi);
        receives_[i] = {receive_id(connection, slot), i + 1 < count ? &receives_[i + 1] : nullptr,
                        &segments_[i], 1};
    }
    ibv_recv_wr *bad = nullptr;
    if (int error = ibv_post_recv(connection.qp.get(), receives_.data(), &bad); error != 0)
        return tl::unexpected(failure("post receive", error));
    connection.receives_posted += count;
    return {};
}

tl::expected<void, std::string> Traffic::prepare(Connection &connection) {
    connection.sizes = random_stream(options_.seed, connection.index);
    return post_receives(connection, plan_.recv_depth);
}

void Traffic::open(Connection &connection) {
    connection.active = true;
    active_++;
}

void Traffic::start(std::uint64_t now) {
    pacer_.start(now);
    for (Connection &connection : connections_) {
        if (connection.active)
            due_.push_back(connection.local);
    }
}

std::uint32_t Traffic::next_burst(const Connection &connection) const {
    return static_cast<std::uint32_t>(
        std::min<std::uint64_t>(plan_.burst, options_.messages - connection.sent));
}

bool Traffic::has_room(const Connection &connection) const {
    return connection.sent - connection.sends_completed + next_burst(connection) <=
           plan_.send_depth;
}

bool Traffic::launch(std::uint64_t now) {
    int launched = 0;
    while (launched < launches_at_once && !due_.empty() && !stopped_ && pacer_.wait(now) == 0) {
        Connection &connection = connections_[due_.front()];
        due_.pop_front();
        if (!connection.active)
            continue;
        if (!has_room(connection)) {
            connection.needs_room = true;
            continue;
        }
        pacer_.spend(now, next_burst(connection));
        post_burst(connection, now_ns());
        launched++;
    }
    if (launched != 0)
        shared_.moved(now);
    return launched != 0;
}

std::uint64_t Traffic::next_launch(std::uint64_t now) const {
    return due_.empty() || stopped_ ? UINT64_MAX : pacer_.wait(now);
}

// Each K-th is signalled, and the very last. Where the completion of a whole burst is waited for
// (its latency, or its buffers before they are written again) the last of each burst is too.
bool Traffic::signalled(std::uint64_t sequence, bool last_of_burst) const {
    return (sequence + 1) % plan_.signal_every == 0 || sequence + 1 == options_.messages ||
           (last_of_burst && (options_.one_way || options_.verify));
}

void Traffic::describe_send(Connection &connection, std::uint32_t place, std::uint32_t count) {
    std::uint64_t sequence = connection.sent + place;
    std::uint32_t size = pick_size(options_.sizes, connection.sizes);
    if (options_.verify)
        write_message({slot_at(connection, place), size}, connection.index, sequence, payload_);
    if (options_.one_way)
        connection.bytes_unacknowledged += size;
    segments_[place] = segment(connection, place, size);
    ibv_send_wr &send = sends_[place];
    send = {};
    send.wr_id = send_id(connection, sequence);
    send.next = place + 1 < count ? &sends_[place + 1] : nullptr;
    send.sg_list = &segments_[place];
    send.num_sge = 1;
    send.opcode = IBV_WR_SEND;
    if (signalled(sequence, place + 1 == count))
        send.send_flags = IBV_SEND_SIGNALED;
}

bool Traffic::post_burst(Connection &connection, std::uint64_t now) {
    std::uint64_t owed =
        plan_.recv_depth - (connection.receives_posted - connection.receives_taken);
    if (auto posted = post_receives(connection, static_cast<std::uint32_t>(owed)); !posted) {
        break_off(connection, posted.error());
        return false;
    }
    std::uint32_t count = next_burst(connection);
    if (options_.verify)
        connection.window.begin(connection.sent, count);
    for (std::uint32_t i = 0; i < count; i++)
        describe_send(connection, i, count);
    connection.burst_begin_ns = now;
    ibv_send_wr *bad = nullptr;
    int error = ibv_post_send(connection.qp.get(), sends_.data(), &bad);
    std::uint32_t posted = count;
    if (error != 0)
        posted = bad == nullptr ? 0 : static_cast<std::uint32_t>(bad - sends_.data());
    connection.sent += posted;
    tally_.sent += posted;
    connection.in_burst = posted;
    flying_ += posted;
    if (error != 0)
        break_off(connection, failure("post send", error));
    return error == 0;
}

void Traffic::begin_batch() {
    batch_ns_ = now_ns();
    shared_.moved(batch_ns_);
}

void Traffic::complete(const ibv_wc &wc) {
    std::uint64_t number = (wc.wr_id & ~send_flag) >> connection_shift;
    Connection &connection = connections_[static_cast<std::size_t>(number)];
    std::uint64_t detail = wc.wr_id & detail_mask;
    if (wc.status != IBV_WC_SUCCESS) {
        tally_.wc_errors[wc.status]++;
        break_off(connection, wc_status_name(wc.status));
        return;
    }
    if ((wc.wr_id & send_flag) != 0)
        send_completed(connection, detail);
    else
        received(connection, static_cast<std::uint32_t>(detail), wc.byte_len);
}

void Traffic::send_completed(Connection &connection, std::uint64_t sequence) {
    std::uint64_t count = sequence + 1 - connection.sends_completed;
    connection.sends_completed = sequence + 1;
    if (!connection.active)
        return;
    if (options_.one_way) {
        tally_.acknowledged += count;
        one_less(connection, count);
        if (connection.in_burst == 0)
            tally_.bytes += std::exchange(connection.bytes_unacknowledged, 0);
    }
    if (std::exchange(connection.needs_room, false))
        due_.push_back(connection.local);
    else if (options_.one_way || options_.verify)
        look_if_over(connection);
}

// Whether this is one of the messages waited for.
bool Traffic::counts(Connection &connection, std::uint32_t slot, std::uint32_t length) {
    if (!options_.verify) {
        if (connection.in_burst == 0)
            tally_.repeated++;
        return connection.in_burst != 0;
    }
    auto sequence = read_message({slot_at(connection, slot), length}, connection.index);
    Arrival arrival = sequence ? connection.window.arrived(*sequence) : Arrival::unknown;
    switch (arrival) {
    case Arrival::in_order:
        break;
    case Arrival::reordered:
        tally_.reordered++;
        break;
    case Arrival::repeated:
        tally_.repeated++;
        return false;
    case Arrival::unknown:
        tally_.corrupt++; // and nobody can tell which: it stands for one of the burst
        break;
    }
    return connection.in_burst != 0;
}

void Traffic::received(Connection &connection, std::uint32_t slot, std::uint32_t length) {
    connection.receives_taken++;
    if (!connection.active && connection.received != options_.messages)
        return; // given up, and counted as lost
    bool counted = counts(connection, slot, length);
    if (!connection.active)
        return;
    if (!counted) {
        // It took the buffer of a message that is still to come.
        if (auto posted = post_receives(connection, 1); !posted)
            break_off(connection, posted.error());
        return;
    }
    connection.received++;
    tally_.received++;
    tally_.bytes += length;
    one_less(connection, 1);
    look_if_over(connection);
}

void Traffic::one_less(Connection &connection, std::uint64_t count) {
    auto back = static_cast<std::uint32_t>(std::min<std::uint64_t>(count, connection.in_burst));
    connection.in_burst -= back;
    flying_ -= back;
    tally_.latency_ns.record(batch_ns_ - connection.burst_begin_ns, back);
    shared_.messages.fetch_add(back, std::memory_order_relaxed);
}

void Traffic::look_if_over(Connection &connection) {
    if (connection.in_burst != 0 || connection.needs_room || connection.sent == 0)
        return;
    // The next burst writes the same buffers: verbs leaves them to us only with the completion.
    if (options_.verify && connection.sends_completed != connection.sent)
        return;
    if (connection.sent == options_.messages)
        settle(connection);
    else
        due_.push_back(connection.local);
}

void Traffic::settle(Connection &connection) {
    flying_ -= std::exchange(connection.in_burst, 0);
    connection.active = false;
    active_--;
    tally_.traffic_end_ns = now_ns();
}

void Traffic::break_off(Connection &connection, const std::string &why) {
    if (!connection.active)
        return;
    tally_.troubles[why]++;
    if (options_.one_way)
        tally_.sends_failed += options_.messages - connection.sends_completed;
    else
        tally_.lost += options_.messages - connection.received;
    settle(connection);
}

void Traffic::give_up(const std::string &why) {
    for (Connection &connection : connections_)
        break_off(connection, why);
}

void Traffic::abandon() {
    for (Connection &connection : connections_) {
        if (!connection.active)
            continue;
        if (!options_.one_way)
            tally_.lost += connection.in_burst;
        settle(connection);
    }
}

} // namespace srqload
