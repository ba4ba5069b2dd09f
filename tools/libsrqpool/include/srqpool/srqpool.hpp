// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#pragma once

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <system_error>
#include <utility>

#include <srqpool/srqpool.h>

/// libsrqpool for C++. Every call is that of srqpool.h with the same name, which says what it
/// returns. Nothing but opening allocates or throws.
namespace srqpool {

using Options = srqpool_reader_options;
using ReaderStats = srqpool_reader_stats;

enum class EventType : std::uint8_t {
    message = SRQPOOL_RECORD_MESSAGE,
    up = SRQPOOL_RECORD_UP,
    down = SRQPOOL_RECORD_DOWN,
    writable = SRQPOOL_RECORD_WRITABLE,
};

/// A message, given back at its end at the latest, which must come before the reader's.
class Message {
  public:
    Message() noexcept = default;
    ~Message() { give_back(); }
    Message(Message &&other) noexcept { swap(other); }
    Message &operator=(Message &&other) noexcept {
        Message(std::move(other)).swap(*this);
        return *this;
    }
    Message(const Message &) = delete;
    Message &operator=(const Message &) = delete;

    /// Whether there is one.
    explicit operator bool() const noexcept { return handle_ != 0; }

    std::span<const std::byte> data() const noexcept { return data_; }

    /// Sends all of it back; when that succeeds it is given back.
    int reply() noexcept { return reply(data_.size()); }

    /// Sends the first `len` bytes back; when that succeeds it is given back.
    int reply(std::size_t len) noexcept {
        const int error = handle_ ? srqpool_reader_reply(reader_, handle_, len) : -EINVAL;
        if (error == 0)
            forget();
        return error;
    }

    void give_back() noexcept {
        if (handle_)
            srqpool_reader_give_back(reader_, handle_);
        forget();
    }

  private:
    friend class Event;
    Message(srqpool_reader *reader, const srqpool_event &event) noexcept
        : reader_(reader), handle_(event.message),
          data_(static_cast<const std::byte *>(event.data), event.data ? event.record.len : 0) {}

    void forget() noexcept {
        handle_ = 0;
        data_ = {};
    }

    void swap(Message &other) noexcept {
        std::swap(reader_, other.reader_);
        std::swap(handle_, other.handle_);
        std::swap(data_, other.data_);
    }

    srqpool_reader *reader_ = nullptr;
    std::uint64_t handle_ = 0;
    std::span<const std::byte> data_;
};

/// What Reader::next() found, or why it found nothing.
class Event {
  public:
    /// Whether something happened; if not, error() is not 0.
    explicit operator bool() const noexcept { return error_ == 0; }
    int error() const noexcept { return error_; }

    EventType type() const noexcept { return static_cast<EventType>(event_.record.type); }
    std::uint64_t conn() const noexcept { return event_.record.conn; }
    std::uint64_t time_ns() const noexcept { return event_.record.time_ns; }
    std::uint32_t class_index() const noexcept { return event_.record.class_index; }

    /// Immediate data, as it came.
    std::optional<std::uint32_t> imm() const noexcept {
        if (event_.record.flags & SRQPOOL_RECORD_IMM)
            return event_.record.imm;
        return std::nullopt;
    }

    /// Empty unless the type is EventType::message. To keep it, move it.
    Message &message() noexcept { return message_; }

  private:
    friend class Reader;
    explicit Event(srqpool_reader *reader) noexcept
        : error_(srqpool_reader_next(reader, &event_)),
          message_(error_ == 0 ? Message(reader, event_) : Message()) {}

    srqpool_event event_{};
    int error_;
    Message message_;
};

class Reader {
  public:
    /// Empty, and `error` says why, if it fails.
    static Reader open(const std::string &pool, Options options, std::error_code &error) noexcept {
        srqpool_reader *reader = nullptr;
        options.size = sizeof(options);
        error.assign(-srqpool_reader_open(pool.c_str(), &options, &reader),
                     std::generic_category());
        return Reader(reader);
    }

    static Reader open(const std::string &pool, std::error_code &error) noexcept {
        return open(pool, Options{}, error);
    }

    Reader() noexcept = default;
    /// Takes over what srqpool_reader_open() gave.
    explicit Reader(srqpool_reader *reader) noexcept : reader_(reader) {}
    ~Reader() { srqpool_reader_close(reader_); }
    Reader(Reader &&other) noexcept : reader_(std::exchange(other.reader_, nullptr)) {}
    Reader &operator=(Reader &&other) noexcept {
        Reader closed(std::exchange(reader_, std::exchange(other.reader_, nullptr)));
        return *this;
    }
    Reader(const Reader &) = delete;
    Reader &operator=(const Reader &) = delete;

    explicit operator bool() const noexcept { return reader_ != nullptr; }

    int fd() const noexcept { return srqpool_reader_fd(reader_); }

    Event next() noexcept { return Event(reader_); }

    int wait(int timeout_ms = -1, const sigset_t *mask = nullptr) noexcept {
        return srqpool_reader_wait(reader_, timeout_ms, mask);
    }

    int send(std::uint64_t conn, std::span<const std::byte> data,
             std::optional<std::uint32_t> imm = std::nullopt) noexcept {
        return srqpool_reader_send(reader_, conn, data.data(), data.size(), imm ? &*imm : nullptr);
    }

    int hang_up(std::uint64_t conn) noexcept { return srqpool_reader_hang_up(reader_, conn); }
    int stats(ReaderStats &stats) noexcept { return srqpool_reader_get_stats(reader_, &stats); }
    int flush() noexcept { return srqpool_reader_flush(reader_); }

  private:
    srqpool_reader *reader_ = nullptr;
};

} // namespace srqpool
