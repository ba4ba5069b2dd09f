// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include "ring.h"

#include <algorithm>
#include <atomic>

namespace srqpool::device {

namespace {

std::uint32_t load(std::uint32_t &word) noexcept {
    return std::atomic_ref(word).load(std::memory_order_acquire);
}

void store(std::uint32_t &word, std::uint32_t value) noexcept {
    std::atomic_ref(word).store(value, std::memory_order_release);
}

template <typename T> T *at(void *memory, std::uint64_t offset) noexcept {
    return reinterpret_cast<T *>(static_cast<std::byte *>(memory) + offset);
}

} // namespace

Ring::Ring(void *memory, std::uint32_t entries) noexcept
    : head_(at<srqpool_ring>(memory, 0)), descs_(at<srqpool_desc>(memory, SRQPOOL_RING_DESCS)),
      returns_(at<srqpool_return>(memory, SRQPOOL_RING_RETURNS(entries))), mask_(entries - 1),
      desc_tail_(head_->desc_tail), return_head_(head_->return_head) {}

bool Ring::dead() const noexcept { return load(head_->flags) & SRQPOOL_RING_DEAD; }

bool Ring::ready() const noexcept { return load(head_->desc_head) != desc_tail_; }

void Ring::give_back(const srqpool_return &message) noexcept {
    returns_[return_head_++ & mask_] = message;
}

// Nobody else writes what this compares with.
std::uint32_t Ring::pending() const noexcept {
    return std::max(desc_tail_ - head_->desc_tail, return_head_ - head_->return_head);
}

bool Ring::publish() noexcept {
    std::uint32_t kicks = 0;
    if (head_->desc_tail != desc_tail_) {
        store(head_->desc_tail, desc_tail_);
        kicks |= SRQPOOL_RING_KICK_TAKE;
    }
    if (head_->return_head != return_head_) {
        store(head_->return_head, return_head_);
        kicks |= SRQPOOL_RING_KICK_RETURN;
    }
    if (!kicks)
        return false;
    // Either the kernel sees what was stored, or the flag that it has set is seen here.
    std::atomic_thread_fence(std::memory_order_seq_cst);
    return load(head_->flags) & kicks;
}

} // namespace srqpool::device
