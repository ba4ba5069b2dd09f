// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#pragma once

#include <cstdint>

namespace srqload {

/// SplitMix64: the same numbers from the same seed with every compiler and library.
struct Random {
    std::uint64_t state = 0;

    std::uint64_t next() {
        std::uint64_t z = (state += 0x9e3779b97f4a7c15U);
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
        return z ^ (z >> 31);
    }

    /// Uniform in [0, bound); bound must not be 0.
    std::uint32_t below(std::uint32_t bound) {
        return static_cast<std::uint32_t>(((next() >> 32) * bound) >> 32);
    }
};

/// An independent stream for each connection, whichever thread serves it.
inline Random random_stream(std::uint64_t seed, std::uint32_t connection) {
    Random mix{seed};
    return Random{mix.next() ^ (std::uint64_t{connection} << 32)};
}

} // namespace srqload
