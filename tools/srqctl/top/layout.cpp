// SPDX-License-Identifier: GPL-2.0
#include "layout.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "gauge.h"
#include "lib/names.h"
#include "srqctl/units.h"

namespace srqctl::top {

namespace {

// What is left of a screen, from the top.
struct Page {
    Grid &grid;
    bool unicode;
    int row = 0;
    int end = 0; // the row of the keys

    int left() const { return end - row; }
    int width() const { return grid.size().width; }
    int wider() const { return width() - smallest.width; }
};

std::string_view word(Level level) {
    constexpr std::array<std::string_view, 3> words = {"ok", "low", "empty"};
    return words[static_cast<std::size_t>(level)];
}

// "1234", "12.5", "0.04": as many decimals as say something.
std::string per_second(const std::optional<double> &value) {
    if (!value)
        return "-";
    return *value >= 100 ? fmt::format("{:.0f}", *value)
                         : human(std::round(*value * 10) / 10, Unit::none);
}

std::string bytes_per_second(const std::optional<double> &value) {
    return value ? human(*value, Unit::bytes) + "/s" : "-";
}

std::string clock_of(std::uint64_t time_ns) {
    const std::string text = human(time_ns, Unit::wall_clock_ns);
    const std::size_t blank = text.find(' ');
    return text.substr(blank + 1, 8);
}

std::string of(std::uint64_t value, std::uint64_t most) {
    return fmt::format("{}/{}", value, most);
}

void draw_title(Page &page, const View &view) {
    const std::string pools =
        fmt::format("{} pool{}", view.pools.size(), view.pools.size() == 1 ? "" : "s");
    std::string text =
        fmt::format(" srqctl top   {}, each {}", pools, human(view.interval.count(), Unit::sec));
    if (view.paused)
        text += "   PAUSED";
    if (!view.note.empty())
        text += "   " + view.note;
    page.grid.put(page.row, 0, fitted(text, page.width() - 11));
    page.grid.put_right(page.row, page.width() - 1, clock_of(view.time_ns));
    page.grid.paint_row(page.row++, Paint::title);
}

// Ends of the columns that are flush right.
struct PoolColumns {
    int state, conns, pinned, rx, tx, level;

    explicit PoolColumns(const Page &page) {
        state = 17 + std::min(page.wider(), 17);
        conns = state + 15;
        pinned = conns + 20;
        rx = pinned + 10;
        tx = rx + 10;
        level = tx + 2;
    }
};

void draw_pool_line(Page &page, const PoolView &pool, bool chosen) {
    const PoolColumns at(page);
    const Paint paint = chosen ? Paint::selected : Paint::plain;
    const Level level = level_of(pool);
    Grid &grid = page.grid;
    grid.put(page.row, 0, chosen ? "> " : "  ");
    grid.put(page.row, 2, fitted(pool.name, at.state - 3));
    grid.put(page.row, at.state, fitted(pool.state, 10));
    grid.put_right(page.row, at.conns, std::to_string(pool.conns));
    grid.put_right(page.row, at.pinned,
                   human(pool.pinned, Unit::bytes) + '/' + human(pool.budget, Unit::bytes));
    grid.put_right(page.row, at.rx, per_second(pool.rates.rx_msgs));
    grid.put_right(page.row, at.tx, per_second(pool.rates.tx_msgs));
    grid.paint_row(page.row, paint);
    grid.put(page.row++, at.level, word(level), level == Level::good ? paint : paint_of(level));
}

// As many of the list as have room, the chosen one among them.
void draw_pools(Page &page, const View &view) {
    const PoolColumns at(page);
    const std::size_t room = static_cast<std::size_t>(page.grid.size().height / 6);
    const std::size_t count = std::min(room, view.pools.size());
    const std::size_t first =
        std::min(view.selected - std::min(view.selected, count / 2), view.pools.size() - count);
    const std::string heading =
        count < view.pools.size() ? fmt::format("POOL {}-{}", first + 1, first + count) : "POOL";
    page.grid.put(page.row, 2, heading);
    page.grid.put(page.row, at.state, "STATE");
    page.grid.put_right(page.row, at.conns, "CONNS");
    page.grid.put_right(page.row, at.pinned, "PINNED/BUDGET");
    page.grid.put_right(page.row, at.rx, "RX/S");
    page.grid.put_right(page.row, at.tx, "TX/S");
    page.grid.put(page.row, at.level, "LEVEL");
    page.grid.paint_row(page.row++, Paint::heading);
    for (std::size_t i = first; i < first + count; i++)
        draw_pool_line(page, view.pools[i], i == view.selected);
}

struct Fact {
    std::string_view label;
    std::string value;
    bool alarming = false;
};

void draw_fact(Page &page, int column, const Fact &fact) {
    page.grid.put(page.row, column, fact.label, Paint::dim);
    page.grid.put(page.row, column + 10, fact.value, fact.alarming ? Paint::empty : Paint::plain);
}

void draw_facts(Page &page, const Fact &left, const Fact &right) {
    draw_fact(page, 2, left);
    draw_fact(page, page.width() / 2 + 2, right);
    page.row++;
}

void draw_rates(Page &page, const Rates &rates) {
    const auto messages = [](const auto &msgs, const auto &bytes) {
        return fmt::format("{} msgs/s, {}", per_second(msgs), bytes_per_second(bytes));
    };
    const bool starved = rates.starved_events > 0.0 || rates.starved_ns > 0.0;
    const auto starved_ms =
        rates.starved_ns ? std::optional(*rates.starved_ns / 1e6) : std::nullopt;
    draw_facts(page, {"received", messages(rates.rx_msgs, rates.rx_bytes)},
               {"sent", messages(rates.tx_msgs, rates.tx_bytes)});
    draw_facts(page, {"refill", per_second(rates.limit_events) + " limit events/s"},
               {"posted", per_second(rates.refill_posted) + " buffers/s"});
    draw_facts(
        page,
        {"starved",
         fmt::format("{} times/s, {} ms/s", per_second(rates.starved_events),
                     per_second(starved_ms)),
         starved},
        {"RNR NAKs",
         fmt::format("{}/s, copied {}/s", per_second(rates.rnr_naks), per_second(rates.copied)),
         rates.rnr_naks > 0.0});
}

struct ClassColumns {
    int name, size, level, posted, bar, bar_width;

    ClassColumns(const Page &page, const std::vector<ClassView> &classes) {
        std::size_t longest = 5;
        std::size_t counts = 13;
        for (const ClassView &one : classes) {
            longest = std::max(longest, one.name.size());
            counts = std::max(counts, of(one.posted, one.target).size());
        }
        name = 2;
        size = name + std::min(static_cast<int>(longest), 10 + std::min(page.wider(), 21)) + 9;
        level = size + 2;
        posted = level + 6 + static_cast<int>(counts);
        bar = posted + 3;
        bar_width = page.width() - bar - 2;
    }

    Strip strip(const Page &page) const { return {page.row, bar, bar_width, page.unicode}; }
};

void draw_class_headings(Page &page, const ClassColumns &at) {
    page.grid.put(page.row, at.name, "CLASS");
    page.grid.put_right(page.row, at.size, "SIZE");
    page.grid.put(page.row, at.level, "LEVEL");
    page.grid.put_right(page.row, at.posted, "POSTED/TARGET");
    page.grid.put(page.row, at.bar, fitted("Mark Floor Target Ceiling", at.bar_width));
    page.grid.paint_row(page.row++, Paint::heading);
}

void draw_class_line(Page &page, const ClassColumns &at, const ClassView &one) {
    const Level level = level_of(one.posted, one.mark);
    Grid &grid = page.grid;
    grid.put(page.row, at.name, fitted(one.name, at.size - 8 - at.name), Paint::bold);
    grid.put_right(page.row, at.size, human(std::uint64_t{one.size}, Unit::bytes));
    grid.put(page.row, at.level, word(level), paint_of(level));
    grid.put_right(page.row, at.posted, of(one.posted, one.target));
    grid.put(page.row, at.bar - 1, "[", Paint::dim);
    draw_level(grid, at.strip(page), one);
    grid.put(page.row++, at.bar + at.bar_width, "]", Paint::dim);
}

void draw_history_line(Page &page, const ClassColumns &at, const ClassView &one) {
    page.grid.put(page.row, at.name + 2,
                  fmt::format("lowest {}, since reset {}", one.lowest, one.low_water), Paint::dim);
    draw_history(page.grid, at.strip(page), one);
    page.row++;
}

void draw_numbers_line(Page &page, const ClassColumns &at, const ClassView &one) {
    const std::string text =
        fmt::format("mark {} {}armed, floor {}, total {}, held {}, free {}, lost {}", one.mark,
                    one.armed ? "" : "not ", one.floor, of(one.total, one.ceiling),
                    of(one.held, one.total), one.free, one.lost);
    page.grid.put(page.row++, at.name + 2, fitted(text, page.width() - at.name - 3), Paint::dim);
}

// Each class in as many lines, of the three that there are, as all have room for.
void draw_classes(Page &page, const std::vector<ClassView> &classes, int room) {
    const ClassColumns at(page, classes);
    const int count = static_cast<int>(classes.size());
    const int lines = count == 0 ? 0 : (room - 1) / count;
    draw_class_headings(page, at);
    for (const ClassView &one : classes) {
        if (page.left() == 0)
            return;
        draw_class_line(page, at, one);
        if (lines >= 2)
            draw_history_line(page, at, one);
        if (lines >= 3)
            draw_numbers_line(page, at, one);
    }
}

struct HolderColumns {
    int conn = 9, peer = 11, name, shard, held, copied, idle;
    int peer_width;

    explicit HolderColumns(const Page &page) {
        peer_width = 22 + std::min(page.wider(), 25);
        name = peer + peer_width + 1;
        shard = name + 17;
        held = shard + 12;
        copied = held + 9;
        idle = page.width() > copied + 9 ? copied + 9 : page.width();
    }
};

void draw_holder_headings(Page &page, const HolderColumns &at) {
    page.grid.put_right(page.row, at.conn, "CONN");
    page.grid.put(page.row, at.peer, "PEER");
    page.grid.put(page.row, at.name, "CLASS");
    page.grid.put_right(page.row, at.shard, "SHARD");
    page.grid.put_right(page.row, at.held, "HELD/QUOTA");
    page.grid.put_right(page.row, at.copied, "COPIED");
    page.grid.put_right(page.row, at.idle, "IDLE");
    page.grid.paint_row(page.row++, Paint::heading);
}

void draw_holder(Page &page, const HolderColumns &at, const srqpool::Conn &conn,
                 std::uint32_t quota) {
    const std::uint32_t held = conn.held.value_or(0);
    const std::string peer = conn.peer_addr && conn.peer_port
                                 ? with_port(*conn.peer_addr, *conn.peer_port)
                                 : std::string("-");
    Grid &grid = page.grid;
    grid.put_right(page.row, at.conn, std::to_string(conn.id));
    grid.put(page.row, at.peer, fitted(peer, at.peer_width));
    grid.put(page.row, at.name, fitted(conn.class_name.value_or("-"), 11));
    grid.put_right(page.row, at.shard, conn.shard ? std::to_string(*conn.shard) : "-");
    grid.put_right(page.row, at.held, of(held, quota),
                   held >= quota && quota > 0 ? Paint::low : Paint::plain);
    grid.put_right(page.row, at.copied, conn.copied ? std::to_string(*conn.copied) : "-");
    grid.put_right(page.row, at.idle,
                   conn.idle_ms ? human(*conn.idle_ms, Unit::msec) : std::string("-"));
    page.row++;
}

void draw_holders(Page &page, const View &view, const PoolView &pool) {
    const HolderColumns at(page);
    if (page.left() < 2)
        return;
    draw_holder_headings(page, at);
    if (view.holders.empty())
        page.grid.put(page.row++, at.peer,
                      view.paused || pool.conns > 0 ? "not read yet" : "no connection", Paint::dim);
    for (const srqpool::Conn &conn : view.holders) {
        if (page.left() == 0)
            return;
        draw_holder(page, at, conn, pool.quota);
    }
}

void draw_keys(Page &page, const View &view) {
    struct Key {
        std::string_view key;
        std::string_view does;
        bool works = true;
    };
    const std::array<Key, 6> keys = {{
        {"q", "quit"},
        {"space", view.paused ? "go on" : "pause"},
        {"n/p", "pool", view.pools.size() > 1},
        {"h", view.holders_shown ? "hide holders" : "holders"},
        {"+/-", "interval"},
        {"r", "reset view"},
    }};
    int column = 1;
    for (const Key &key : keys) {
        if (!key.works)
            continue;
        column = page.grid.put(page.end, column, key.key, Paint::bold) + 1;
        column = page.grid.put(page.end, column, key.does, Paint::dim) + 3;
    }
}

void draw_pool(Page &page, const View &view, const PoolView &pool) {
    constexpr int holder_lines = 4;
    const int kept = view.holders_shown ? holder_lines : 0;
    const std::string about =
        fmt::format("{} on {}, {}, {} shard{}, poll {}", pool.name, pool.dev, pool.state,
                    pool.shards, pool.shards == 1 ? "" : "s", pool.poll);
    if (page.left() > 5 + kept + 3 * static_cast<int>(pool.classes.size()))
        page.row++;
    page.grid.put(page.row++, 1, fitted(about, page.width() - 2), Paint::bold);
    draw_rates(page, pool.rates);
    draw_classes(page, pool.classes, page.left() - kept);
    if (!view.holders_shown)
        return;
    if (page.left() > holder_lines)
        page.row++;
    draw_holders(page, view, pool);
}

void draw_too_small(Grid &grid) {
    const Size size = grid.size();
    const std::string text = fmt::format("srqctl top needs {}x{}; this is {}x{}", smallest.width,
                                         smallest.height, size.width, size.height);
    grid.put(size.height / 2, std::max((size.width - static_cast<int>(text.size())) / 2, 0), text,
             Paint::bold);
    if (size.height > 2)
        grid.put(size.height - 1, 1, "q quit", Paint::dim);
}

} // namespace

Grid lay_out(const View &view, Size size, bool unicode) {
    Grid grid(size);
    if (size.width < smallest.width || size.height < smallest.height) {
        draw_too_small(grid);
        return grid;
    }
    Page page{grid, unicode};
    page.end = size.height - 1;
    draw_title(page, view);
    if (view.pools.empty()) {
        grid.put(page.row + 1, 2, "There is no pool. To add one: srqctl pool add NAME --dev DEV");
    } else {
        draw_pools(page, view);
        draw_pool(page, view, view.pools[view.selected]);
    }
    draw_keys(page, view);
    return grid;
}

} // namespace srqctl::top
