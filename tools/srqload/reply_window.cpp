// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include "reply_window.h"

namespace srqload {

void ReplyWindow::begin(std::uint64_t first, std::uint32_t count) {
    first_ = first;
    seen_.assign(count, false);
}

Arrival ReplyWindow::arrived(std::uint64_t sequence) {
    if (sequence >= first_ + seen_.size())
        return Arrival::unknown;
    if (sequence < first_)
        return Arrival::repeated;
    auto index = static_cast<std::size_t>(sequence - first_);
    if (seen_[index])
        return Arrival::repeated;
    seen_[index] = true;
    if (sequence < next_)
        return Arrival::reordered;
    next_ = sequence + 1;
    return Arrival::in_order;
}

} // namespace srqload
