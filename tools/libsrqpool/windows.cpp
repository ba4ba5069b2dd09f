// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include "windows.h"

#include <cerrno>

#include <sys/mman.h>

namespace srqpool::device {

Windows::~Windows() {
    for (Window &window : windows_)
        unmap(window);
}

void Windows::unmap(Window &window) noexcept {
    if (window.memory)
        system_.unmap(window.memory, stride);
    window = {};
}

Windows::Place Windows::hold(std::uint64_t offset) noexcept {
    const std::uint64_t number = offset / stride;
    if (!shows(last_, number)) {
        const int error = show(number);
        if (error)
            return {.error = error};
    }
    windows_[last_].messages++;
    return {.data = windows_[last_].memory + offset % stride, .window = last_};
}

bool Windows::shows(std::uint32_t window, std::uint64_t number) const noexcept {
    return windows_[window].memory && windows_[window].number == number;
}

// Makes it the last one.
int Windows::show(std::uint64_t number) noexcept {
    for (std::uint32_t i = 0; i < most; i++) {
        if (shows(i, number)) {
            last_ = i;
            return 0;
        }
    }
    const std::uint32_t i = idle();
    if (i == most)
        return -ENOMEM;
    const std::uint64_t start = SRQPOOL_MMAP_BUFFERS + number * stride;
    int error = 0;
    void *const memory = system_.map(fd_, start, stride, PROT_READ, error);
    if (!memory)
        return error;
    unmap(windows_[i]);
    windows_[i] = {.memory = static_cast<std::byte *>(memory), .number = number};
    last_ = i;
    return 0;
}

// One that is not mapped, or the oldest place without a message.
std::uint32_t Windows::idle() const noexcept {
    std::uint32_t best = most;
    for (std::uint32_t i = 0; i < most; i++) {
        if (!windows_[i].memory)
            return i;
        if (!windows_[i].messages && (best == most || windows_[i].number < windows_[best].number))
            best = i;
    }
    return best;
}

} // namespace srqpool::device
