// SPDX-License-Identifier: GPL-2.0
#include "sizes.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <map>

namespace srqctl::advice {

namespace {

constexpr std::uint64_t huge = std::numeric_limits<std::uint64_t>::max();
// Empty buckets between two sizes for which a class each is worth while.
constexpr std::size_t gap_min = 3;

std::uint64_t add(std::uint64_t a, std::uint64_t b) { return a > huge - b ? huge : a + b; }

std::uint64_t lower_end(std::size_t bucket) { return bucket == 0 ? 0 : std::uint64_t{1} << bucket; }

std::uint64_t upper_end(std::size_t bucket) {
    return bucket + 1 >= SRQPOOL_HIST_BUCKETS ? huge : std::uint64_t{2} << bucket;
}

std::vector<std::size_t> used_buckets(const srqpool::Hist &hist) {
    std::vector<std::size_t> used;
    for (std::size_t i = 0; i < hist.buckets.size(); i++)
        if (hist.buckets[i] > 0)
            used.push_back(i);
    return used;
}

std::uint64_t count_between(const srqpool::Hist &hist, std::size_t first, std::size_t last) {
    std::uint64_t count = 0;
    for (std::size_t i = first; i <= last; i++)
        count = add(count, hist.buckets[i]);
    return count;
}

std::optional<Gap> widest_gap(const srqpool::Hist &hist, const std::vector<std::size_t> &used) {
    std::size_t widest = 0;
    std::size_t at = 0;
    for (std::size_t i = 1; i < used.size(); i++) {
        const std::size_t empty = used[i] - used[i - 1] - 1;
        if (empty > widest) {
            widest = empty;
            at = i;
        }
    }
    if (widest < gap_min)
        return std::nullopt;
    return Gap{
        .least = lower_end(used.front()),
        .small_below = upper_end(used[at - 1]),
        .large_from = lower_end(used[at]),
        .small_count = count_between(hist, used.front(), used[at - 1]),
        .large_count = count_between(hist, used[at], used.back()),
    };
}

// What the open connections of a listener have received.
struct Talker {
    std::uint64_t msgs = 0;
    bool on_average_small = true;
    bool surely_small = true;
};

// All its messages are as long as the shortest that was seen, or longer: are the bytes that are
// left too few for a single large one?
bool had_no_large(const srqpool::Conn &conn, const Gap &gap) {
    const std::uint64_t msgs = conn.rx_msgs.value_or(0);
    const std::uint64_t bytes = conn.rx_bytes.value_or(0);
    if (gap.least > 0 && msgs > bytes / gap.least)
        return bytes < gap.large_from;
    return bytes - msgs * gap.least < gap.large_from - gap.least;
}

void listen_to(Talker &talker, const srqpool::Conn &conn, const Gap &gap) {
    const std::uint64_t msgs = conn.rx_msgs.value_or(0);
    if (msgs == 0)
        return;
    talker.msgs = add(talker.msgs, msgs);
    talker.on_average_small &= conn.rx_bytes.value_or(0) / msgs < gap.small_below;
    talker.surely_small &= had_no_large(conn, gap);
}

// The class of one that said how long its messages are is not the listener's to choose.
std::map<std::uint64_t, Talker> talkers_of(const Seen &seen, const Gap &gap) {
    std::map<std::uint64_t, Talker> talkers;
    std::map<std::uint64_t, std::optional<std::string>> classes;
    for (const srqpool::Listener &listener : *seen.listeners)
        classes[listener.id] = listener.class_name;
    for (const srqpool::Conn &conn : *seen.conns) {
        const auto listener = classes.find(conn.listener.value_or(0));
        if (listener != classes.end() && conn.class_name == listener->second)
            listen_to(talkers[listener->first], conn, gap);
    }
    return talkers;
}

// Those that are small on average have sent just as many messages as are small, and the others as
// many as are large.
bool counts_agree(const std::map<std::uint64_t, Talker> &talkers, const Gap &gap) {
    std::uint64_t small = 0;
    std::uint64_t large = 0;
    for (const auto &[id, talker] : talkers) {
        std::uint64_t &sum = talker.on_average_small ? small : large;
        sum = add(sum, talker.msgs);
    }
    return small == gap.small_count && large == gap.large_count;
}

} // namespace

Sizes sizes_of(const srqpool::Hist &hist) {
    const std::vector<std::size_t> used = used_buckets(hist);
    if (used.empty())
        return {};
    return Sizes{
        .count = count_between(hist, used.front(), used.back()),
        .below = upper_end(used.back()),
        .gap = widest_gap(hist, used),
    };
}

std::uint32_t buffer_for(std::uint64_t below) {
    const auto bytes =
        std::clamp<std::uint64_t>(below, SRQPOOL_SIZE_MIN, std::uint64_t{SRQPOOL_SIZE_MAX});
    return static_cast<std::uint32_t>(std::bit_ceil(bytes));
}

std::set<std::uint64_t> small_talkers(const Seen &seen, const Gap &gap) {
    std::set<std::uint64_t> small;
    if (!seen.listeners || !seen.conns)
        return small;
    const auto talkers = talkers_of(seen, gap);
    const bool agree = counts_agree(talkers, gap);
    for (const auto &[id, talker] : talkers)
        if (talker.msgs > 0 && talker.on_average_small && (talker.surely_small || agree))
            small.insert(id);
    return small;
}

} // namespace srqctl::advice
