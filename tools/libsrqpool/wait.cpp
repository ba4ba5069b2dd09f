// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include <algorithm>
#include <cerrno>

#include "reader.h"

namespace {

using Clock = std::chrono::steady_clock;

constexpr timespec at_once{};
constexpr int looks_per_time = 64;

void relax() noexcept {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
}

Clock::time_point deadline(int timeout_ms) noexcept {
    if (timeout_ms < 0)
        return Clock::time_point::max();
    return Clock::now() + std::chrono::milliseconds(timeout_ms);
}

timespec left_until(Clock::time_point end) noexcept {
    const auto left = std::max(end - Clock::now(), Clock::duration::zero());
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(left);
    const auto rest = std::chrono::duration_cast<std::chrono::nanoseconds>(left - seconds);
    return {.tv_sec = static_cast<std::time_t>(seconds.count()),
            .tv_nsec = static_cast<long>(rest.count())};
}

} // namespace

int srqpool_reader::wait(int timeout_ms, const sigset_t *mask) noexcept {
    if (const int error = flush())
        return error;
    if (const int found = look(); found != -EAGAIN)
        return found;
    const Clock::time_point end = deadline(timeout_ms);
    if (waiting_ == SRQPOOL_READER_BUSY)
        return spin(end, mask);
    if (waiting_ == SRQPOOL_READER_HYBRID) {
        const int found = spin(std::min(end, Clock::now() + spin_), mask);
        if (found != -ETIMEDOUT)
            return found;
    }
    if (timeout_ms < 0)
        return file_.poll(nullptr, mask);
    const timespec left = left_until(end);
    return file_.poll(&left, mask);
}

int srqpool_reader::spin(Time until, const sigset_t *mask) noexcept {
    Time poll_at = Clock::now() + poll_every_;
    for (;;) {
        if (const int found = look_often(); found != -EAGAIN)
            return found;
        const Time now = Clock::now();
        if (now >= poll_at) {
            if (const int found = file_.poll(&at_once, mask); found != -ETIMEDOUT)
                return found;
            poll_at = now + poll_every_;
        }
        if (now >= until)
            return -ETIMEDOUT;
    }
}

int srqpool_reader::look_often() noexcept {
    for (int i = 0; i < looks_per_time; i++) {
        if (const int found = look(); found != -EAGAIN)
            return found;
        relax();
    }
    return -EAGAIN;
}
