// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include "worker.h"

#include "clock.h"

#include <algorithm>
#include <array>
#include <poll.h>

namespace srqload {

namespace {

constexpr std::uint64_t stall_ns = 30 * ns_per_s;       // nothing moves: give up
constexpr std::uint64_t close_stall_ns = 5 * ns_per_s;  // the same while disconnecting
constexpr std::uint64_t stop_grace_ns = 1 * ns_per_s;   // for what is in flight at SIGINT
constexpr std::uint64_t tick_ns = 100 * ns_per_ms;      // how often deadlines are looked at
constexpr std::uint64_t bound_retry_ns = 2 * ns_per_ms; // when other threads use up --connecting
constexpr std::uint64_t hybrid_spin_ns = 50 * ns_per_us;
constexpr std::uint64_t spinning_events_ns = 1 * ns_per_ms; // a look at CM events while spinning
constexpr const char *stalled_text = "given up: nothing moved for 30 s";

std::uint32_t first_of(const Worker::Setup &setup, std::uint32_t number) {
    return static_cast<std::uint32_t>(std::uint64_t{setup.options.connections} * number /
                                      setup.plan.threads);
}

Buffers buffers_of(const Worker::Setup &setup, std::uint32_t number, std::uint32_t first) {
    std::size_t owner = setup.options.verify ? first : number;
    return {setup.device.region.data() + owner * setup.plan.bytes_each, setup.device.mr->lkey};
}

tl::expected<CompletionQueues, std::string>
create_queues(const Worker::Setup &setup, std::uint32_t number, std::uint32_t connections) {
    ibv_context *verbs = setup.device.verbs();
    int vector = static_cast<int>(number) % std::max(verbs->num_comp_vectors, 1);
    auto queues = CompletionQueues::create(verbs);
    while (queues && connections != 0) {
        std::uint32_t served = std::min(setup.plan.connections_per_cq, connections);
        if (auto added = queues->add(served * setup.plan.cqe_per_connection, vector); !added)
            return tl::unexpected(added.error());
        connections -= served;
    }
    return queues;
}

} // namespace

tl::expected<std::unique_ptr<Worker>, std::string> Worker::create(const Setup &setup,
                                                                  std::uint32_t number) {
    std::uint32_t first = first_of(setup, number);
    std::uint32_t count = first_of(setup, number + 1) - first;
    auto queues = create_queues(setup, number, count);
    if (!queues)
        return tl::unexpected(queues.error());
    std::unique_ptr<Worker> worker(new Worker(setup, number, first, count, std::move(*queues)));
    if (auto opened = worker->connector_.open(); !opened)
        return tl::unexpected(opened.error());
    return worker;
}

Worker::Worker(const Setup &setup, std::uint32_t number, std::uint32_t first, std::uint32_t count,
               CompletionQueues queues)
    : options_(setup.options), shared_(setup.shared), connections_(count),
      queues_(std::move(queues)),
      traffic_(setup.options, setup.plan, setup.payload, buffers_of(setup, number, first),
               connections_, tally_, setup.shared),
      connector_(setup.options, setup.plan, setup.target, setup.device, queues_, connections_,
                 traffic_, tally_, setup.shared) {
    for (std::uint32_t i = 0; i < count; i++) {
        connections_[i].index = first + i;
        connections_[i].local = i;
    }
}

void Worker::run() {
    connect();
    exchange();
    hold();
    close();
}

bool Worker::stalled(std::uint64_t since) const {
    std::uint64_t moved = shared_.progress_ns.load(std::memory_order_relaxed);
    std::uint64_t now = now_ns();
    return now > std::max(since, moved) + stall_ns;
}

void Worker::connect() {
    tally_.connect_begin_ns = now_ns();
    std::uint64_t looked = tally_.connect_begin_ns;
    bool arrived = false;
    while (!stopping() && !shared_.all_connected.opened().raised()) {
        bool bound = connector_.start_connects();
        serve(bound ? bound_retry_ns : tick_ns, &shared_.all_connected.opened());
        if (now_ns() > looked + tick_ns) {
            looked = now_ns();
            connector_.expire_connects(looked);
        }
        if (!connector_.connects_over() && stalled(tally_.connect_begin_ns))
            connector_.fail_connects("timeout");
        if (connector_.connects_over() && !std::exchange(arrived, true))
            shared_.all_connected.arrive();
    }
    connector_.abandon_connects();
}

void Worker::exchange() {
    std::uint64_t begin = now_ns();
    if (traffic_.active() != 0 && !stopping())
        tally_.traffic_begin_ns = begin;
    traffic_.start(begin);
    bool arrived = false;
    while (!stopping() && !shared_.all_finished.opened().raised()) {
        bool launched = traffic_.launch(now_ns());
        std::uint64_t next = std::min(traffic_.next_launch(now_ns()), tick_ns);
        serve(launched ? 0 : next, &shared_.all_finished.opened());
        if (traffic_.in_flight() && stalled(begin))
            traffic_.give_up(stalled_text);
        if (traffic_.active() == 0 && !std::exchange(arrived, true))
            shared_.all_finished.arrive();
    }
    finish_in_flight();
}

void Worker::finish_in_flight() {
    traffic_.stop();
    std::uint64_t deadline = now_ns() + stop_grace_ns;
    while (traffic_.in_flight() && now_ns() < deadline)
        serve(tick_ns, nullptr);
    traffic_.abandon();
}

void Worker::hold() {
    std::uint64_t deadline = now_ns() + options_.hold_seconds * ns_per_s;
    for (std::uint64_t now = now_ns(); !stopping() && now < deadline; now = now_ns())
        serve(std::min(deadline - now, tick_ns), nullptr);
}

void Worker::close() {
    std::uint64_t begin = now_ns();
    while (!connector_.closes_over()) {
        connector_.start_closes();
        if (connector_.closes_over())
            break;
        serve(tick_ns, nullptr);
        std::uint64_t moved = shared_.progress_ns.load(std::memory_order_relaxed);
        if (now_ns() > std::max(begin, moved) + close_stall_ns)
            connector_.finish_closes();
    }
}

/// One round: completions, events, and if there was neither, waits for one.
void Worker::serve(std::uint64_t timeout_ns, const Flag *gate) {
    std::uint64_t now = now_ns();
    bool worked = poll();
    if (now - last_events_ns_ >= spinning_events_ns) {
        last_events_ns_ = now;
        worked |= connector_.handle_events();
    }
    handle_ended();
    if (worked)
        last_work_ns_ = now;
    else if (may_spin(now))
        queues_.disarm(); // instead of waiting for the events
    else if (timeout_ns != 0)
        wait(timeout_ns, gate);
}

bool Worker::poll() {
    return queues_.poll([this] { traffic_.begin_batch(); },
                        [this](const ibv_wc &wc) { traffic_.complete(wc); });
}

// What arrived before the connection ended has arrived.
void Worker::handle_ended() {
    auto all = connector_.take_ended();
    if (all.empty())
        return;
    queues_.disarm();
    while (poll()) {
    }
    for (const auto &ended : all)
        traffic_.break_off(*ended.connection, ended.why);
}

bool Worker::may_spin(std::uint64_t now) const {
    if (!traffic_.in_flight())
        return false;
    return options_.poll == PollMode::busy ||
           (options_.poll == PollMode::hybrid && now - last_work_ns_ < hybrid_spin_ns);
}

void Worker::wait(std::uint64_t timeout_ns, const Flag *gate) {
    queues_.arm();
    bool late = queues_.poll_armed([this] { traffic_.begin_batch(); },
                                   [this](const ibv_wc &wc) { traffic_.complete(wc); });
    if (late)
        return;
    std::array<pollfd, 4> fds{};
    nfds_t count = 0;
    auto watch = [&](int fd) { fds[count++] = {fd, POLLIN, 0}; };
    watch(queues_.fd());
    watch(connector_.fd());
    if (!stopping())
        watch(shared_.stop.fd());
    if (gate != nullptr && !gate->raised())
        watch(gate->fd());
    timespec timeout{static_cast<time_t>(timeout_ns / ns_per_s),
                     static_cast<long>(timeout_ns % ns_per_s)};
    if (ppoll(fds.data(), count, &timeout, nullptr) <= 0)
        return;
    if (fds[0].revents != 0)
        queues_.take_events();
    if (fds[1].revents != 0)
        last_events_ns_ = 0;
}

} // namespace srqload
