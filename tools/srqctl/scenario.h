// SPDX-License-Identifier: GPL-2.0
#pragma once

#include <string>

#include "lib/fake/fake_kernel.h"

namespace srqctl {

/// The kernel that a transcript's "@" line names:
///   standard | empty | not loaded | version MAJOR.MINOR | interrupted | truncated | many
///   selftest TROUBLE (selftest_scenario.h)
///   refuse COMMAND ERRNO TEXT | warn COMMAND TEXT
/// False if it is none of these.
bool set_up(srqpool::fake::FakeKernel &kernel, const std::string &scenario);

} // namespace srqctl
