// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include "server.h"

#include <csignal>
#include <cstdio>
#include <fmt/format.h>

namespace {

srqload::Flag *stop_flag = nullptr;

void on_signal(int /*number*/) { stop_flag->raise(); }

void stop_on_signals(srqload::Flag &flag) {
    stop_flag = &flag;
    struct sigaction action {};
    action.sa_handler = on_signal;
    action.sa_flags = static_cast<int>(SA_RESETHAND); // the second one kills
    sigaction(SIGINT, &action, nullptr);
    sigaction(SIGTERM, &action, nullptr);
}

} // namespace

int main(int argc, char **argv) {
    auto options = srqref::parse_options({argv + 1, argv + argc});
    if (!options) {
        fmt::print(options.error().status == 0 ? stdout : stderr, "{}", options.error().text);
        return options.error().status;
    }
    srqload::Flag stop;
    stop_on_signals(stop);
    srqref::Server server(*options, stop);
    auto served = server.open().and_then([&] {
        fmt::print("listening on {} port {}\n", options->address, options->port);
        std::fflush(stdout);
        return server.serve();
    });
    if (!served) {
        fmt::print(stderr, "srqref: {}\n", served.error());
        return 1;
    }
    return 0;
}
