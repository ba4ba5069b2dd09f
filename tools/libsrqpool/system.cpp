// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include "system.h"

#include <cerrno>

#include <fcntl.h>
#include <linux/srqpool.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace srqpool::device {

namespace {

template <typename T> T checked(T result) noexcept {
    return result < 0 ? static_cast<T>(-errno) : result;
}

class Linux final : public System {
  public:
    int open() noexcept override {
        return checked(::open(SRQPOOL_DEVICE, O_RDWR | O_CLOEXEC | O_NONBLOCK));
    }

    void close(int fd) noexcept override { ::close(fd); }

    int ioctl(int fd, unsigned long request, void *argument) noexcept override {
        return checked(::ioctl(fd, request, argument));
    }

    int kick(int fd, std::uint32_t ring) noexcept override {
        return checked(::ioctl(fd, SRQPOOL_IOC_KICK, static_cast<unsigned long>(ring)));
    }

    void *map(int fd, std::uint64_t offset, std::size_t bytes, int protection,
              int &error) noexcept override {
        void *const memory = ::mmap(nullptr, bytes, protection, MAP_SHARED | MAP_NORESERVE, fd,
                                    static_cast<off_t>(offset));
        if (memory != MAP_FAILED)
            return memory;
        error = -errno;
        return nullptr;
    }

    void unmap(void *memory, std::size_t bytes) noexcept override { ::munmap(memory, bytes); }

    ssize_t read(int fd, void *data, std::size_t bytes) noexcept override {
        return checked(::read(fd, data, bytes));
    }

    ssize_t writev(int fd, const iovec *parts, int count) noexcept override {
        return checked(::writev(fd, parts, count));
    }

    int ppoll(pollfd &poll, const timespec *timeout, const sigset_t *mask) noexcept override {
        return checked(::ppoll(&poll, 1, timeout, mask));
    }
};

} // namespace

System &linux_system() noexcept {
    static Linux system;
    return system;
}

} // namespace srqpool::device
