// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#pragma once

#include <cstdint>
#include <vector>

namespace srqload {

enum class Arrival : std::uint8_t {
    in_order,
    reordered, // for the first time, but after a message sent later
    repeated,  // not for the first time
    unknown,   // never sent
};

/// Which messages of one connection's present burst came back. Earlier bursts came back whole:
/// the next starts only then.
class ReplyWindow {
  public:
    /// The messages [first, first + count) are on their way; first never decreases.
    void begin(std::uint64_t first, std::uint32_t count);

    Arrival arrived(std::uint64_t sequence);

  private:
    std::uint64_t first_ = 0;
    std::uint64_t next_ = 0; // one more than the highest that arrived
    std::vector<bool> seen_;
};

} // namespace srqload
