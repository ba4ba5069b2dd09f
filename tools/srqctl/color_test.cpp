// SPDX-License-Identifier: GPL-2.0
//
// When the tool colours what it prints.
#include <sstream>

#include <gtest/gtest.h>

#include "app.h"
#include "scenario.h"

namespace srqctl {
namespace {

struct Output {
    bool terminal;
    bool no_color;
};

bool is_colored(const std::vector<std::string> &arguments, const Output &output) {
    srqpool::fake::FakeKernel kernel;
    EXPECT_TRUE(set_up(kernel, "standard"));
    std::ostringstream out;
    std::ostringstream err;
    const Environment environment{
        .out = out,
        .err = err,
        .terminal = output.terminal,
        .no_color = output.no_color,
        .open_transport = [&] { return kernel.open(); },
    };
    EXPECT_EQ(run_app(arguments, environment), exit_done) << err.str();
    return out.str().find('\033') != std::string::npos;
}

constexpr Output terminal{.terminal = true, .no_color = false};
constexpr Output plain_terminal{.terminal = true, .no_color = true};
constexpr Output file{.terminal = false, .no_color = false};

TEST(Color, IsForTerminals) {
    for (const char *object : {"pool", "queue", "conn", "dev"}) {
        EXPECT_TRUE(is_colored({object, "show"}, terminal)) << object;
        EXPECT_FALSE(is_colored({object, "show"}, file)) << object;
    }
}

TEST(Color, IsNotThereWithNoColor) {
    EXPECT_FALSE(is_colored({"pool", "show"}, plain_terminal));
    EXPECT_FALSE(is_colored({"pool", "show", "web"}, plain_terminal));
    EXPECT_FALSE(is_colored({"pool", "stats"}, plain_terminal));
}

TEST(Color, WhatTheCommandSaysComesFirst) {
    EXPECT_TRUE(is_colored({"--color", "always", "pool", "show"}, plain_terminal));
    EXPECT_TRUE(is_colored({"--color", "always", "pool", "show"}, file));
    EXPECT_FALSE(is_colored({"--color", "never", "pool", "show"}, terminal));
}

TEST(Color, IsNeverInJson) {
    EXPECT_FALSE(is_colored({"-j", "pool", "show"}, terminal));
    EXPECT_FALSE(is_colored({"-p", "--color", "always", "pool", "show"}, terminal));
}

} // namespace
} // namespace srqctl
