// SPDX-License-Identifier: GPL-2.0
#pragma once

#include <chrono>
#include <functional>
#include <initializer_list>
#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <tl/expected.hpp>

#include "lib/client.h"
#include "lib/source.h"
#include "peer.h"
#include "top/screen.h"
#include "writer.h"

namespace srqctl {

using Seconds = std::chrono::duration<double>;

/// What the tool finds around it; a test puts its own in place.
struct Environment {
    std::ostream &out;
    std::ostream &err;
    bool terminal = false; // out is one
    bool no_color = false;
    std::function<srqpool::Result<std::unique_ptr<srqpool::Transport>>()> open_transport;
    std::function<Seconds()> now;
    std::function<void(Seconds)> sleep;
    std::function<std::uint64_t()> wall_clock_ns;
    std::function<srqpool::Result<std::unique_ptr<srqpool::Source>>(const std::string &pool)>
        open_source;
    std::function<bool()> stopped; // by a signal, once a source is open
    std::function<srqpool::Result<std::unique_ptr<Peer>>()> open_peer;
    int pid = 0;
    std::istream *in = nullptr; // nothing comes from none
    bool interactive = false;   // in and out are terminals
    std::function<srqpool::Result<std::unique_ptr<top::Screen>>(bool color)> open_screen = {};
};

enum ExitCode : int {
    exit_done = 0,
    exit_failed = 1,
    exit_usage = 2,
    exit_missing = 3,
    exit_interrupted = 4,
};

/// Why a command failed, and what to try next.
struct Failure {
    srqpool::Error error;
    std::string hint = {};
    std::optional<ExitCode> code = {}; // if it does not follow from the error
};

using Outcome = tl::expected<void, Failure>;

/// One run of the tool.
class Session {
  public:
    Session(const Environment &around, Style style)
        : environment(around), writer(around.out, style) {}

    /// Connects to the module at the first call.
    tl::expected<srqpool::Client *, Failure> client();

    /// What the kernel warned about so far, to stderr.
    void print_warnings();

    const Environment &environment;
    Writer writer;

  private:
    std::optional<srqpool::Client> client_;
};

/// A hint for each errno that a command expects to be refused with.
using Hints = std::initializer_list<std::pair<int, std::string>>;

tl::unexpected<Failure> failed(srqpool::Error error, Hints hints = {});

ExitCode exit_code(const Failure &failure);

/// Prints to stderr, and to stdout too in JSON mode.
void print_error(const Environment &environment, bool json, const std::string &text,
                 const std::string &hint);

} // namespace srqctl
