// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#pragma once

#include <csignal>
#include <cstddef>
#include <cstdint>
#include <ctime>

#include <poll.h>
#include <sys/types.h>
#include <sys/uio.h>

namespace srqpool::device {

/// The system calls that a reader makes, or a test's. What fails gives a negative errno.
class System {
  public:
    virtual ~System() = default;

    virtual int open() noexcept = 0;
    virtual void close(int fd) noexcept = 0;
    virtual int ioctl(int fd, unsigned long request, void *argument) noexcept = 0;
    virtual int kick(int fd, std::uint32_t ring) noexcept = 0;
    /// Shared. Null, and `error` says why, if it fails.
    virtual void *map(int fd, std::uint64_t offset, std::size_t bytes, int protection,
                      int &error) noexcept = 0;
    virtual void unmap(void *memory, std::size_t bytes) noexcept = 0;
    virtual ssize_t read(int fd, void *data, std::size_t bytes) noexcept = 0;
    virtual ssize_t writev(int fd, const iovec *parts, int count) noexcept = 0;
    virtual int ppoll(pollfd &poll, const timespec *timeout, const sigset_t *mask) noexcept = 0;
};

/// The real ones, on /dev/srqpool.
System &linux_system() noexcept;

} // namespace srqpool::device
