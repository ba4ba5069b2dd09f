// SPDX-License-Identifier: GPL-2.0
#pragma once

#include <iosfwd>

#include "advice.h"
#include "record.h"

namespace srqctl::advice {

Json advice_json(const Advice &advice);

void print_advice(std::ostream &out, const Advice &advice, bool color);

} // namespace srqctl::advice
