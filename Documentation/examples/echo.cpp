// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
// Sends back what comes, until the pool is gone or SIGTERM: echo POOL
#include <csignal>
#include <cstdio>
#include <srqpool/srqpool.hpp>

static volatile std::sig_atomic_t stopped;

int main(int argc, char **argv) {
    std::error_code error;
    srqpool::Reader reader = srqpool::Reader::open(argc == 2 ? argv[1] : "", error);
    if (error) {
        std::fprintf(stderr, "echo: %s\n", error.message().c_str());
        return 1;
    }
    std::signal(SIGTERM, [](int) { stopped = 1; });
    std::puts("attached");
    std::fflush(stdout);

    while (!stopped) {
        srqpool::Event event = reader.next();
        if (event.message())
            event.message().reply();
        else if (event.error() == -EAGAIN)
            reader.wait(1000); // and looks at `stopped` once a second
        else if (event.error())
            return event.error() == -ENODEV ? 0 : 1;
    }
    return 0;
}
