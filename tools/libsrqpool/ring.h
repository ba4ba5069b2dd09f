// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#pragma once

#include <cstddef>
#include <cstdint>

#include <linux/srqpool.h>

namespace srqpool::device {

/// The program's side of a ring. What it did is the kernel's to see when it is published.
class Ring {
  public:
    Ring(void *memory, std::uint32_t entries) noexcept;

    /// The pool is gone.
    bool dead() const noexcept;

    /// Whether take() has something to take.
    bool ready() const noexcept;

    /// The next descriptor, where the kernel wrote it.
    const srqpool_desc &peek() const noexcept { return descs_[desc_tail_ & mask_]; }

    void take() noexcept { desc_tail_++; }

    void give_back(const srqpool_return &message) noexcept;

    /// The greater number of those taken and those given back that are not published.
    std::uint32_t pending() const noexcept;

    /// True if the kernel has to be kicked for it.
    bool publish() noexcept;

  private:
    srqpool_ring *head_;
    const srqpool_desc *descs_;
    srqpool_return *returns_;
    std::uint32_t mask_;
    std::uint32_t desc_tail_;
    std::uint32_t return_head_;
};

/// Bytes of a ring's mapping that are used.
constexpr std::uint64_t ring_bytes(std::uint32_t entries) {
    return SRQPOOL_RING_RETURNS(entries) + std::uint64_t{entries} * sizeof(srqpool_return);
}

} // namespace srqpool::device
