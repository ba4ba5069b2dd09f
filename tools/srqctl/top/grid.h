// SPDX-License-Identifier: GPL-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace srqctl::top {

struct Size {
    int width = 0;
    int height = 0;

    bool operator==(const Size &) const = default;
};

/// What a cell is, from which a screen makes a colour or an attribute.
enum class Paint : std::uint8_t {
    plain,
    dim,
    bold,
    title,
    heading,
    selected,
    good,
    low,   // below the mark
    empty, // or otherwise alarming
    marker,
};

struct Cell {
    char32_t glyph = U' ';
    Paint paint = Paint::plain;

    bool operator==(const Cell &) const = default;
};

/// A screen's contents. What does not fit is cut off.
class Grid {
  public:
    explicit Grid(Size size);

    Size size() const { return size_; }
    const Cell &at(int row, int column) const { return cells_[index(row, column)]; }

    void set(int row, int column, Cell cell);

    /// ASCII from the left; the column behind it is returned.
    int put(int row, int column, std::string_view text, Paint paint = Paint::plain);

    /// The same, ending before `end`.
    void put_right(int row, int end, std::string_view text, Paint paint = Paint::plain);

    /// A whole row gets it.
    void paint_row(int row, Paint paint);

    /// The rows in UTF-8, without the blanks at their ends.
    std::vector<std::string> lines() const;

  private:
    std::size_t index(int row, int column) const;

    Size size_;
    std::vector<Cell> cells_;
};

/// Cut to `width`, which a '~' then shows.
std::string fitted(std::string_view text, int width);

} // namespace srqctl::top
