// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include <linux/srqpool.h>

#include "system.h"

namespace srqpool::device {

/// Mappings of parts of the pool's buffers, made when a message is there for the first time. Places
/// are never used again, so a window that no message is in can go when another is needed.
class Windows {
  public:
    /// No message crosses a multiple of it, as no buffer crosses one of SRQPOOL_SIZE_MAX.
    static constexpr std::uint64_t stride = 64ULL << 30;
    static_assert(stride % SRQPOOL_SIZE_MAX == 0);
    static constexpr std::size_t most = 16;

    Windows(System &system, int fd) noexcept : system_(system), fd_(fd) {}
    ~Windows();
    Windows(const Windows &) = delete;
    Windows &operator=(const Windows &) = delete;

    struct Place {
        const std::byte *data = nullptr;
        std::uint32_t window = 0;
        int error = 0; // -ENOMEM while messages are in all windows; what mmap() said
    };

    /// Where in memory the message at `offset` is. The window stays until release().
    Place hold(std::uint64_t offset) noexcept;
    void release(std::uint32_t window) noexcept { windows_[window].messages--; }

  private:
    struct Window {
        std::byte *memory = nullptr;
        std::uint64_t number = 0;
        std::uint32_t messages = 0;
    };

    bool shows(std::uint32_t window, std::uint64_t number) const noexcept;
    int show(std::uint64_t number) noexcept;
    std::uint32_t idle() const noexcept;
    void unmap(Window &window) noexcept;

    System &system_;
    int fd_;
    std::uint32_t last_ = 0;
    std::array<Window, most> windows_;
};

} // namespace srqpool::device
