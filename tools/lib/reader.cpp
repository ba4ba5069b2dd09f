// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include "reader.h"

#include <cerrno>
#include <csignal>

#include <srqpool/srqpool.h>

namespace srqpool {

namespace {

Error attach_error(const std::string &pool, int code) {
    if (code == ENXIO)
        return Error{ErrorKind::no_family, code,
                     SRQPOOL_DEVICE " is not there: the module srqpool is not loaded"};
    if (code == ENOENT)
        return Error{ErrorKind::refused, ENOENT, "there is no pool " + pool};
    if (code == ENODEV)
        return Error{ErrorKind::refused, EBUSY, "pool " + pool + " is not on its device"};
    if (code == EACCES || code == EPERM)
        return system_error("cannot open " SRQPOOL_DEVICE, code);
    return system_error("cannot attach to pool " + pool, code);
}

} // namespace

PoolSource::PoolSource(srqpool_reader *reader, std::string pool)
    : reader_(reader), pool_(std::move(pool)) {}

PoolSource::~PoolSource() { srqpool_reader_close(reader_); }

Result<std::unique_ptr<Source>> PoolSource::attach(const std::string &pool) {
    srqpool_reader_options options{};
    options.size = sizeof(options);
    options.mode = SRQPOOL_READER_READ;
    srqpool_reader *reader = nullptr;
    const int error = srqpool_reader_open(pool.c_str(), &options, &reader);
    if (error)
        return tl::unexpected(attach_error(pool, -error));
    return std::unique_ptr<Source>(new PoolSource(reader, pool));
}

Result<std::optional<Record>> PoolSource::next() {
    if (message_)
        srqpool_reader_give_back(reader_, message_);
    message_ = 0;
    srqpool_event event;
    int error = srqpool_reader_next(reader_, &event);
    if (error == 0) {
        message_ = event.message;
        const auto *const data = static_cast<const std::byte *>(event.data);
        return Record{event.record, {data, data ? event.record.len : 0}};
    }
    // Signals that are blocked outside cannot slip in before the wait.
    sigset_t none;
    sigemptyset(&none);
    if (error == -EAGAIN)
        error = srqpool_reader_wait(reader_, -1, &none);
    if (error == 0 || error == -EINTR)
        return std::optional<Record>{};
    if (error == -ENODEV)
        return tl::unexpected(
            Error{ErrorKind::system, ENODEV, "pool " + pool_ + " was deleted, or its device went"});
    return tl::unexpected(system_error("cannot read from pool " + pool_, -error));
}

} // namespace srqpool
