// SPDX-License-Identifier: GPL-2.0
#pragma once

#include "grid.h"
#include "view.h"

namespace srqctl::top {

/// Where on a line, and with what characters.
struct Strip {
    int row = 0;
    int column = 0;
    int width = 0;
    bool unicode = false;
};

// Both go from 0 to the ceiling by square roots: a mark is often a hundredth of the ceiling, and
// must not fall on one cell with the floor.

/// What is posted, how much of it was there all the interval, and M, F, T and C where mark, floor,
/// target and ceiling are. A letter whose cell is taken moves to the next.
void draw_level(Grid &grid, const Strip &strip, const ClassView &one);

/// The last intervals, the newest on the right.
void draw_history(Grid &grid, const Strip &strip, const ClassView &one);

Paint paint_of(Level level);

} // namespace srqctl::top
