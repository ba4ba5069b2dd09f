// SPDX-License-Identifier: GPL-2.0
//
// Whole frames against transcripts/frames/*.txt; UPDATE_TRANSCRIPTS=1 writes them instead: read
// the difference.
#include "layout.h"

#include <cstdlib>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

namespace srqctl::top {
namespace {

ClassView a_class(const std::string &name, std::uint32_t size, std::uint32_t floor,
                  std::uint32_t ceiling) {
    ClassView one;
    one.name = name;
    one.size = size;
    one.floor = floor;
    one.target = floor;
    one.ceiling = ceiling;
    one.mark = floor / 4;
    one.armed = true;
    one.total = floor + 8;
    one.posted = floor;
    one.free = 8;
    one.lowest = floor;
    one.low_water = floor;
    one.history = {floor, floor, floor};
    return one;
}

// It grew, fell, and has nearly recovered.
ClassView a_lively_class() {
    ClassView one = a_class("4096", 4096, 128, 4096);
    one.target = 1024;
    one.mark = 256;
    one.posted = 900;
    one.total = 1032;
    one.held = 124;
    one.lowest = 300;
    one.low_water = 12;
    one.history.clear();
    for (std::uint32_t i = 0; i < 60; i++)
        one.history.push_back(i < 20 ? 128 : i < 40 ? 12 + i * 3 : 200 + i * 12);
    return one;
}

PoolView a_pool(std::uint64_t id, const std::string &name, std::vector<ClassView> classes) {
    PoolView pool;
    pool.id = id;
    pool.name = name;
    pool.dev = "rxe0";
    pool.state = "active";
    pool.poll = "auto";
    pool.shards = 2;
    pool.conns = 2;
    pool.quota = 64;
    pool.pinned = 1536 << 10;
    pool.budget = 256 << 20;
    pool.rates = {.rx_msgs = 12345.6,
                  .rx_bytes = 7.5e6,
                  .tx_msgs = 12300,
                  .tx_bytes = 7.4e6,
                  .limit_events = 0.5,
                  .refill_posted = 384,
                  .starved_events = 0,
                  .starved_ns = 0,
                  .rnr_naks = std::nullopt,
                  .copied = 1.25};
    pool.classes = std::move(classes);
    return pool;
}

srqpool::Conn a_holder(std::uint64_t id, const std::string &peer, std::uint32_t held) {
    srqpool::Conn conn;
    conn.id = id;
    conn.peer_addr = *srqpool::parse_address(peer);
    conn.peer_port = 40001;
    conn.class_name = "4096";
    conn.shard = 1;
    conn.held = held;
    conn.copied = 7;
    conn.idle_ms = 1500;
    return conn;
}

View busy() {
    View view;
    PoolView log = a_pool(2, "log", {a_class("512", 512, 16, 16)});
    log.state = "degraded";
    log.classes[0].posted = 0;
    view.pools = {a_pool(1, "web", {a_lively_class(), a_class("big", 65536, 8, 8)}), log};
    view.pools[1].rates = {};
    view.holders_shown = true;
    view.holders = {a_holder(22, "2001:db8:1234:5678:9abc:def0:1234:5678", 64),
                    a_holder(21, "10.7.0.2", 1)};
    view.time_ns = 1764504000000000000; // 2025-11-30 12:00:00 UTC
    return view;
}

// As much as there can be: every class, more pools than lines, long names, large numbers.
View crowded() {
    View view = busy();
    std::vector<ClassView> classes;
    for (const char c : std::string("abcdefgh"))
        classes.push_back(a_class(std::string(31, c), 4 << 20, 1000000, 1048576));
    view.pools.clear();
    for (std::uint64_t id = 1; id <= 12; id++)
        view.pools.push_back(a_pool(id, std::string(29, 'p') + std::to_string(id), classes));
    view.selected = 7;
    view.paused = true;
    view.note = "connections changed while read";
    for (std::uint64_t id = 1; id < 40; id++)
        view.holders.push_back(a_holder(id, "10.7.0.2", 1));
    return view;
}

std::string text_of(const Grid &grid) {
    std::string text;
    for (const std::string &line : grid.lines())
        text += line + '\n';
    return text;
}

struct Case {
    const char *name;
    View (*view)();
    Size size;
    bool unicode;
};

View empty() {
    View view = busy();
    view.pools.clear();
    view.holders.clear();
    return view;
}

View starving() {
    View view = busy();
    view.selected = 1;
    view.holders.clear();
    view.holders_shown = false;
    view.interval = std::chrono::duration<double>(0.2);
    view.pools[1].rates.starved_events = 3;
    view.pools[1].rates.starved_ns = 250e6;
    view.pools[1].rates.rnr_naks = 17;
    return view;
}

class Frame : public testing::TestWithParam<Case> {};

TEST_P(Frame, IsAsItWas) {
    setenv("TZ", "UTC", 1);
    const Case &wanted = GetParam();
    const std::string drawn = text_of(lay_out(wanted.view(), wanted.size, wanted.unicode));
    const std::string path = std::string(TRANSCRIPTS) + "/frames/" + wanted.name + ".txt";
    if (std::getenv("UPDATE_TRANSCRIPTS"))
        std::ofstream(path) << drawn;
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    EXPECT_EQ(drawn, text.str());
}

INSTANTIATE_TEST_SUITE_P(Top, Frame,
                         testing::Values(Case{"busy_80x24", busy, {80, 24}, true},
                                         Case{"busy_80x24_ascii", busy, {80, 24}, false},
                                         Case{"busy_120x40", busy, {120, 40}, true},
                                         Case{"busy_120x40_ascii", busy, {120, 40}, false},
                                         Case{"crowded_80x24_ascii", crowded, {80, 24}, false},
                                         Case{"crowded_120x40", crowded, {120, 40}, true},
                                         Case{"starving_80x24", starving, {80, 24}, true},
                                         Case{"empty_80x24", empty, {80, 24}, true},
                                         Case{"small_60x10", busy, {60, 10}, true}),
                         [](const testing::TestParamInfo<Case> &frame) {
                             return std::string(frame.param.name);
                         });

TEST(Layout, PlainCharactersAreAscii) {
    for (const auto &view : {busy(), crowded(), starving(), empty()})
        for (const char c : text_of(lay_out(view, {132, 50}, false)))
            EXPECT_TRUE(c == '\n' || (c >= ' ' && c <= '~'));
}

TEST(Layout, EverySizeIsDrawn) {
    for (int width = 0; width < 200; width += 7)
        for (int height = 0; height < 60; height += 3)
            for (const auto &view : {busy(), crowded(), empty()})
                EXPECT_EQ(lay_out(view, {width, height}, true).size(), (Size{width, height}));
}

// The paint of the first cell with this glyph.
Paint paint_of(const Grid &grid, char32_t glyph) {
    for (int row = 0; row < grid.size().height; row++)
        for (int column = 0; column < grid.size().width; column++)
            if (grid.at(row, column).glyph == glyph)
                return grid.at(row, column).paint;
    ADD_FAILURE() << "no such glyph";
    return Paint::plain;
}

TEST(Layout, TheBarOfALowLevelIsPaintedSo) {
    View view = busy();
    view.pools = {a_pool(1, "web", {a_lively_class()})};
    EXPECT_EQ(paint_of(lay_out(view, smallest, false), U'#'), Paint::good);
    view.pools[0].classes[0].posted = 255;
    EXPECT_EQ(paint_of(lay_out(view, smallest, false), U'#'), Paint::low);
}

} // namespace
} // namespace srqctl::top
