// SPDX-License-Identifier: GPL-2.0
#pragma once

#include <CLI/CLI.hpp>

#include "lib/objects.h"

namespace srqctl {

/// The options of a pool besides its name and its device.
void add_knobs(CLI::App &command, srqpool::PoolSpec &spec);

} // namespace srqctl
