// SPDX-License-Identifier: GPL-2.0
#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

extern "C" {
#include "policy.h"
}

#include "advice.h"

namespace srqctl::advice {

namespace {

constexpr std::uint64_t page = 4096;
// Of a device that is not known.
constexpr std::uint32_t unknown_limit = std::numeric_limits<std::uint32_t>::max();

// More than can be counted is as much as can be.
std::uint64_t times(std::uint64_t a, std::uint64_t b) {
    constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max() / 2;
    return b > 0 && a > most / b ? most : a * b;
}

// Buffers of less than a page are packed, others have a power of two of pages.
std::uint64_t bytes_of(std::uint64_t count, std::uint32_t size) {
    if (size >= page)
        return times(count, std::bit_ceil(std::uint64_t{size}));
    return (times(count, size) + page - 1) / page * page;
}

srqpool_class_config class_config(const AdvisedClass &one) {
    srqpool_class_config config{};
    std::memcpy(config.name, one.name.data(),
                std::min(one.name.size(), std::size_t{SRQPOOL_NAME_MAX}));
    config.size = one.size;
    config.floor = one.floor;
    config.ceiling = one.ceiling;
    config.mark_kind = one.mark.kind;
    config.mark_value = one.mark.value;
    return config;
}

srqpool_config config_of(const Settings &settings) {
    srqpool_config config{};
    config.shards = settings.shards;
    config.budget = settings.budget;
    config.rnr_timer_us = 640;
    config.quota = POLICY_AUTO;
    config.reserve = POLICY_AUTO;
    config.dedicated = settings.dedicated;
    for (const AdvisedClass &one : settings.classes)
        if (config.nr_classes < SRQPOOL_CLASSES_MAX)
            config.classes[config.nr_classes++] = class_config(one);
    return config;
}

// What a class has posted and ready before any message comes.
std::uint64_t buffers_at_rest(const AdvisedClass &one, std::uint32_t shards) {
    std::uint64_t buffers = 0;
    for (std::uint32_t i = 0; i < shards; i++) {
        const std::uint32_t floor = policy_share(one.floor, shards, i);
        const std::uint32_t depth = policy_share(one.ceiling, shards, i);
        buffers += std::uint64_t{floor} + policy_handler_reserve(depth, floor);
    }
    return buffers;
}

std::uint64_t arena_of(const Settings &settings) {
    const srqpool_config config = config_of(settings);
    return policy_arena(&config) / settings.shards / page * page * settings.shards;
}

std::uint64_t conns_of(const Settings &settings) {
    std::uint64_t conns = 0;
    for (const AdvisedClass &one : settings.classes)
        conns += one.conns;
    return conns;
}

std::uint64_t n_x_m(const Settings &settings, std::uint64_t burst) {
    std::uint64_t bytes = 0;
    for (const AdvisedClass &one : settings.classes)
        bytes += bytes_of(times(one.conns, burst), one.size);
    return bytes;
}

// What a connection's own queue would pin, on average.
std::uint64_t own_queue(const Settings &settings, std::uint64_t burst) {
    const std::uint64_t conns = conns_of(settings);
    if (conns > 0)
        return std::max<std::uint64_t>(n_x_m(settings, burst) / conns, 1);
    return settings.classes.empty() ? 1 : bytes_of(burst, settings.classes.front().size);
}

srqpool_limits limits_of(const std::optional<srqpool::Dev> &dev) {
    const auto limit = [&](std::optional<std::uint32_t> srqpool::Dev::*field) {
        return dev ? ((*dev).*field).value_or(unknown_limit) : unknown_limit;
    };
    return srqpool_limits{
        .max_srq = limit(&srqpool::Dev::max_srq),
        .max_srq_wr = limit(&srqpool::Dev::max_srq_wr),
        .max_cqe = limit(&srqpool::Dev::max_cqe),
        .vectors = unknown_limit,
        .cpus = unknown_limit,
    };
}

} // namespace

Memory memory_of(const Settings &settings, std::uint64_t burst,
                 const std::optional<std::uint64_t> &pinned) {
    Memory memory;
    for (const AdvisedClass &one : settings.classes) {
        memory.pinned += bytes_of(buffers_at_rest(one, settings.shards), one.size);
        memory.most += bytes_of(one.ceiling, one.size);
    }
    const std::uint64_t arena = arena_of(settings);
    memory.pinned = pinned.value_or(std::min(memory.pinned + arena, settings.budget));
    memory.most = std::min(memory.most + arena, settings.budget);
    memory.n_x_m = n_x_m(settings, burst);
    memory.break_even = memory.pinned / own_queue(settings, burst) + 1;
    return memory;
}

std::string refusal_of(const Settings &settings, const std::optional<srqpool::Dev> &dev) {
    srqpool_config config = config_of(settings);
    const srqpool_limits limits = limits_of(dev);
    srqpool_refusal refusal{};
    return policy_check(&config, &limits, &refusal) < 0 ? refusal.text : "";
}

} // namespace srqctl::advice
