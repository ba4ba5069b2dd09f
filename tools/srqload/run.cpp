// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include "run.h"

#include "device.h"
#include "format.h"
#include "message.h"
#include "worker.h"

#include <chrono>
#include <cstdio>
#include <future>
#include <memory>
#include <unistd.h>
#include <vector>

namespace srqload {

namespace {

using Workers = std::vector<std::unique_ptr<Worker>>;

tl::expected<Workers, std::string> create_workers(const Worker::Setup &setup) {
    Workers workers;
    for (std::uint32_t i = 0; i < setup.plan.threads; i++) {
        auto worker = Worker::create(setup, i);
        if (!worker)
            return tl::unexpected(worker.error());
        workers.push_back(std::move(*worker));
    }
    return workers;
}

void show_progress(const Options &options, const Shared &shared) {
    fmt::print(stderr, "\r\033[K{} of {} connected, {} messages",
               grouped(shared.connected.load(std::memory_order_relaxed)),
               grouped(options.connections),
               grouped(shared.messages.load(std::memory_order_relaxed)));
}

/// Waits for a thread; shows on a terminal meanwhile how far all of them are.
void wait_for(std::future<void> &thread, const Options &options, const Shared &shared) {
    using namespace std::chrono_literals;
    if (isatty(STDERR_FILENO) != 0) {
        while (thread.wait_for(500ms) != std::future_status::ready)
            show_progress(options, shared);
        fmt::print(stderr, "\r\033[K");
    }
    thread.get();
}

Tally run_all(const Workers &workers, const Options &options, const Shared &shared) {
    std::vector<std::future<void>> threads;
    threads.reserve(workers.size());
    for (const auto &worker : workers)
        threads.push_back(std::async(std::launch::async, [&worker] { worker->run(); }));
    for (auto &thread : threads)
        wait_for(thread, options, shared);
    Tally tally;
    for (const auto &worker : workers)
        tally.merge(worker->tally());
    return tally;
}

Tally all_failed(const Options &options, const std::string &why) {
    Tally tally;
    tally.connects_failed = options.connections;
    tally.troubles[why] = options.connections;
    return tally;
}

} // namespace

tl::expected<Tally, std::string> run(const Options &options, const Flag &stop) {
    auto target = resolve(options.address, options.port);
    if (!target)
        return all_failed(options, target.error());
    auto device = open_device(*target);
    if (!device)
        return all_failed(options, device.error());
    auto plan = make_plan(options, device->limits);
    if (!plan)
        return tl::unexpected(plan.error());
    if (auto registered = add_region(*device, plan->bytes); !registered)
        return tl::unexpected(registered.error());
    Payload payload(options.seed, options.sizes.hi);
    Shared shared(plan->threads, stop);
    auto workers = create_workers({options, *plan, *target, *device, payload, shared});
    if (!workers)
        return tl::unexpected(workers.error());
    return run_all(*workers, options, shared);
}

} // namespace srqload
