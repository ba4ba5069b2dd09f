// SPDX-License-Identifier: GPL-2.0
#pragma once

#include <chrono>

#include "grid.h"

namespace srqctl::top {

/// What a user wants, or the world.
enum class Input {
    none, // the time is up
    quit, // a signal too
    pause,
    next,
    previous,
    holders,
    longer,
    shorter,
    reset,
    resized,
};

/// A terminal that was taken over, and is given back as it was by the destructor.
class Screen {
  public:
    virtual ~Screen() = default;

    virtual Size size() const = 0;

    /// It shows more than ASCII.
    virtual bool unicode() const = 0;

    virtual void draw(const Grid &grid) = 0;

    virtual Input wait(std::chrono::duration<double> limit) = 0;
};

} // namespace srqctl::top
