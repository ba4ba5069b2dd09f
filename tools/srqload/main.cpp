// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include "options.h"
#include "report.h"
#include "run.h"

#include <csignal>
#include <cstdio>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sys/resource.h>

namespace {

using namespace srqload;

Flag *stop_flag = nullptr;

void on_signal(int /*number*/) { stop_flag->raise(); }

void stop_on_signals(Flag &flag) {
    stop_flag = &flag;
    struct sigaction action {};
    action.sa_handler = on_signal;
    action.sa_flags = static_cast<int>(SA_RESETHAND); // the second one kills
    sigaction(SIGINT, &action, nullptr);
    sigaction(SIGTERM, &action, nullptr);
}

void raise_limit(__rlimit_resource what) {
    rlimit limit{};
    if (getrlimit(what, &limit) != 0)
        return;
    limit.rlim_cur = limit.rlim_max;
    setrlimit(what, &limit);
}

int report(const Options &options, const Tally &tally, bool stopped) {
    if (options.json) {
        fmt::print("{}", json_report(options, tally));
        for (const auto &[text, count] : tally.troubles)
            fmt::print(stderr, "srqload: {} x {}\n", count, text);
    } else {
        fmt::print("{}", text_report(options, tally));
    }
    if (stopped)
        fmt::print(stderr, "srqload: stopped by a signal\n");
    return !stopped && tally.clean() ? 0 : 1;
}

int fail(const Options &options, const std::string &why) {
    fmt::print(stderr, "srqload: {}\n", why);
    if (options.json)
        fmt::print("{}\n", nlohmann::json{{"error", why}}.dump());
    return 1;
}

} // namespace

int main(int argc, char **argv) {
    auto options = parse_options({argv + 1, argv + argc});
    if (!options) {
        const EarlyExit &exit = options.error();
        fmt::print(exit.status == 0 ? stdout : stderr, "{}", exit.text);
        return exit.status;
    }
    Flag stop;
    stop_on_signals(stop);
    raise_limit(RLIMIT_NOFILE);
    raise_limit(RLIMIT_MEMLOCK);
    auto tally = run(*options, stop);
    if (!tally)
        return fail(*options, tally.error());
    return report(*options, *tally, stop.raised());
}
