// SPDX-License-Identifier: GPL-2.0
#pragma once

#include "plan.h"
#include "session.h"

namespace srqctl {

/// What became of a step, or would: added, changed, removed, unchanged, refused or failed.
Record describe(const Step &step, const Outcome &outcome = {});

/// Pools that cannot become what is asked for while they live, as one failure; nothing if none is.
std::optional<Failure> refusal_of(const std::vector<Step> &steps);

/// The first step that failed, and how many did; nothing if none did.
std::optional<Failure> failure_of(const std::vector<Step> &steps,
                                  const std::vector<Outcome> &outcomes);

} // namespace srqctl
