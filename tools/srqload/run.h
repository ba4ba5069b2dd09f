// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#pragma once

#include "options.h"
#include "shared.h"
#include "tally.h"

#include <string>
#include <tl/expected.hpp>

namespace srqload {

/// Does what the options say, until done or `stop` is raised. An error is only what kept it from
/// starting; what failed underway is in the tally.
tl::expected<Tally, std::string> run(const Options &options, const Flag &stop);

} // namespace srqload
