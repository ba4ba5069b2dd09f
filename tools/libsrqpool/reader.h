// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <utility>

#include <srqpool/srqpool.h>

#include "file.h"

/// What both modes have; the calls are those of srqpool.h.
struct srqpool_reader {
  public:
    virtual ~srqpool_reader() = default;
    srqpool_reader(const srqpool_reader &) = delete;
    srqpool_reader &operator=(const srqpool_reader &) = delete;

    virtual int next(srqpool_event &event) noexcept = 0;
    virtual int give_back(std::uint64_t message) noexcept = 0;
    virtual int reply(std::uint64_t message, std::size_t len) noexcept = 0;
    virtual int flush() noexcept = 0;

    int wait(int timeout_ms, const sigset_t *mask) noexcept;
    const srqpool::device::File &file() const noexcept { return file_; }
    srqpool::device::File &file() noexcept { return file_; }

  protected:
    using Duration = std::chrono::nanoseconds;

    /// `poll_every`: how often to ask the kernel while spinning.
    srqpool_reader(srqpool::device::File file, const srqpool_reader_options &options,
                   Duration poll_every) noexcept
        : file_(std::move(file)), waiting_(options.waiting),
          spin_(std::chrono::microseconds(options.spin_us)), poll_every_(poll_every) {}

    /// Whether there is something, as far as can be told without the kernel: 0, -EAGAIN or -ENODEV.
    virtual int look() noexcept = 0;

  private:
    using Time = std::chrono::steady_clock::time_point;

    int spin(Time until, const sigset_t *mask) noexcept;
    int look_often() noexcept;

    srqpool::device::File file_;
    std::uint32_t waiting_;
    Duration spin_;
    Duration poll_every_;
};
