// SPDX-License-Identifier: GPL-2.0
#pragma once

#include <string_view>

#include "config.h"
#include "values.h"

namespace srqctl {

/// Reads a configuration as strictly as the command line. The error begins with the path of what is
/// wrong, such as pools[0].classes[1].size.
Parsed<Config> read_config(std::string_view text);

} // namespace srqctl
