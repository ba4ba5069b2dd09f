// SPDX-License-Identifier: GPL-2.0
#pragma once

#include "session.h"

namespace srqctl {

struct QueueShowOptions {
    std::optional<std::string> pool;
};

Outcome run_queue_show(Session &session, const QueueShowOptions &options);

Record describe(const srqpool::Queue &queue);

} // namespace srqctl
