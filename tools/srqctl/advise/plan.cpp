// SPDX-License-Identifier: GPL-2.0
#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "advice.h"
#include "draft.h"
#include "units.h"

namespace srqctl::advice {

namespace {

// What the module's own number of shards leaves in a queue at least.
constexpr std::uint32_t queue_min = 32;
// Fewer are too few to be spread over more shards.
constexpr std::uint32_t queue_deep = 128;
constexpr std::size_t full_batch = 5; // its bucket

std::string change(const std::string &what, const std::string &now, const std::string &advised,
                   const std::string &why) {
    if (now == advised)
        return fmt::format("{} {} stays: {}", what, now, why);
    return fmt::format("{} {}, not {}: {}", what, advised, now, why);
}

std::string size_text(std::uint32_t size) { return human(std::uint64_t{size}, Unit::bytes); }

AdvisedClass settle(const Part &part, std::vector<std::string> &reasons) {
    const Basis &basis = part.basis;
    const auto floor = floor_for(basis);
    const auto ceiling = ceiling_for(basis, floor.value);
    const auto mark = mark_for(basis, floor.value);
    const std::string subject = "class " + part.name + ": ";
    const auto say = [&](const char *what, const std::string &now, const std::string &advised,
                         const std::string &why) {
        reasons.push_back(subject + change(what, now, advised, why));
    };
    if (part.made)
        reasons.push_back(
            fmt::format("{}new, of {}: {}", subject, size_text(basis.size), part.size_why));
    else
        say("size", size_text(part.size_now), size_text(basis.size), part.size_why);
    say("floor", std::to_string(basis.floor), std::to_string(floor.value), floor.why);
    say("ceiling", std::to_string(basis.ceiling), std::to_string(ceiling.value), ceiling.why);
    say("mark", to_string(basis.mark_spec), to_string(mark.value), mark.why);
    return AdvisedClass{
        .name = part.name,
        .size = basis.size,
        .floor = floor.value,
        .ceiling = ceiling.value,
        .mark = mark.value,
        .conns = basis.conns,
    };
}

// More than half of the batches were as large as they can be.
bool polls_are_full(const Seen &seen) {
    const srqpool::Hist hist = hist_of(seen.stats, SRQPOOL_HIST_BATCH);
    return hist.buckets[full_batch] > hist.count / 2;
}

// Of the classes in use, if any is.
std::uint32_t smallest_floor(const std::vector<AdvisedClass> &classes) {
    std::uint32_t all = classes.front().floor;
    std::uint32_t used = std::numeric_limits<std::uint32_t>::max();
    for (const AdvisedClass &one : classes) {
        all = std::min(all, one.floor);
        if (one.conns > 0)
            used = std::min(used, one.floor);
    }
    return used < std::numeric_limits<std::uint32_t>::max() ? used : all;
}

Choice<std::uint32_t> shards_for(const Seen &seen, std::uint32_t shards,
                                 const std::vector<AdvisedClass> &classes) {
    const std::uint32_t floor = smallest_floor(classes);
    const std::uint32_t most = std::max(floor / queue_min, 1U);
    if (shards > most)
        return {most, fmt::format("a queue should keep {} buffers, and the smallest floor of a "
                                  "class in use is {}",
                                  queue_min, floor)};
    const std::uint32_t vectors = seen.dev ? seen.dev->vectors.value_or(0) : 0;
    const bool deep = std::all_of(classes.begin(), classes.end(), [&](const AdvisedClass &one) {
        return one.floor / 2 / (one.conns > 0 ? queue_deep : 1) >= shards;
    });
    if (polls_are_full(seen) && vectors / 2 >= shards && deep)
        return {shards * 2,
                fmt::format("most batches were full, and the device has {} vectors", vectors)};
    return {shards, "each queue keeps enough buffers"};
}

std::vector<std::uint64_t> listener_ids(const Seen &seen) {
    std::vector<std::uint64_t> ids;
    if (seen.listeners)
        for (const srqpool::Listener &listener : *seen.listeners)
            ids.push_back(listener.id);
    return ids;
}

// Floors that do not fit are refused.
std::uint64_t budget_for(const Settings &settings, std::vector<std::string> &reasons) {
    std::uint64_t floors = 0;
    for (const AdvisedClass &one : settings.classes)
        floors += std::uint64_t{one.floor} * one.size;
    if (floors <= settings.budget)
        return settings.budget;
    reasons.push_back(fmt::format("budget {}, not {}: twice the floors",
                                  human(floors * 2, Unit::bytes),
                                  human(settings.budget, Unit::bytes)));
    return floors * 2;
}

} // namespace

Settings settings_now(const Seen &seen) {
    Settings settings{
        .classes = {},
        .listeners = listener_ids(seen),
        .listener_classes = listener_classes_now(seen),
        .shards = std::max(seen.pool.shards.value_or(1), 1U),
        .dedicated = seen.pool.dedicated.value_or(0),
        .budget = seen.pool.budget.value_or(0),
    };
    for (std::size_t i = 0; i < seen.pool.classes.size(); i++) {
        const Basis basis = basis_of(seen, i);
        settings.classes.push_back(AdvisedClass{
            .name = seen.pool.classes[i].name,
            .size = basis.size,
            .floor = basis.floor,
            .ceiling = basis.ceiling,
            .mark = basis.mark_spec,
            .conns = basis.conns,
        });
    }
    return settings;
}

Settings plan(const Seen &seen, std::vector<std::string> &reasons) {
    Settings settings = settings_now(seen);
    Draft draft = draft_of(seen, reasons);
    settings.listener_classes = draft.listener_classes;
    settings.classes.clear();
    for (const Part &part : draft.parts)
        settings.classes.push_back(settle(part, reasons));
    const auto shards = shards_for(seen, settings.shards, settings.classes);
    reasons.push_back(change("shards", std::to_string(settings.shards),
                             std::to_string(shards.value), shards.why));
    settings.shards = shards.value;
    if (settings.dedicated > 0)
        reasons.push_back(fmt::format("shared queues, not {} buffers for each connection: that is "
                                      "a baseline to compare with",
                                      settings.dedicated));
    settings.dedicated = 0;
    settings.budget = budget_for(settings, reasons);
    return settings;
}

} // namespace srqctl::advice
