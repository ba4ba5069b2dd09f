// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace srqload {

/// Log-linear: 32 steps an octave, so that a percentile is at most 1/32 too high.
class Histogram {
  public:
    void record(std::uint64_t value, std::uint64_t times = 1);
    void merge(const Histogram &other);

    std::uint64_t count() const { return count_; }
    std::uint64_t max() const { return max_; }

    /// The value that a fraction (0 to 1) of all values does not exceed; 0 if there are none.
    std::uint64_t quantile(double fraction) const;

  private:
    static constexpr unsigned step_bits = 5;
    static constexpr std::size_t buckets = (64 - step_bits + 1) << step_bits;

    static std::size_t bucket_of(std::uint64_t value);
    static std::uint64_t top_of(std::size_t bucket);

    std::array<std::uint64_t, buckets> counts_{};
    std::uint64_t count_ = 0;
    std::uint64_t max_ = 0;
};

} // namespace srqload
