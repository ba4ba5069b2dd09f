// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#pragma once

#include <cstdint>
#include <string>
#include <tl/expected.hpp>
#include <vector>

namespace srqref {

struct Options {
    std::string address;
    std::uint16_t port = 0;
    std::uint32_t depth = 1024; // of the shared queue, or of each connection's own
    bool shared = true;
    std::uint32_t size = 4096;
    bool echo = true;
    bool busy = false;
};

struct EarlyExit {
    int status = 0;
    std::string text;
};

/// `args` without the program's name.
tl::expected<Options, EarlyExit> parse_options(std::vector<std::string> args);

} // namespace srqref
