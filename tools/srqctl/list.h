// SPDX-License-Identifier: GPL-2.0
#pragma once

#include <iosfwd>

#include "record.h"

namespace srqctl {

/// A record as a list: its first value as a title, then a line for each field. Objects are
/// indented below their key, histograms as bars.
void print_list(std::ostream &out, const Record &record, bool color);

/// The same with every field, also what is in no table.
void print_details(std::ostream &out, const Record &record, bool color);

} // namespace srqctl
