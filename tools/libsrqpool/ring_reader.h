// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#pragma once

#include <memory>
#include <vector>

#include "reader.h"
#include "ring.h"
#include "slots.h"
#include "windows.h"

namespace srqpool::device {

/// A reader by rings, one for each shard of the pool. They take turns.
class RingReader final : public srqpool_reader {
  public:
    /// Most that is taken or given back of a ring before the kernel is told.
    static constexpr std::uint32_t most_batch = 32;

    /// Maps the rings of an attached file.
    static int make(File file, const srqpool_reader_options &options,
                    std::unique_ptr<srqpool_reader> &reader);

    ~RingReader() override;
    RingReader(const RingReader &) = delete;
    RingReader &operator=(const RingReader &) = delete;

    int next(srqpool_event &event) noexcept override;
    int give_back(std::uint64_t message) noexcept override;
    int reply(std::uint64_t message, std::size_t len) noexcept override;
    int flush() noexcept override;

  private:
    struct Held {
        std::uint32_t ring;
        std::uint32_t index;
        std::uint32_t len;
        std::uint32_t window;
    };

    RingReader(File file, const srqpool_reader_options &options,
               const srqpool_ring_info &info) noexcept;

    int map_rings(const srqpool_ring_info &info);
    int look() noexcept override;
    int take(srqpool_event &event) noexcept;
    int hold(const srqpool_desc &desc, srqpool_event &event) noexcept;
    void release(std::uint64_t message, std::uint32_t flags, std::uint32_t len) noexcept;
    void took_one() noexcept;
    void publish_batch(std::uint32_t ring) noexcept;
    void publish(std::uint32_t ring) noexcept;
    void next_turn() noexcept;

    std::uint32_t batch_;
    std::size_t ring_bytes_;
    std::vector<void *> mappings_;
    std::vector<Ring> rings_;
    Windows windows_;
    Slots<Held> held_;
    std::uint32_t turn_ = 0;  // the ring that has it
    std::uint32_t taken_ = 0; // in this turn
    bool gone_ = false;
};

} // namespace srqpool::device
