// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#pragma once

#include <cstdint>

namespace srqload {

/// Spreads messages evenly: says when the next burst may start. Without a rate, always now.
class Pacer {
  public:
    explicit Pacer(double messages_per_second) : rate_(messages_per_second) {}

    void start(std::uint64_t now_ns) { due_ns_ = now_ns; }

    /// Nanoseconds until the next burst may start; 0 is now.
    std::uint64_t wait(std::uint64_t now_ns) const;

    /// A burst has started.
    void spend(std::uint64_t now_ns, std::uint32_t messages);

  private:
    double rate_;
    std::uint64_t due_ns_ = 0;
};

} // namespace srqload
