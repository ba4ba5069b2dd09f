// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <vector>

namespace srqpool::device {

/// Places for what the program holds. A handle is of one holding of a place: when that is over it
/// is nobody's, although the place is used again.
template <typename T> class Slots {
  public:
    /// Makes so many more places; false without memory.
    bool add(std::size_t count) noexcept {
        try {
            slots_.reserve(slots_.size() + count);
            free_.reserve(slots_.size() + count);
        } catch (const std::bad_alloc &) {
            return false;
        }
        for (std::size_t i = 0; i < count; i++) {
            free_.push_back(static_cast<std::uint32_t>(slots_.size()));
            slots_.emplace_back();
        }
        return true;
    }

    bool full() const noexcept { return free_.empty(); }

    /// What take() is going to take; not if full().
    T &next() noexcept { return slots_[free_.back()].value; }

    /// Takes next(); the handle, which is never 0.
    std::uint64_t take() noexcept {
        const std::uint32_t number = free_.back();
        free_.pop_back();
        return handle(++slots_[number].holding, number);
    }

    /// Null if it is not held.
    T *find(std::uint64_t handle) noexcept {
        const auto number = static_cast<std::uint32_t>(handle);
        if (number >= slots_.size() || !slots_[number].held() ||
            slots_[number].holding != handle >> 32)
            return nullptr;
        return &slots_[number].value;
    }

    /// For what find() finds.
    void release(std::uint64_t handle) noexcept {
        const auto number = static_cast<std::uint32_t>(handle);
        slots_[number].holding++;
        free_.push_back(number);
    }

    /// Calls with the handle of each that is held; it may be released there.
    template <typename F> void each_held(F call) {
        for (std::uint32_t number = 0; number < slots_.size(); number++) {
            if (slots_[number].held())
                call(handle(slots_[number].holding, number));
        }
    }

  private:
    struct Slot {
        T value{};
        std::uint32_t holding = 0;
        bool held() const noexcept { return holding & 1; }
    };

    static std::uint64_t handle(std::uint32_t holding, std::uint32_t number) noexcept {
        return std::uint64_t{holding} << 32 | number;
    }

    std::vector<Slot> slots_;
    std::vector<std::uint32_t> free_;
};

} // namespace srqpool::device
