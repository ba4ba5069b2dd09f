// SPDX-License-Identifier: GPL-2.0
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <thread>

#include <unistd.h>

#include "app.h"
#include "lib/reader.h"
#include "lib/socket.h"
#include "rdma_peer.h"
#include "top/ncurses_screen.h"

namespace {

bool has_text(const char *variable) {
    const char *value = std::getenv(variable);
    return value && *value;
}

bool is_color_terminal() {
    const char *term = std::getenv("TERM");
    return isatty(STDOUT_FILENO) && term && std::strcmp(term, "dumb") != 0;
}

srqctl::Seconds monotonic_now() { return std::chrono::steady_clock::now().time_since_epoch(); }

std::uint64_t wall_clock_ns() {
    const auto since = std::chrono::system_clock::now().time_since_epoch();
    return static_cast<std::uint64_t>(
        std::chrono::duration_cast<std::chrono::nanoseconds>(since).count());
}

volatile std::sig_atomic_t told_to_stop = 0;

void on_signal(int /*number*/) { told_to_stop = 1; }

// What was received is printed before the end: signals come only while a source waits.
srqpool::Result<std::unique_ptr<srqpool::Source>> open_source(const std::string &pool) {
    struct sigaction action {};
    action.sa_handler = on_signal;
    sigset_t held;
    sigemptyset(&held);
    for (const int number : {SIGINT, SIGTERM}) {
        sigaction(number, &action, nullptr);
        sigaddset(&held, number);
    }
    sigprocmask(SIG_BLOCK, &held, nullptr);
    return srqpool::PoolSource::attach(pool);
}

} // namespace

int main(int argc, char **argv) {
    std::ios::sync_with_stdio(false);
    const srqctl::Environment environment{
        .out = std::cout,
        .err = std::cerr,
        .terminal = is_color_terminal(),
        .no_color = has_text("NO_COLOR"),
        .open_transport = srqpool::Socket::open,
        .now = monotonic_now,
        .sleep = [](srqctl::Seconds duration) { std::this_thread::sleep_for(duration); },
        .wall_clock_ns = wall_clock_ns,
        .open_source = open_source,
        .stopped = [] { return told_to_stop != 0; },
        .open_peer = srqctl::RdmaPeer::open,
        .pid = getpid(),
        .in = &std::cin,
        .interactive = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO),
        .open_screen = srqctl::top::open_ncurses,
    };
    const int code = srqctl::run_app({argv + 1, argv + argc}, environment);

    // A full disk or a closed pipe must not look like success.
    std::cout.flush();
    if (!std::cout && code == 0) {
        std::cerr << "srqctl: cannot write to standard output\n";
        return srqctl::exit_failed;
    }
    return code;
}
