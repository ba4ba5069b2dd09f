// SPDX-License-Identifier: GPL-2.0
#pragma once

#include <functional>
#include <string>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "lib/names.h"
#include "session.h"
#include "values.h"

namespace srqctl {

/// What the command line asked for, run once all of it has been understood.
using Action = std::function<Outcome(Session &)>;

/// An option or positional that `parse` reads into `target`.
template <typename Target, typename Parse>
CLI::Option *add_value(CLI::App &app, const std::string &name, Target &target, Parse parse,
                       const std::string &description) {
    CLI::Option *option = app.add_option_function<std::string>(
        name,
        [name, &target, parse](const std::string &text) {
            auto value = parse(text);
            if (!value)
                throw CLI::ValidationError(name, value.error());
            target = std::move(*value);
        },
        description);
    return option->type_name("");
}

/// The type of an option that is one of `words`, which help shows and completion offers.
inline std::string one_of(srqpool::Names words) { return fmt::format("{}", fmt::join(words, "|")); }

/// Adds a command; its options live as long as `action` may call `run` with them.
template <typename Options, typename Setup>
CLI::App *add_command(CLI::App &object, const std::string &name, const std::string &description,
                      Action &action, Outcome (*run)(Session &, const Options &), Setup setup) {
    auto options = std::make_shared<Options>();
    CLI::App *command = object.add_subcommand(name, description);
    setup(*command, *options);
    command->callback([&action, run, options] {
        action = [run, options](Session &session) { return run(session, *options); };
    });
    return command;
}

/// An object without a command shows.
template <typename Options>
void show_if_bare(CLI::App &object, Action &action, Outcome (*run)(Session &, const Options &)) {
    object.callback([&action, run] {
        if (!action)
            action = [run](Session &session) { return run(session, Options{}); };
    });
}

// An object's commands, a file each. `action` becomes that of the command in the arguments.

void setup_dev(CLI::App &app, Action &action);
void setup_pool(CLI::App &app, Action &action);
void setup_queue(CLI::App &app, Action &action);
void setup_listen(CLI::App &app, Action &action);
void setup_conn(CLI::App &app, Action &action);
void setup_monitor(CLI::App &app, Action &action);
void setup_events(CLI::App &app, Action &action);
void setup_recv(CLI::App &app, Action &action);
void setup_selftest(CLI::App &app, Action &action);
void setup_configure(CLI::App &app, Action &action);
void setup_top(CLI::App &app, Action &action);
void setup_advise(CLI::App &app, Action &action);

} // namespace srqctl
