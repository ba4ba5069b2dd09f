// SPDX-License-Identifier: GPL-2.0
#pragma once

#include "config.h"

namespace srqctl {

/// One value that differs. Of a class, if it has a name; null where one of the two is not there.
struct Change {
    std::optional<std::string> class_name;
    std::string key;
    Json from;
    Json to;
    bool possible = true; // while the object lives
};

/// "class big floor 8 -> 16", "quota 512 -> 64".
std::string to_string(const Change &change);

/// What becomes of one object: a pool, or a listener.
struct Step {
    enum class Act {
        keep,
        add_pool,
        set_pool,
        refuse_pool, // it cannot change so while it lives
        remove_listener,
        add_listener,
        replace_listener,
    };

    Act act = Act::keep;
    std::string pool;
    std::optional<std::string> listener = {}; // its address and port
    std::vector<Change> changes = {};

    srqpool::PoolSpec pool_spec = {}; // to add, or what of it to set
    srqpool::ListenerSpec listener_spec = {};
    std::optional<srqpool::ListenerSpec> former = {}; // of a listener that is replaced
    std::uint64_t listener_id = 0;                    // of one that goes
    std::uint32_t conns = 0;                          // that are closed with it
};

/// The steps from what there is to what a configuration says, a pool with its listeners after the
/// other. Pools that it does not name are left alone.
std::vector<Step> make_plan(const Config &config, const std::vector<srqpool::Pool> &pools,
                            const std::vector<srqpool::Listener> &listeners);

} // namespace srqctl
