// SPDX-License-Identifier: GPL-2.0
#pragma once

#include <string>
#include <vector>

#include "session.h"

namespace srqctl {

/// The whole tool: understands `arguments` (without the program's name), does what they say, and
/// answers the exit code.
int run_app(const std::vector<std::string> &arguments, const Environment &environment);

} // namespace srqctl
