// SPDX-License-Identifier: GPL-2.0
#include "draft.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "sizes.h"
#include "units.h"

namespace srqctl::advice {

namespace {

// A class this many times as large as it need be holds small messages well enough.
constexpr std::uint32_t roomy = 8;

/*
 * Sizes
 */

bool is_largest(const srqpool::Pool &pool, std::uint32_t size) {
    return std::all_of(pool.classes.begin(), pool.classes.end(),
                       [&](const srqpool::Class &one) { return one.size.value_or(0) <= size; });
}

Choice<std::uint32_t> size_for(const Seen &seen, const Basis &basis, const Sizes &sizes) {
    const std::uint32_t size = basis.size;
    if (basis.conns == 0 && seen.pool.classes.size() > 1)
        return {size, "no connection uses it now"};
    if (seen.stats.oversize.value_or(0) > 0) {
        if (is_largest(seen.pool, size) && size < SRQPOOL_SIZE_MAX)
            return {buffer_for(std::uint64_t{size} * 2), "messages were larger than their buffer"};
        return {size, "messages were larger than their buffer, so that none is to be smaller"};
    }
    const std::uint32_t enough = buffer_for(sizes.below);
    if (enough < size)
        return {enough, "no message was longer, and one that is ends its connection"};
    return {size, "there are messages that need it"};
}

std::set<std::uint64_t> listeners_of(const Seen &seen, const std::string &class_name) {
    std::set<std::uint64_t> ids;
    for (const srqpool::Listener &listener : *seen.listeners)
        if (listener.class_name == class_name)
            ids.insert(listener.id);
    return ids;
}

// Each listener of the class has connections, all of which are known to send small messages only.
// Whoever is of this class and not of its listeners has asked for its size.
bool only_small(const Seen &seen, const std::string &class_name,
                const std::set<std::uint64_t> &small) {
    const std::set<std::uint64_t> its = listeners_of(seen, class_name);
    return !its.empty() && std::includes(small.begin(), small.end(), its.begin(), its.end()) &&
           std::all_of(seen.conns->begin(), seen.conns->end(), [&](const srqpool::Conn &conn) {
               return conn.class_name != class_name || its.contains(conn.listener.value_or(0));
           });
}

std::string name_for(const Draft &draft, std::uint32_t size) {
    const std::string plain = std::to_string(size);
    std::string name = plain;
    for (int i = 2; std::any_of(draft.parts.begin(), draft.parts.end(),
                                [&](const Part &part) { return part.name == name; });
         i++)
        name = fmt::format("{}-{}", plain, i);
    return name;
}

// A class that is named after its size still is; so are its listeners.
void resize(Draft &draft, Part &part, Choice<std::uint32_t> size) {
    part.size_why = std::move(size.why);
    if (part.name == std::to_string(part.size_now) && size.value != part.size_now) {
        const std::string name = name_for(draft, size.value);
        std::replace(draft.listener_classes.begin(), draft.listener_classes.end(), part.name, name);
        part.name = name;
    }
    part.basis.size = size.value;
}

/*
 * Two classes out of one
 */

bool is_roomy(std::uint32_t size, const Gap &gap) {
    return size / roomy >= buffer_for(gap.small_below);
}

Part *class_for_small(Draft &draft, const Gap &gap) {
    for (Part &part : draft.parts)
        if (part.basis.size >= buffer_for(gap.small_below) && !is_roomy(part.basis.size, gap))
            return &part;
    return nullptr;
}

Part &add_class_for_small(Draft &draft, const Part &from, const Gap &gap) {
    const std::uint32_t size = buffer_for(gap.small_below);
    Part part = from;
    part.name = name_for(draft, size);
    part.size_now = size;
    part.basis.size = size;
    part.basis.conns = 0;
    part.size_why = fmt::format("{} of {} messages fit into it", gap.small_count,
                                gap.small_count + gap.large_count);
    part.made = true;
    draft.parts.push_back(std::move(part));
    return draft.parts.back();
}

struct Moved {
    std::uint64_t conns = 0;
    std::uint64_t msgs = 0; // of theirs
    std::uint64_t all = 0;  // of all of the class
};

Moved count_moved(const Seen &seen, const std::string &class_name,
                  const std::set<std::uint64_t> &moving) {
    Moved moved;
    for (const srqpool::Conn &conn : *seen.conns) {
        if (conn.class_name != class_name)
            continue;
        moved.all += conn.rx_msgs.value_or(0);
        if (!moving.contains(conn.listener.value_or(0)))
            continue;
        moved.msgs += conn.rx_msgs.value_or(0);
        moved.conns++;
    }
    return moved;
}

// What was held at once is shared out by the messages.
std::uint64_t share_of(std::uint64_t held, std::uint64_t msgs, std::uint64_t all) {
    if (all == 0)
        return held;
    const long double share = static_cast<long double>(msgs) / static_cast<long double>(all);
    return static_cast<std::uint64_t>(static_cast<long double>(held) * share) + 1;
}

void move_conns(Part &from, Part &to, const Moved &moved) {
    if (to.made)
        to.basis.held = share_of(from.basis.held, moved.msgs, moved.all);
    to.basis.conns += moved.conns;
    from.basis.held = share_of(from.basis.held, moved.all - moved.msgs, moved.all);
    from.basis.conns -= std::min(from.basis.conns, moved.conns);
}

std::set<std::uint64_t> both(const std::set<std::uint64_t> &a, const std::set<std::uint64_t> &b) {
    std::set<std::uint64_t> ids;
    std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::inserter(ids, ids.end()));
    return ids;
}

// Small talkers leave a class of large buffers.
void move_small(const Seen &seen, Draft &draft, std::size_t index, const Gap &gap,
                const std::set<std::uint64_t> &small, std::vector<std::string> &reasons) {
    const std::string &class_name = seen.pool.classes[index].name;
    const std::set<std::uint64_t> moving = both(listeners_of(seen, class_name), small);
    if (moving.empty() || !is_roomy(draft.parts[index].basis.size, gap))
        return;
    if (!class_for_small(draft, gap) && draft.parts.size() == SRQPOOL_CLASSES_MAX)
        return;
    if (!class_for_small(draft, gap))
        add_class_for_small(draft, draft.parts[index], gap);
    Part &to = *class_for_small(draft, gap);
    move_conns(draft.parts[index], to, count_moved(seen, class_name, moving));
    for (std::size_t i = 0; i < seen.listeners->size(); i++) {
        const std::uint64_t id = (*seen.listeners)[i].id;
        if (!moving.contains(id))
            continue;
        draft.listener_classes[i] = to.name;
        reasons.push_back(fmt::format("listener {}: class {}, not {}: its connections sent no "
                                      "message of {} or more",
                                      id, to.name, draft.parts[index].name,
                                      human(gap.small_below, Unit::bytes)));
    }
}

} // namespace

std::vector<std::string> listener_classes_now(const Seen &seen) {
    std::vector<std::string> names;
    if (seen.listeners)
        for (const srqpool::Listener &listener : *seen.listeners)
            names.push_back(listener.class_name.value_or(""));
    return names;
}

Draft draft_of(const Seen &seen, std::vector<std::string> &reasons) {
    const Sizes sizes = sizes_of(hist_of(seen.stats, SRQPOOL_HIST_MSG_BYTES));
    std::set<std::uint64_t> small;
    if (sizes.gap && seen.stats.oversize.value_or(0) == 0)
        small = small_talkers(seen, *sizes.gap);

    Draft draft{.parts = {}, .listener_classes = listener_classes_now(seen)};
    for (std::size_t i = 0; i < seen.pool.classes.size(); i++) {
        const Basis basis = basis_of(seen, i);
        draft.parts.push_back(Part{
            .name = seen.pool.classes[i].name,
            .size_now = basis.size,
            .basis = basis,
            .size_why = {},
        });
    }
    for (std::size_t i = 0; i < seen.pool.classes.size(); i++) {
        Sizes its = sizes;
        const bool all_small = !small.empty() && only_small(seen, seen.pool.classes[i].name, small);
        if (all_small)
            its.below = sizes.gap->small_below;
        resize(draft, draft.parts[i], size_for(seen, draft.parts[i].basis, its));
    }
    for (std::size_t i = 0; !small.empty() && i < seen.pool.classes.size(); i++)
        move_small(seen, draft, i, *sizes.gap, small, reasons);
    return draft;
}

} // namespace srqctl::advice
