// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#pragma once

#include <atomic>
#include <cstdint>

namespace srqload {

/// A descriptor that becomes readable once and stays so.
class Flag {
  public:
    Flag();
    ~Flag();
    Flag(const Flag &) = delete;
    Flag &operator=(const Flag &) = delete;

    void raise(); // async-signal-safe
    bool raised() const { return raised_.load(std::memory_order_acquire); }
    int fd() const { return fd_; }

  private:
    int fd_;
    std::atomic<bool> raised_ = false;
};

/// Opens when every thread has arrived; a thread that waits goes on serving its events.
class Gate {
  public:
    explicit Gate(std::uint32_t threads) : missing_(threads) {}

    void arrive();
    const Flag &opened() const { return opened_; }

  private:
    std::atomic<std::uint32_t> missing_;
    Flag opened_;
};

/// What the threads of one run share.
struct Shared {
    Shared(std::uint32_t threads, const Flag &stop_flag)
        : stop(stop_flag), all_connected(threads), all_finished(threads) {}

    const Flag &stop; // SIGINT or SIGTERM
    Gate all_connected;
    Gate all_finished;
    std::atomic<std::uint32_t> connecting = 0;  // in progress, of all threads
    std::atomic<std::uint64_t> progress_ns = 0; // when anything last moved
    std::atomic<std::uint64_t> connected = 0;   // these two for the progress line
    std::atomic<std::uint64_t> messages = 0;

    void moved(std::uint64_t now) { progress_ns.store(now, std::memory_order_relaxed); }
};

} // namespace srqload
