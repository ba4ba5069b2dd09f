// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#pragma once

#include "verbs.h"

#include <cstddef>
#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace srqload {

/// Page-aligned, zeroed memory in one piece; of huge pages if the system has enough of them.
class Region {
  public:
    static tl::expected<Region, std::string> map(std::size_t bytes);

    Region() = default;
    Region(Region &&other) noexcept
        : data_(std::exchange(other.data_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}
    Region &operator=(Region &&other) noexcept {
        std::swap(data_, other.data_);
        std::swap(bytes_, other.bytes_);
        return *this;
    }
    ~Region();

    std::byte *data() const { return data_; }
    std::size_t size() const { return bytes_; }

  private:
    Region(std::byte *data, std::size_t bytes) : data_(data), bytes_(bytes) {}

    std::byte *data_ = nullptr;
    std::size_t bytes_ = 0;
};

/// Registers all of it for sends and receives.
tl::expected<Owned<ibv_mr>, std::string> register_region(ibv_pd *pd, const Region &region);

} // namespace srqload
