// SPDX-License-Identifier: GPL-2.0
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "input.h"
#include "values.h"

namespace srqctl {

/// The words of a line as a shell has them: quotes, backslashes, and '#' before a comment.
Parsed<std::vector<std::string>> split_words(std::string_view line);

/// Why a command failed, and with which exit code.
struct Refusal {
    int code = exit_failed;
    std::string text;
    std::string hint = {};
    bool json = false; // the error, too
};

/// What does a command; a batch has one, for all of its lines.
using Runner = std::function<tl::expected<void, Refusal>(const std::vector<std::string> &words)>;

/// Runs each line; up to the first that fails unless `force`. Errors say where they are. The
/// exit code is the first failure's.
int run_batch(Session &session, Input &input, bool force, const Runner &run);

} // namespace srqctl
