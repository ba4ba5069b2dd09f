// SPDX-License-Identifier: GPL-2.0
#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "session.h"

namespace srqctl {

/// `srqctl __complete WORD...` is for the shells' completion scripts, and not in the help.
bool asks_to_complete(const std::vector<std::string> &arguments);

/// Prints what the last WORD could become, after those before it: a line for each, mostly with a
/// tab and what it stands for. A line that is only "/" says that the name of a file can stand
/// there. What can stand where is read from the commands and options of `app`, as help shows them.
void print_completions(const CLI::App &app, const std::vector<std::string> &arguments,
                       const Environment &environment);

} // namespace srqctl
