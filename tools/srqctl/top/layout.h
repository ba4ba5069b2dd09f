// SPDX-License-Identifier: GPL-2.0
#pragma once

#include "grid.h"
#include "view.h"

namespace srqctl::top {

constexpr Size smallest{80, 24};

/// The view on a screen of a size, with block characters if it has more than ASCII.
Grid lay_out(const View &view, Size size, bool unicode);

/// How many holders are shown at most.
constexpr std::size_t most_holders = 100;

} // namespace srqctl::top
