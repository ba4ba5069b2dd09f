// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include "shared.h"

#include <cerrno>
#include <sys/eventfd.h>
#include <system_error>
#include <unistd.h>

namespace srqload {

Flag::Flag() : fd_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
    if (fd_ < 0)
        throw std::system_error(errno, std::generic_category(), "eventfd");
}

Flag::~Flag() { close(fd_); }

void Flag::raise() {
    raised_.store(true, std::memory_order_release);
    std::uint64_t one = 1;
    // It can only fail when the counter is full, and then the descriptor is readable already.
    [[maybe_unused]] auto written = write(fd_, &one, sizeof(one));
}

void Gate::arrive() {
    if (missing_.fetch_sub(1, std::memory_order_acq_rel) == 1)
        opened_.raise();
}

} // namespace srqload
