// SPDX-License-Identifier: GPL-2.0
#include "model.h"

#include <algorithm>

#include "lib/names.h"
#include "srqctl/stats.h"

namespace srqctl::top {

namespace {

const srqpool::Stats *find(const std::vector<srqpool::Stats> &list, const std::string &pool) {
    const auto same = std::find_if(list.begin(), list.end(),
                                   [&](const srqpool::Stats &one) { return one.name == pool; });
    return same == list.end() ? nullptr : &*same;
}

Rates rates_of(const srqpool::Stats &before, const srqpool::Stats &now, Seconds elapsed) {
    using Counter = std::optional<std::uint64_t> srqpool::Stats::*;
    const auto of = [&](Counter counter) { return rate(before.*counter, now.*counter, elapsed); };
    return {
        .rx_msgs = of(&srqpool::Stats::rx_msgs),
        .rx_bytes = of(&srqpool::Stats::rx_bytes),
        .tx_msgs = of(&srqpool::Stats::tx_msgs),
        .tx_bytes = of(&srqpool::Stats::tx_bytes),
        .limit_events = of(&srqpool::Stats::limit_events),
        .refill_posted = of(&srqpool::Stats::refill_posted),
        .starved_events = of(&srqpool::Stats::starved_events),
        .starved_ns = of(&srqpool::Stats::starved_ns),
        .rnr_naks = of(&srqpool::Stats::rnr_naks),
        .copied = of(&srqpool::Stats::copied),
    };
}

} // namespace

Level level_of(std::uint32_t posted, std::uint32_t mark) {
    if (posted == 0)
        return Level::empty;
    return posted < mark ? Level::low : Level::good;
}

Level level_of(const PoolView &pool) {
    Level worst = Level::good;
    for (const ClassView &one : pool.classes)
        worst = std::max(worst, level_of(one.posted, one.mark));
    return worst;
}

void Model::look(const std::vector<srqpool::Pool> &pools) {
    for (const srqpool::Pool &pool : pools)
        follow(pool);
}

// Where low_water fell, it tells how low the level was between two looks.
void Model::follow(const srqpool::Pool &pool) {
    for (const srqpool::Class &one : pool.classes) {
        const std::uint32_t posted = one.posted.value_or(0);
        const std::uint32_t low_water = one.low_water.value_or(posted);
        const auto [at, is_new] = tracks_.try_emplace(Key{pool.id.value_or(0), one.name});
        Track &track = at->second;
        track.lowest = is_new ? posted : std::min(track.lowest, posted);
        if (!is_new && low_water < track.low_water)
            track.lowest = std::min(track.lowest, low_water);
        track.low_water = low_water;
    }
}

void Model::end_interval(Seconds now, const std::vector<srqpool::Pool> &pools,
                         std::vector<srqpool::Stats> stats) {
    look(pools);
    const PoolView *old = chosen();
    const std::optional<std::uint64_t> id = old ? std::optional(old->id) : std::nullopt;

    std::vector<PoolView> views;
    views.reserve(pools.size());
    for (const srqpool::Pool &pool : pools)
        views.push_back(
            view_of(pool, find(stats_, pool.name), find(stats, pool.name), now - then_));
    view_.pools = std::move(views);
    stats_ = std::move(stats);
    then_ = now;
    forget_what_is_gone();

    const auto same = std::find_if(view_.pools.begin(), view_.pools.end(),
                                   [&](const PoolView &pool) { return pool.id == id; });
    if (same != view_.pools.end()) {
        view_.selected = static_cast<std::size_t>(same - view_.pools.begin());
        return;
    }
    view_.selected = 0;
    view_.holders.clear();
}

void Model::set_holders(std::vector<srqpool::Conn> conns) { view_.holders = std::move(conns); }

void Model::choose(int step) {
    const auto count = static_cast<std::ptrdiff_t>(view_.pools.size());
    if (count < 2)
        return;
    const auto at = static_cast<std::ptrdiff_t>(view_.selected) + step;
    view_.selected = static_cast<std::size_t>((at % count + count) % count);
    view_.holders.clear();
}

const PoolView *Model::chosen() const {
    return view_.pools.empty() ? nullptr : &view_.pools[view_.selected];
}

void Model::reset() {
    for (PoolView &pool : view_.pools)
        for (ClassView &one : pool.classes) {
            one.history.clear();
            one.lowest = one.posted;
        }
    for (auto &[key, track] : tracks_)
        track.history.clear();
}

PoolView Model::view_of(const srqpool::Pool &pool, const srqpool::Stats *before,
                        const srqpool::Stats *now, Seconds elapsed) {
    PoolView view{
        .id = pool.id.value_or(0),
        .name = pool.name,
        .dev = pool.dev.value_or("-"),
        .state = pool.state ? srqpool::pool_state_name(*pool.state) : "-",
        .poll = pool.poll ? to_string(*pool.poll) : "-",
        .shards = pool.shards.value_or(0),
        .conns = pool.conns.value_or(0),
        .quota = pool.quota.value_or(0),
        .pinned = pool.pinned.value_or(0),
        .budget = pool.budget.value_or(0),
        .rates = before && now ? rates_of(*before, *now, elapsed) : Rates{},
        .classes = {},
    };
    for (const srqpool::Class &one : pool.classes)
        view.classes.push_back(view_of(pool, one));
    return view;
}

ClassView Model::view_of(const srqpool::Pool &pool, const srqpool::Class &one) {
    ClassView view{
        .name = one.name,
        .size = one.size.value_or(0),
        .floor = one.floor.value_or(0),
        .mark = one.mark.value_or(0),
        .target = one.target.value_or(0),
        .ceiling = one.ceiling.value_or(0),
        .armed = one.armed.value_or(false),
        .total = one.total.value_or(0),
        .posted = one.posted.value_or(0),
        .held = one.held.value_or(0),
        .free = one.free.value_or(0),
        .lost = one.lost.value_or(0),
        .low_water = one.low_water.value_or(0),
        .lowest = 0,
        .history = {},
    };
    Track &track = tracks_[Key{pool.id.value_or(0), one.name}];
    view.lowest = track.lowest;
    track.history.push_back(track.lowest);
    if (track.history.size() > history_length)
        track.history.pop_front();
    track.lowest = view.posted;
    view.history.assign(track.history.begin(), track.history.end());
    return view;
}

void Model::forget_what_is_gone() {
    std::erase_if(tracks_, [&](const auto &entry) {
        const Key &key = entry.first;
        return std::none_of(view_.pools.begin(), view_.pools.end(),
                            [&](const PoolView &pool) { return pool.id == key.first; });
    });
}

} // namespace srqctl::top
