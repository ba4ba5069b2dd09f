// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include "reader.h"

#include <cerrno>
#include <csignal>
#include <cstring>

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace srqpool {

namespace {

Error open_error(int code) {
    if (code == ENOENT || code == ENXIO)
        return Error{ErrorKind::no_family, code,
                     SRQPOOL_DEVICE " is not there: the module srqpool is not loaded"};
    return system_error("cannot open " SRQPOOL_DEVICE, code);
}

Error attach_error(const std::string &pool, int code) {
    if (code == ENOENT)
        return Error{ErrorKind::refused, ENOENT, "there is no pool " + pool};
    if (code == ENODEV)
        return Error{ErrorKind::refused, EBUSY, "pool " + pool + " is not on its device"};
    return system_error("cannot attach to pool " + pool, code);
}

} // namespace

Reader::Reader(int fd, std::string pool)
    : fd_(fd), pool_(std::move(pool)), buffer_(sizeof(srqpool_record) + SRQPOOL_SIZE_MAX) {}

Reader::~Reader() { close(fd_); }

Result<std::unique_ptr<Source>> Reader::attach(const std::string &pool) {
    srqpool_attach request{};
    if (pool.size() > SRQPOOL_NAME_MAX)
        return tl::unexpected(attach_error(pool, ENOENT));
    std::memcpy(request.pool, pool.data(), pool.size());

    const int fd = open(SRQPOOL_DEVICE, O_RDWR | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return tl::unexpected(open_error(errno));
    if (ioctl(fd, SRQPOOL_IOC_ATTACH, &request) < 0) {
        const int code = errno;
        close(fd);
        return tl::unexpected(attach_error(pool, code));
    }
    return std::unique_ptr<Source>(new Reader(fd, pool));
}

Result<std::optional<Record>> Reader::next() {
    const ssize_t length = read(fd_, buffer_.data(), buffer_.size());
    if (length < 0 && (errno == EAGAIN || errno == EINTR)) {
        // Signals that are blocked outside cannot slip in before the wait.
        pollfd wait{.fd = fd_, .events = POLLIN, .revents = 0};
        sigset_t none;
        sigemptyset(&none);
        ppoll(&wait, 1, nullptr, &none);
        return std::optional<Record>{};
    }
    if (length < 0 && errno == ENODEV)
        return tl::unexpected(
            Error{ErrorKind::system, ENODEV, "pool " + pool_ + " was deleted, or its device went"});
    if (length < 0)
        return tl::unexpected(system_error("cannot read from pool " + pool_, errno));

    Record record{};
    std::memcpy(&record.head, buffer_.data(), sizeof(record.head));
    record.data = std::span<const std::byte>(buffer_).subspan(sizeof(record.head), record.head.len);
    return record;
}

} // namespace srqpool
