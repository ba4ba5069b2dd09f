// SPDX-License-Identifier: GPL-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "session.h"

namespace srqctl {

enum class RecvFormat { hex, raw, json };

struct RecvOptions {
    std::string pool;
    std::optional<std::uint32_t> count;
    std::optional<RecvFormat> format;
};

/// Runs until there were `count` messages, the session is told to stop, or the pool goes.
Outcome run_recv(Session &session, const RecvOptions &options);

} // namespace srqctl
