// SPDX-License-Identifier: GPL-2.0
#pragma once

#include "plan.h"
#include "session.h"

namespace srqctl {

/// What became of each step of a plan, in its order.
using Outcomes = std::vector<Outcome>;

/// Does the steps. First what makes room: changes and removals; then what is added. Nothing more
/// is done for a pool that failed, and one that is new goes again if a listener of it fails. A
/// listener that cannot be replaced gets its former self back.
Outcomes do_steps(srqpool::Client &client, const std::vector<Step> &steps);

} // namespace srqctl
