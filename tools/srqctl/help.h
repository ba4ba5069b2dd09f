// SPDX-License-Identifier: GPL-2.0
#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace srqctl {

/// The commands that the arguments begin with, options aside, from the app down.
std::vector<const CLI::App *> command_path(const CLI::App &app,
                                           const std::vector<std::string> &arguments);

/// What -h, --help or the word help asks about: "help pool add", "pool help", "pool add help".
/// Null if nothing asks for help.
const CLI::App *help_topic(const CLI::App &app, const std::vector<std::string> &arguments);

std::string help_text(const CLI::App &topic);

} // namespace srqctl
