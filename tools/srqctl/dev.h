// SPDX-License-Identifier: GPL-2.0
#pragma once

#include "session.h"

namespace srqctl {

struct DevShowOptions {
    std::optional<std::string> dev;
};

Outcome run_dev_show(Session &session, const DevShowOptions &options);

Record describe(const srqpool::Dev &dev, const std::vector<srqpool::Holder> &holders);

} // namespace srqctl
