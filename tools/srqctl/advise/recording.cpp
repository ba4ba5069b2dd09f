// SPDX-License-Identifier: GPL-2.0
#include "recording.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "conn.h"
#include "dev.h"
#include "fields.h"
#include "lib/names.h"
#include "listen.h"
#include "pool.h"
#include "stats.h"
#include "values.h"

namespace srqctl::advice {

namespace {

constexpr std::array<std::string_view, 5> parts = {"pools", "stats", "listeners", "conns", "devs"};
constexpr std::uint32_t shards_max = 256;

srqpool::Class read_class(const Fields &fields) {
    srqpool::Class one;
    one.name = fields.name("name");
    one.size = fields.u32("size", SRQPOOL_SIZE_MIN, SRQPOOL_SIZE_MAX);
    one.floor = fields.u32("floor", 1);
    one.ceiling = fields.u32("ceiling", 1);
    one.mark_spec = fields.word("mark_spec", parse_mark);
    one.target = fields.u32("target");
    one.mark = fields.u32("mark");
    one.max_in_use = fields.u32("max_in_use");
    one.low_water = fields.u32("low_water");
    if (one.floor > one.ceiling)
        fields.refuse("floor", "is above the ceiling");
    return one;
}

srqpool::Pool read_pool(const Fields &fields) {
    srqpool::Pool pool;
    pool.name = fields.name("name");
    pool.dev = fields.word("dev", parse_dev_name);
    pool.shards = fields.u32("shards", 1, shards_max);
    pool.poll = fields.optional_word("poll", parse_poll);
    pool.budget = fields.u64("budget");
    pool.pinned = fields.u64("pinned");
    pool.rnr_timer_us = fields.optional_u32("rnr_timer_us");
    pool.refill = fields.optional_word("refill", parse_refill);
    pool.dedicated = fields.optional_u32("dedicated");
    pool.quota = fields.optional_u32("quota");
    pool.quota_policy = fields.optional_word("quota_policy", parse_quota_policy);
    pool.reserve = fields.optional_u32("reserve");
    pool.copybreak = fields.optional_u32("copybreak");
    pool.aging = fields.optional_u32("aging");
    pool.keepalive = fields.optional_u32("keepalive");
    pool.conns = fields.u32("conns");
    fields.each("classes", [&](const Fields &one) { pool.classes.push_back(read_class(one)); });
    if (pool.classes.empty() || pool.classes.size() > SRQPOOL_CLASSES_MAX)
        fields.refuse("classes", fmt::format("has not 1 to {} classes", SRQPOOL_CLASSES_MAX));
    return pool;
}

srqpool::Hist read_hist(const Fields &fields, srqpool_hist kind) {
    srqpool::Hist hist;
    hist.kind = kind;
    hist.count = fields.u64("count");
    hist.sum = fields.u64("sum");
    const std::vector<std::uint64_t> buckets = fields.numbers("buckets", hist.buckets.size());
    std::copy(buckets.begin(), buckets.end(), hist.buckets.begin());
    return hist;
}

srqpool::Stats read_stats(const Fields &fields) {
    srqpool::Stats stats;
    stats.name = fields.name("name");
    stats.rx_msgs = fields.u64("rx_msgs");
    stats.limit_events = fields.u64("limit_events");
    stats.watchdog_refills = fields.u64("watchdog_refills");
    stats.alloc_failures = fields.optional_u64("alloc_failures");
    stats.starved_events = fields.u64("starved_events");
    stats.quota_hits = fields.optional_u64("quota_hits");
    stats.oversize = fields.u64("oversize");
    stats.rnr_naks = fields.optional_u64("rnr_naks");
    const Fields hists = fields.object("hist");
    for (const auto kind : {SRQPOOL_HIST_MSG_BYTES, SRQPOOL_HIST_BATCH})
        stats.hists.push_back(read_hist(hists.object(srqpool::hist_name(kind)), kind));
    return stats;
}

srqpool::Listener read_listener(const Fields &fields) {
    srqpool::Listener listener;
    listener.id = fields.u64("id");
    listener.pool = fields.name("pool");
    listener.class_name = fields.name("class");
    listener.addr = fields.word("addr", parse_addr);
    listener.port = static_cast<std::uint16_t>(fields.u32("port", 1, 65535));
    listener.mode = fields.word("mode", parse_mode);
    listener.conns = fields.u32("conns");
    listener.max_conns = fields.optional_u32("max_conns");
    return listener;
}

srqpool::Conn read_conn(const Fields &fields) {
    srqpool::Conn conn;
    conn.id = fields.u64("id");
    conn.pool = fields.name("pool");
    conn.listener = fields.optional_u64("listener");
    conn.class_name = fields.name("class");
    conn.rx_msgs = fields.u64("rx_msgs");
    conn.rx_bytes = fields.u64("rx_bytes");
    return conn;
}

srqpool::Dev read_dev(const Fields &fields) {
    srqpool::Dev dev;
    dev.name = fields.name("name");
    dev.max_srq = fields.optional_u32("max_srq");
    dev.max_srq_wr = fields.optional_u32("max_srq_wr");
    dev.max_cqe = fields.optional_u32("max_cqe");
    dev.vectors = fields.optional_u32("vectors");
    return dev;
}

template <typename T>
std::vector<T> read_all(const Fields &file, const char *key, T (*read)(const Fields &)) {
    std::vector<T> all;
    file.each(key, [&](const Fields &one) { all.push_back(read(one)); });
    return all;
}

template <typename T>
const T *named(const std::vector<T> &all, const std::optional<std::string> &name) {
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const T &one) { return one.name == name; });
    return found == all.end() ? nullptr : &*found;
}

std::vector<Seen> read_file(const Fields &file) {
    const auto stats = read_all(file, "stats", read_stats);
    const auto listeners = read_all(file, "listeners", read_listener);
    const auto conns = read_all(file, "conns", read_conn);
    const auto devs = read_all(file, "devs", read_dev);
    std::vector<Seen> all;
    for (srqpool::Pool &pool : read_all(file, "pools", read_pool)) {
        Seen seen;
        if (const srqpool::Stats *its = named(stats, pool.name))
            seen.stats = *its;
        else
            file.refuse("stats", "has none of pool " + pool.name);
        if (file.has("listeners"))
            seen.listeners = of_pool(listeners, pool.name);
        if (file.has("conns"))
            seen.conns = of_pool(conns, pool.name);
        if (const srqpool::Dev *dev = named(devs, pool.dev))
            seen.dev = *dev;
        seen.pool = std::move(pool);
        all.push_back(std::move(seen));
    }
    return all;
}

void check_parts(const Fields &file, const Json &json) {
    for (const auto &[key, value] : json.items())
        if (std::find(parts.begin(), parts.end(), key) == parts.end())
            file.refuse(key, "is not known; there are: pools, stats, listeners, conns, devs");
    for (const char *key : {"pools", "stats"})
        if (!json.contains(key))
            file.refuse(key, "is missing");
}

template <typename T> Json described(const std::vector<T> &all) {
    Json array = Json::array();
    for (const T &one : all)
        array.push_back(describe(one).json());
    return array;
}

template <typename T> void append(std::vector<T> &all, const std::optional<std::vector<T>> &some) {
    if (some)
        all.insert(all.end(), some->begin(), some->end());
}

} // namespace

tl::expected<std::vector<Seen>, std::string> read_recording(const std::string &text) {
    const Json json = Json::parse(text, nullptr, false);
    if (json.is_discarded())
        return tl::unexpected(std::string("is not JSON"));
    if (!json.is_object())
        return tl::unexpected(std::string("is not a JSON object of pools and stats"));
    std::string error;
    const Fields file(json, "", error);
    check_parts(file, json);
    std::vector<Seen> seen;
    if (error.empty())
        seen = read_file(file);
    if (!error.empty())
        return tl::unexpected(error);
    return seen;
}

Json recording_of(const std::vector<Seen> &seen) {
    std::vector<srqpool::Pool> pools;
    std::vector<srqpool::Stats> stats;
    std::vector<srqpool::Listener> listeners;
    std::vector<srqpool::Conn> conns;
    std::vector<srqpool::Dev> devs;
    for (const Seen &one : seen) {
        pools.push_back(one.pool);
        stats.push_back(one.stats);
        append(listeners, one.listeners);
        append(conns, one.conns);
        if (one.dev && !named(devs, one.dev->name))
            devs.push_back(*one.dev);
    }
    Json json;
    json["pools"] = described(pools);
    json["stats"] = described(stats);
    json["listeners"] = described(listeners);
    json["conns"] = described(conns);
    json["devs"] = Json::array();
    for (const srqpool::Dev &dev : devs)
        json["devs"].push_back(describe(dev, {}).json());
    return json;
}

} // namespace srqctl::advice
