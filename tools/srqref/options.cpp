// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include "options.h"

#include "number.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>

namespace srqref {

namespace {

constexpr const char *help_text =
    R"(Usage: srqref ADDR PORT [OPTION]...

The reference to compare with: an RDMA server in plain user-space verbs. Runs until SIGTERM.

  --srq DEPTH          one shared receive queue for all connections (1024)
  --private DEPTH      a receive queue of its own for each connection
  --size BYTES         size of a receive buffer; takes K and M (4096)
  --mode echo|sink     send each message back, or drop it (echo)
  --poll busy|event    spin, or wait for completion events (event)
  -h, --help           this text

Examples:
  srqref 10.7.0.1 7000
  srqref 10.7.0.1 7000 --srq 4096 --size 64K --poll busy
  srqref 10.7.0.1 7000 --private 32 --mode sink
)";

[[noreturn]] void refuse(const std::string &text) { throw CLI::ValidationError(text); }

std::uint32_t bounded(const char *name, const std::string &text, std::uint64_t max) {
    auto value = srqload::parse_bytes(text, max);
    if (!value || *value == 0)
        refuse(fmt::format("{}: '{}' is not a number from 1 to {}", name, text, max));
    return static_cast<std::uint32_t>(*value);
}

bool chosen(const char *name, const std::string &text, const char *yes, const char *no) {
    if (text != yes && text != no)
        refuse(fmt::format("{}: '{}' is neither {} nor {}", name, text, yes, no));
    return text == yes;
}

void describe(CLI::App &app, Options &options) {
    using Text = const std::string &;
    constexpr std::uint64_t max_depth = 1 << 20;
    constexpr std::uint64_t max_size = 1 << 30;

    app.set_help_flag("-h,--help");
    app.add_option("ADDR", options.address)->required();
    app.add_option_function<std::string>("PORT",
                                         [&](Text text) {
                                             options.port = static_cast<std::uint16_t>(
                                                 bounded("PORT", text, 65535));
                                         })
        ->required();
    auto *shared = app.add_option_function<std::string>(
        "--srq", [&](Text text) { options.depth = bounded("--srq", text, max_depth); });
    app.add_option_function<std::string>("--private",
                                         [&](Text text) {
                                             options.depth = bounded("--private", text, max_depth);
                                             options.shared = false;
                                         })
        ->excludes(shared);
    app.add_option_function<std::string>(
        "--size", [&](Text text) { options.size = bounded("--size", text, max_size); });
    app.add_option_function<std::string>(
        "--mode", [&](Text text) { options.echo = chosen("--mode", text, "echo", "sink"); });
    app.add_option_function<std::string>(
        "--poll", [&](Text text) { options.busy = chosen("--poll", text, "busy", "event"); });
}

} // namespace

tl::expected<Options, EarlyExit> parse_options(std::vector<std::string> args) {
    Options options;
    CLI::App app;
    describe(app, options);
    std::reverse(args.begin(), args.end()); // CLI11 wants them so
    try {
        app.parse(std::move(args));
    } catch (const CLI::CallForHelp &) {
        return tl::unexpected(EarlyExit{0, help_text});
    } catch (const CLI::ParseError &error) {
        return tl::unexpected(
            EarlyExit{2, fmt::format("srqref: {}\ntry: srqref --help\n", error.what())});
    }
    return options;
}

} // namespace srqref
