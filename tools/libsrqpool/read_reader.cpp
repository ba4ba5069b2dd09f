// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include "read_reader.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>

namespace srqpool::device {

namespace {

constexpr std::size_t buffers_at_once = 32;

} // namespace

ReadReader::ReadReader(File file, const srqpool_reader_options &options) noexcept
    : srqpool_reader(std::move(file), options, Duration::zero()) {}

int ReadReader::next(srqpool_event &event) noexcept {
    if (buffers_.full() && !buffers_.add(buffers_at_once))
        return -ENOMEM;
    const Buffer &buffer = buffers_.next();
    if (const int error = read_into(buffers_.next()))
        return error;
    event = {.record = buffer.record(), .data = nullptr, .message = 0};
    if (event.record.type == SRQPOOL_RECORD_MESSAGE) {
        event.data = buffer.data();
        event.message = buffers_.take();
    }
    return 0;
}

// What does not fit is not lost, nor what a signal comes in between.
int ReadReader::read_into(Buffer &buffer) noexcept {
    for (;;) {
        if (!fit(buffer))
            return -ENOMEM;
        const ssize_t done = file().system().read(file().fd(), buffer.memory.get(), buffer.bytes);
        if (done >= 0)
            return 0;
        if (done == -EMSGSIZE && bytes_ < most_bytes)
            bytes_ = std::min(2 * bytes_, most_bytes);
        else if (done != -EINTR)
            return static_cast<int>(done);
    }
}

bool ReadReader::fit(Buffer &buffer) noexcept {
    if (buffer.bytes >= bytes_)
        return true;
    std::unique_ptr<std::byte[]> larger(new (std::nothrow) std::byte[bytes_]);
    if (!larger)
        return false;
    buffer = {.memory = std::move(larger), .bytes = bytes_};
    return true;
}

srqpool_record ReadReader::Buffer::record() const noexcept {
    srqpool_record record;
    std::memcpy(&record, memory.get(), sizeof(record));
    return record;
}

int ReadReader::give_back(std::uint64_t message) noexcept {
    if (!buffers_.find(message))
        return -EINVAL;
    buffers_.release(message);
    return 0;
}

int ReadReader::reply(std::uint64_t message, std::size_t len) noexcept {
    const Buffer *const buffer = buffers_.find(message);
    if (!buffer)
        return -EINVAL;
    const srqpool_record record = buffer->record();
    if (len > record.len)
        return -EINVAL;
    const bool imm = record.flags & SRQPOOL_RECORD_IMM;
    const int error = file().send(record.conn, buffer->data(), len, imm ? &record.imm : nullptr);
    if (error == 0)
        buffers_.release(message);
    return error;
}

int ReadReader::look() noexcept { return -EAGAIN; }

} // namespace srqpool::device
