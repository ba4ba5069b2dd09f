// SPDX-License-Identifier: GPL-2.0
#include "stats.h"

#include <algorithm>
#include <cerrno>

#include "lib/names.h"
#include "show.h"

namespace srqctl {

namespace {

using srqpool::Stats;
using Counter = std::optional<std::uint64_t> Stats::*;

struct CounterField {
    const char *key;
    Counter counter;
    Unit unit = Unit::none;
};

constexpr CounterField counters[] = {
    {"rx_msgs", &Stats::rx_msgs},
    {"rx_bytes", &Stats::rx_bytes, Unit::bytes},
    {"tx_msgs", &Stats::tx_msgs},
    {"tx_bytes", &Stats::tx_bytes, Unit::bytes},
    {"limit_events", &Stats::limit_events},
    {"spurious_events", &Stats::spurious_events},
    {"watchdog_refills", &Stats::watchdog_refills},
    {"refills", &Stats::refills},
    {"refill_posted", &Stats::refill_posted},
    {"post_errors", &Stats::post_errors},
    {"alloc_failures", &Stats::alloc_failures},
    {"starved_events", &Stats::starved_events},
    {"starved_ns", &Stats::starved_ns, Unit::nsec},
    {"copied", &Stats::copied},
    {"quota_hits", &Stats::quota_hits},
    {"oversize", &Stats::oversize},
};

// Those that are worth watching as they rise.
constexpr CounterField rates[] = {
    {"rx_msgs_per_s", &Stats::rx_msgs},
    {"rx_bytes_per_s", &Stats::rx_bytes, Unit::bytes},
    {"tx_msgs_per_s", &Stats::tx_msgs},
    {"tx_bytes_per_s", &Stats::tx_bytes, Unit::bytes},
    {"limit_events_per_s", &Stats::limit_events},
    {"refill_posted_per_s", &Stats::refill_posted},
    {"starved_events_per_s", &Stats::starved_events},
    {"copied_per_s", &Stats::copied},
    {"rnr_naks_per_s", &Stats::rnr_naks},
};

Json wc_errors_json(const std::vector<srqpool::WcError> &errors) {
    Json object = Json::object();
    for (const srqpool::WcError &error : errors)
        if (error.count > 0)
            object[srqpool::wc_status_name(error.status)] = error.count;
    return object;
}

Json hists_json(const std::vector<srqpool::Hist> &hists) {
    Json object = Json::object();
    for (const srqpool::Hist &hist : hists)
        object[srqpool::hist_name(hist.kind)] = histogram_json(hist);
    return object;
}

void add_counters(Record &record, const Stats &stats, bool seen) {
    const auto look = [&](Unit unit) { return seen ? in(unit) : hidden; };
    for (const CounterField &field : counters)
        record.add(field.key, stats.*field.counter, look(field.unit));
    if (stats.rnr_naks)
        record.add("rnr_naks", stats.rnr_naks, look(Unit::none));
    record.add("wc_errors", wc_errors_json(stats.wc_errors), look(Unit::none));
    record.add("hist", hists_json(stats.hists), look(Unit::none));
}

srqpool::Result<std::vector<Stats>> fetch(srqpool::Client &client,
                                          const PoolStatsOptions &options) {
    return options.name ? as_list(client.stats(*options.name)) : client.stats();
}

tl::unexpected<Failure> cannot_fetch(const srqpool::Error &error) {
    return failed(error, {{ENOENT, "try: srqctl pool show"}});
}

// Pools that came in between have no rate yet.
std::vector<Record> describe_all_rates(const std::vector<Stats> &before,
                                       const std::vector<Stats> &now, Seconds elapsed) {
    std::vector<Record> records;
    for (const Stats &stats : now) {
        const auto same = std::find_if(before.begin(), before.end(), [&](const Stats &earlier) {
            return earlier.name == stats.name;
        });
        if (same != before.end())
            records.push_back(describe_rates(*same, stats, elapsed));
    }
    return records;
}

Outcome watch(Session &session, srqpool::Client &client, const PoolStatsOptions &options) {
    const Environment &environment = session.environment;
    Seconds then = environment.now();
    auto before = fetch(client, options);
    if (!before)
        return cannot_fetch(before.error());

    for (std::uint32_t i = 0; !options.count || i < *options.count; i++) {
        environment.sleep(*options.interval);
        const Seconds now = environment.now();
        auto stats = fetch(client, options);
        if (!stats)
            return cannot_fetch(stats.error());
        session.writer.table(describe_all_rates(*before, *stats, now - then));
        before = std::move(stats);
        then = now;
    }
    return {};
}

} // namespace

std::optional<double> rate(const std::optional<std::uint64_t> &before,
                           const std::optional<std::uint64_t> &now, Seconds elapsed) {
    if (!before || !now || elapsed.count() <= 0)
        return std::nullopt;
    if (*now < *before)
        return 0.0;
    return static_cast<double>(*now - *before) / elapsed.count();
}

Record describe(const Stats &stats) {
    Record record;
    record.add("name", stats.name);
    add_counters(record, stats, true);
    return record;
}

Record describe_rates(const Stats &before, const Stats &now, Seconds elapsed) {
    Record record;
    record.add("name", now.name).add("seconds", elapsed.count(), hidden);
    add_counters(record, now, false);
    for (const CounterField &field : rates)
        record.add(field.key, rate(before.*field.counter, now.*field.counter, elapsed),
                   in(field.unit));
    return record;
}

Outcome run_pool_stats(Session &session, const PoolStatsOptions &options) {
    const auto client = session.client();
    if (!client)
        return tl::unexpected(client.error());
    if (options.interval)
        return watch(session, **client, options);

    const auto stats = fetch(**client, options);
    if (!stats)
        return cannot_fetch(stats.error());
    session.writer.list(describe_all(*stats));
    return {};
}

} // namespace srqctl
