// SPDX-License-Identifier: GPL-2.0
#pragma once

#include "session.h"

namespace srqctl {

struct ListenAddOptions {
    srqpool::ListenerSpec spec;
};

struct ListenShowOptions {
    std::optional<std::uint64_t> id;
};

struct ListenDelOptions {
    std::uint64_t id = 0;
};

Outcome run_listen_add(Session &session, const ListenAddOptions &options);
Outcome run_listen_show(Session &session, const ListenShowOptions &options);
Outcome run_listen_del(Session &session, const ListenDelOptions &options);

Record describe(const srqpool::Listener &listener);

} // namespace srqctl
