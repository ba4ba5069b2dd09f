// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include "file.h"

#include <cerrno>

namespace srqpool::device {

File::~File() {
    if (fd_ >= 0)
        system_->close(fd_);
}

int File::attach(srqpool_attach &request) noexcept {
    return system_->ioctl(fd_, SRQPOOL_IOC_ATTACH, &request);
}

int File::rings(srqpool_ring_info &info) noexcept {
    return system_->ioctl(fd_, SRQPOOL_IOC_RING, &info);
}

int File::send(std::uint64_t conn, const void *data, std::size_t len,
               const std::uint32_t *imm) noexcept {
    srqpool_send head{.conn = conn, .flags = 0, .imm = 0};
    if (imm) {
        head.flags = SRQPOOL_SEND_IMM;
        head.imm = *imm;
    }
    const iovec parts[] = {{.iov_base = &head, .iov_len = sizeof(head)},
                           {.iov_base = const_cast<void *>(data), .iov_len = len}};
    const ssize_t done = system_->writev(fd_, parts, len ? 2 : 1);
    return done < 0 ? static_cast<int>(done) : 0;
}

int File::hang_up(std::uint64_t conn) noexcept {
    return system_->ioctl(fd_, SRQPOOL_IOC_CLOSE, &conn);
}

int File::stats(srqpool_reader_stats &stats) noexcept {
    return system_->ioctl(fd_, SRQPOOL_IOC_STATS, &stats);
}

int File::poll(const timespec *timeout, const sigset_t *mask) noexcept {
    pollfd one{.fd = fd_, .events = POLLIN, .revents = 0};
    const int count = system_->ppoll(one, timeout, mask);
    if (count < 0)
        return count;
    if (one.revents & (POLLHUP | POLLERR | POLLNVAL))
        return -ENODEV;
    return one.revents & POLLIN ? 0 : -ETIMEDOUT;
}

} // namespace srqpool::device
