// SPDX-License-Identifier: GPL-2.0
#pragma once

#include <string>

#include "seen.h"

namespace srqctl::advice {

/// Fewer messages than this say too little.
constexpr std::uint64_t messages_min = 1000;

struct AdvisedClass {
    std::string name;
    std::uint32_t size = 0;
    std::uint32_t floor = 0;
    std::uint32_t ceiling = 0;
    srqpool::Mark mark;
    std::uint64_t conns = 0; // of those that are open now

    bool operator==(const AdvisedClass &) const = default;
};

/// What a pool is, or should be: all that `pool add` and `listen add` would be told.
struct Settings {
    std::vector<AdvisedClass> classes;
    std::vector<std::uint64_t> listeners;      // ids
    std::vector<std::string> listener_classes; // and theirs
    std::uint32_t shards = 1;
    std::uint32_t dedicated = 0;
    std::uint64_t budget = 0;
};

struct Memory {
    std::uint64_t pinned = 0;     // at rest
    std::uint64_t most = 0;       // with every class at its ceiling
    std::uint64_t n_x_m = 0;      // with a queue for each connection
    std::uint64_t break_even = 0; // connections from which sharing pins less
};

struct Advice {
    std::string pool;
    std::uint64_t msgs = 0;
    std::uint64_t bytes = 0;
    std::uint64_t below = 0; // every message was shorter
    std::uint64_t conns = 0;
    std::uint64_t burst = 0;
    Settings now;
    Memory memory_now;
    std::optional<Settings> settings; // nothing if too little was seen
    Memory memory;
    std::vector<std::string> reasons;
    std::vector<std::string> warnings;
    std::vector<std::string> commands;
};

/// What follows from what was seen.
Advice advise(const Seen &seen);

// The parts of it, a file each.

/// As the pool is.
Settings settings_now(const Seen &seen);

/// As it should be, and why.
Settings plan(const Seen &seen, std::vector<std::string> &reasons);

/// What the module pins for `settings`, by its own arithmetic unless it is known.
Memory memory_of(const Settings &settings, std::uint64_t burst,
                 const std::optional<std::uint64_t> &pinned = {});

/// Why the module would refuse them; empty if it would not.
std::string refusal_of(const Settings &settings, const std::optional<srqpool::Dev> &dev);

std::vector<std::string> warnings_on(const Seen &seen);

/// Words of a shell that make a pool as it is into one as it should be.
std::vector<std::string> commands_for(const Seen &seen, const Settings &now,
                                      const Settings &advised);

/// Do the commands close connections?
bool needs_new_pool(const Settings &now, const Settings &advised);

} // namespace srqctl::advice
