// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#pragma once

#include "completion_queues.h"
#include "connector.h"
#include "traffic.h"

#include <memory>
#include <string>

namespace srqload {

/// One thread: its connections, completion queues and event channel, served by one loop through
/// four phases. All threads enter the traffic and leave it together.
class Worker {
  public:
    struct Setup {
        const Options &options;
        const Plan &plan;
        const Target &target;
        const Device &device;
        const Payload &payload;
        Shared &shared;
    };

    /// `number` of plan.threads.
    static tl::expected<std::unique_ptr<Worker>, std::string> create(const Setup &setup,
                                                                     std::uint32_t number);

    void run();
    const Tally &tally() const { return tally_; }

  private:
    Worker(const Setup &setup, std::uint32_t number, std::uint32_t first, std::uint32_t count,
           CompletionQueues queues);

    void connect();
    void exchange();
    void hold();
    void close();

    void finish_in_flight();
    void serve(std::uint64_t timeout_ns, const Flag *gate);
    bool poll();
    void handle_ended();
    bool may_spin(std::uint64_t now) const;
    void wait(std::uint64_t timeout_ns, const Flag *gate);
    bool stopping() const { return shared_.stop.raised(); }
    bool stalled(std::uint64_t since) const;

    const Options &options_;
    Shared &shared_;
    std::vector<Connection> connections_;
    Tally tally_;
    CompletionQueues queues_;
    Traffic traffic_;
    Connector connector_;
    std::uint64_t last_work_ns_ = 0;
    std::uint64_t last_events_ns_ = 0;
};

} // namespace srqload
