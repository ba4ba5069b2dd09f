// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include <linux/srqpool.h>

#include "system.h"

namespace srqpool::device {

/// The open device, closed at the end.
class File {
  public:
    File(System &system, int fd) noexcept : system_(&system), fd_(fd) {}
    ~File();
    File(File &&other) noexcept : system_(other.system_), fd_(std::exchange(other.fd_, -1)) {}
    File &operator=(File &&) = delete;

    int fd() const noexcept { return fd_; }
    System &system() const noexcept { return *system_; }

    int attach(srqpool_attach &request) noexcept;
    int rings(srqpool_ring_info &info) noexcept;
    int send(std::uint64_t conn, const void *data, std::size_t len,
             const std::uint32_t *imm) noexcept;
    int hang_up(std::uint64_t conn) noexcept;
    int stats(srqpool_reader_stats &stats) noexcept;
    /// 0, -ETIMEDOUT, -EINTR or -ENODEV; null: no limit.
    int poll(const timespec *timeout, const sigset_t *mask) noexcept;

  private:
    System *system_;
    int fd_;
};

} // namespace srqpool::device
