// SPDX-License-Identifier: GPL-2.0
#pragma once

#include <string>

#include <CLI/CLI.hpp>

namespace srqctl {

/// "--poll", or "-b" if it has no long name.
std::string option_name(const CLI::Option &option);

/// Every command with its names and options, in lines that fit a terminal.
std::string grammar(const CLI::App &app);

} // namespace srqctl
