// SPDX-License-Identifier: GPL-2.0
#pragma once

#include <memory>

#include "lib/error.h"
#include "screen.h"

namespace srqctl::top {

/// The terminal of standard input and output.
srqpool::Result<std::unique_ptr<Screen>> open_ncurses(bool color);

} // namespace srqctl::top
