// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#pragma once

#include "verbs.h"

#include <array>
#include <cstdint>
#include <string>
#include <tl/expected.hpp>
#include <vector>

namespace srqload {

/// The completion queues of one thread, on one channel. There are as many as it takes for none
/// to overrun, and only those that may hold something are polled.
class CompletionQueues {
  public:
    static tl::expected<CompletionQueues, std::string> create(ibv_context *verbs);

    /// One more of them, with at() its number.
    tl::expected<void, std::string> add(std::uint32_t cqe, int vector = 0);

    std::size_t size() const { return queues_.size(); }
    int fd() const { return channel_->fd; }
    ibv_cq *at(std::size_t index) const { return queues_[index].cq.get(); }

    /// Hands a batch of each queue to `handle(wc)`, after `begin()` once a batch; true if there
    /// was anything.
    template <typename Begin, typename Handle> bool poll(Begin &&begin, Handle &&handle) {
        bool any = false;
        for (Queue &queue : queues_) {
            if (!queue.armed)
                any |= poll_batch(queue, begin, handle);
        }
        return any;
    }

    /// Asks for an event of every queue. A queue that was filled meanwhile must be polled first:
    /// poll once more before waiting.
    void arm();

    /// After arm() and an empty poll_armed() it is safe to wait on fd().
    template <typename Begin, typename Handle> bool poll_armed(Begin &&begin, Handle &&handle) {
        bool any = false;
        for (Queue &queue : queues_) {
            if (poll_batch(queue, begin, handle)) {
                queue.armed = false; // there may be more than one batch
                any = true;
            }
        }
        return any;
    }

    /// Everything is polled again, as if there had been an event of every queue.
    void disarm();

    /// Takes the events that made fd() readable: their queues are polled again.
    void take_events();

  private:
    static constexpr int batch = 64;

    struct Queue {
        Owned<ibv_cq> cq;
        bool armed = false;
    };

    template <typename Begin, typename Handle>
    static bool poll_batch(Queue &queue, Begin &begin, Handle &handle) {
        std::array<ibv_wc, batch> wcs;
        int count = ibv_poll_cq(queue.cq.get(), batch, wcs.data());
        if (count <= 0)
            return false;
        begin();
        for (int i = 0; i < count; i++)
            handle(wcs[static_cast<std::size_t>(i)]);
        return true;
    }

    Owned<ibv_comp_channel> channel_;
    std::vector<Queue> queues_;
};

} // namespace srqload
