// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#pragma once

#include "options.h"
#include "tally.h"

#include <string>

namespace srqload {

std::string text_report(const Options &options, const Tally &tally);
std::string json_report(const Options &options, const Tally &tally);

} // namespace srqload
