// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include "histogram.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace srqload {

std::size_t Histogram::bucket_of(std::uint64_t value) {
    if (value < (1U << step_bits))
        return static_cast<std::size_t>(value);
    auto shift = static_cast<unsigned>(std::bit_width(value)) - 1 - step_bits;
    return (std::size_t{shift} << step_bits) + static_cast<std::size_t>(value >> shift);
}

std::uint64_t Histogram::top_of(std::size_t bucket) {
    if (bucket < (2U << step_bits))
        return bucket;
    std::size_t shift = (bucket >> step_bits) - 1;
    std::uint64_t step = bucket - (shift << step_bits);
    return ((step + 1) << shift) - 1; // wraps to the greatest value in the last bucket
}

void Histogram::record(std::uint64_t value, std::uint64_t times) {
    counts_[bucket_of(value)] += times;
    count_ += times;
    max_ = std::max(max_, value);
}

void Histogram::merge(const Histogram &other) {
    for (std::size_t i = 0; i < buckets; i++)
        counts_[i] += other.counts_[i];
    count_ += other.count_;
    max_ = std::max(max_, other.max_);
}

std::uint64_t Histogram::quantile(double fraction) const {
    auto wanted = static_cast<std::uint64_t>(std::ceil(fraction * static_cast<double>(count_)));
    std::uint64_t passed = 0;
    for (std::size_t i = 0; i < buckets; i++) {
        passed += counts_[i];
        if (counts_[i] != 0 && passed >= wanted)
            return std::min(top_of(i), max_);
    }
    return max_;
}

} // namespace srqload
