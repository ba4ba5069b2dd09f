// SPDX-License-Identifier: GPL-2.0
#include "gauge.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace srqctl::top {

namespace {

constexpr std::u32string_view blocks = U"▁▂▃▄▅▆▇█";
constexpr std::u32string_view ascii_steps = U"_.:-=+*#";

struct Fill {
    char32_t always; // posted all the interval
    char32_t again;  // posted now, but not all the interval
    char32_t none;
};

constexpr Fill block_fill{U'█', U'▒', U'·'};
constexpr Fill ascii_fill{U'#', U'+', U'.'};

struct Marker {
    std::uint32_t value;
    char32_t letter;
    int cell = 0;
};

double height(std::uint32_t value, std::uint32_t ceiling) {
    if (ceiling == 0)
        return 0;
    return std::sqrt(std::min(1.0, static_cast<double>(value) / ceiling));
}

// Whatever is not nothing is seen.
int cells(std::uint32_t value, std::uint32_t ceiling, int width) {
    const int rounded = static_cast<int>(std::lround(height(value, ceiling) * width));
    return value > 0 ? std::max(rounded, 1) : 0;
}

// The last cell that a level of this value fills.
int cell_of(std::uint32_t value, std::uint32_t ceiling, int width) {
    return std::max(cells(value, ceiling, width) - 1, 0);
}

// Sorted by value, no two on one cell, none outside.
std::array<Marker, 4> markers_of(const ClassView &one, int width) {
    std::array<Marker, 4> markers{
        {{one.mark, U'M'}, {one.floor, U'F'}, {one.target, U'T'}, {one.ceiling, U'C'}}};
    std::stable_sort(markers.begin(), markers.end(),
                     [](const Marker &a, const Marker &b) { return a.value < b.value; });
    int limit = width - 1;
    for (std::size_t i = markers.size(); i-- > 0;) {
        markers[i].cell = std::min(cell_of(markers[i].value, one.ceiling, width), limit);
        limit = markers[i].cell - 1;
    }
    int least = 0;
    for (Marker &marker : markers) {
        marker.cell = std::max(marker.cell, least);
        least = marker.cell + 1;
    }
    return markers;
}

} // namespace

Paint paint_of(Level level) {
    switch (level) {
    case Level::good:
        return Paint::good;
    case Level::low:
        return Paint::low;
    case Level::empty:
        break;
    }
    return Paint::empty;
}

void draw_level(Grid &grid, const Strip &strip, const ClassView &one) {
    const Fill &fill = strip.unicode ? block_fill : ascii_fill;
    const int posted = cells(one.posted, one.ceiling, strip.width);
    const int always = cells(std::min(one.lowest, one.posted), one.ceiling, strip.width);
    const Paint paint = paint_of(level_of(one.posted, one.mark));
    for (int i = 0; i < strip.width; i++) {
        const char32_t glyph = i < always ? fill.always : i < posted ? fill.again : fill.none;
        grid.set(strip.row, strip.column + i, {glyph, i < posted ? paint : Paint::dim});
    }
    for (const Marker &marker : markers_of(one, strip.width))
        if (marker.value > 0)
            grid.set(strip.row, strip.column + marker.cell, {marker.letter, Paint::marker});
}

void draw_history(Grid &grid, const Strip &strip, const ClassView &one) {
    const std::u32string_view steps = strip.unicode ? blocks : ascii_steps;
    const int count = std::min(strip.width, static_cast<int>(one.history.size()));
    for (int i = 0; i < count; i++) {
        const std::uint32_t value = *(one.history.end() - count + i);
        const auto top = static_cast<double>(steps.size() - 1);
        const auto step = static_cast<std::size_t>(std::lround(height(value, one.ceiling) * top));
        grid.set(strip.row, strip.column + strip.width - count + i,
                 {steps[step], paint_of(level_of(value, one.mark))});
    }
}

} // namespace srqctl::top
