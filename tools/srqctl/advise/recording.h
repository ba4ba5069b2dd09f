// SPDX-License-Identifier: GPL-2.0
#pragma once

#include <string>

#include <tl/expected.hpp>

#include "record.h"
#include "seen.h"

namespace srqctl::advice {

/// Reads what `srqctl advise --record` printed, or somebody has put together from the JSON of
/// the shows: {"pools", "stats"} and, as far as they are known, "listeners", "conns", "devs".
/// Each pool has its statistics. The error names what is wrong.
tl::expected<std::vector<Seen>, std::string> read_recording(const std::string &text);

/// The same in writing.
Json recording_of(const std::vector<Seen> &seen);

} // namespace srqctl::advice
