// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#pragma once

#include "sizes.h"

#include <cstdint>
#include <string>
#include <tl/expected.hpp>
#include <vector>

namespace srqload {

enum class PollMode : std::uint8_t { busy, event, hybrid };

struct Options {
    std::string address;
    std::uint16_t port = 0;
    std::uint32_t connections = 1;
    std::uint32_t connecting = 128;
    std::uint64_t messages = 100; // per connection
    Sizes sizes;
    std::uint64_t rate = 0; // messages a second in total; 0: as fast as possible
    std::uint32_t burst = 1;
    bool one_way = false;
    bool verify = false;
    std::uint32_t threads = 1;
    PollMode poll = PollMode::event;
    std::uint32_t signal_every = 1;
    std::uint8_t rnr_retry = 7;
    std::uint32_t hold_seconds = 0;
    std::uint64_t seed = 1;
    bool json = false;
};

/// Why there are no options: help, version (status 0) or a usage error (status 2).
struct EarlyExit {
    int status = 0;
    std::string text;
};

/// `args` without the program's name.
tl::expected<Options, EarlyExit> parse_options(std::vector<std::string> args);

} // namespace srqload
