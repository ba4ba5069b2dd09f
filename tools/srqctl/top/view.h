// SPDX-License-Identifier: GPL-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lib/objects.h"

namespace srqctl::top {

// What there is to show, whatever it will look like.

struct ClassView {
    std::string name;
    std::uint32_t size = 0;
    std::uint32_t floor = 0;
    std::uint32_t mark = 0;
    std::uint32_t target = 0;
    std::uint32_t ceiling = 0;
    bool armed = false;
    std::uint32_t total = 0;
    std::uint32_t posted = 0;
    std::uint32_t held = 0;
    std::uint32_t free = 0;
    std::uint32_t lost = 0;
    std::uint32_t low_water = 0;        // since the kernel's counters were reset
    std::uint32_t lowest = 0;           // posted in the last interval, as far as it was seen
    std::vector<std::uint32_t> history; // that of each interval, the last at the end
};

/// Each a second.
struct Rates {
    std::optional<double> rx_msgs;
    std::optional<double> rx_bytes;
    std::optional<double> tx_msgs;
    std::optional<double> tx_bytes;
    std::optional<double> limit_events;
    std::optional<double> refill_posted;
    std::optional<double> starved_events;
    std::optional<double> starved_ns;
    std::optional<double> rnr_naks;
    std::optional<double> copied;
};

struct PoolView {
    std::uint64_t id = 0;
    std::string name;
    std::string dev;
    std::string state;
    std::string poll;
    std::uint32_t shards = 0;
    std::uint32_t conns = 0;
    std::uint32_t quota = 0;
    std::uint64_t pinned = 0;
    std::uint64_t budget = 0;
    Rates rates;
    std::vector<ClassView> classes;
};

struct View {
    std::vector<PoolView> pools;
    std::size_t selected = 0;           // of pools
    std::vector<srqpool::Conn> holders; // of that pool, the greatest first
    bool holders_shown = false;
    bool paused = false;
    std::chrono::duration<double> interval{1};
    std::uint64_t time_ns = 0;
    std::string note; // what could not be read this time
};

enum class Level {
    good,
    low, // less is posted than the mark
    empty,
};

Level level_of(std::uint32_t posted, std::uint32_t mark);

/// That of its worst class.
Level level_of(const PoolView &pool);

} // namespace srqctl::top
