// SPDX-License-Identifier: GPL-2.0
#include "grid.h"

#include <algorithm>

namespace srqctl::top {

namespace {

void append_utf8(std::string &text, char32_t glyph) {
    const auto byte = [&](char32_t value) { text += static_cast<char>(value); };
    if (glyph < 0x80) {
        byte(glyph);
    } else if (glyph < 0x800) {
        byte(0xC0 | glyph >> 6);
        byte(0x80 | (glyph & 0x3F));
    } else {
        byte(0xE0 | glyph >> 12);
        byte(0x80 | (glyph >> 6 & 0x3F));
        byte(0x80 | (glyph & 0x3F));
    }
}

bool is_printable(char c) { return c >= ' ' && c <= '~'; }

} // namespace

Grid::Grid(Size size)
    : size_{std::max(size.width, 0), std::max(size.height, 0)},
      cells_(static_cast<std::size_t>(size_.width) * static_cast<std::size_t>(size_.height)) {}

std::size_t Grid::index(int row, int column) const {
    return static_cast<std::size_t>(row) * static_cast<std::size_t>(size_.width) +
           static_cast<std::size_t>(column);
}

void Grid::set(int row, int column, Cell cell) {
    if (row >= 0 && row < size_.height && column >= 0 && column < size_.width)
        cells_[index(row, column)] = cell;
}

int Grid::put(int row, int column, std::string_view text, Paint paint) {
    for (const char c : text)
        set(row, column++, {static_cast<char32_t>(is_printable(c) ? c : '?'), paint});
    return column;
}

void Grid::put_right(int row, int end, std::string_view text, Paint paint) {
    put(row, end - static_cast<int>(text.size()), text, paint);
}

void Grid::paint_row(int row, Paint paint) {
    for (int column = 0; column < size_.width; column++)
        set(row, column, {at(row, column).glyph, paint});
}

std::vector<std::string> Grid::lines() const {
    std::vector<std::string> lines;
    for (int row = 0; row < size_.height; row++) {
        std::string line;
        for (int column = 0; column < size_.width; column++)
            append_utf8(line, at(row, column).glyph);
        line.erase(line.find_last_not_of(' ') + 1);
        lines.push_back(std::move(line));
    }
    return lines;
}

std::string fitted(std::string_view text, int width) {
    const auto limit = static_cast<std::size_t>(std::max(width, 1));
    if (text.size() <= limit)
        return std::string(text);
    return std::string(text.substr(0, limit - 1)) + '~';
}

} // namespace srqctl::top
