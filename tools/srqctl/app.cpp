// SPDX-License-Identifier: GPL-2.0
#include "app.h"

#include <algorithm>
#include <ostream>

#include "command.h"
#include "help.h"

namespace srqctl {

namespace {

constexpr const char *description =
    "Configures and shows srqpool: shared pools of RDMA receive buffers in the kernel.";

constexpr const char *examples =
    R"(The options above can stand anywhere. An object without a command shows.
Exit: 0 done, 1 refused or failed, 2 malformed command, 3 no such object, 4 list interrupted.

Examples:
  srqctl dev show
  srqctl pool add web --dev rxe0 --class 4K:128-4096@12%
  srqctl listen add web --addr 10.7.0.1 --port 7471 --mode echo
  srqctl -j conn show --top 5
  srqctl help pool add)";

struct GlobalOptions {
    bool json = false;
    bool pretty = false;
    bool version = false;
    std::string color = "auto";
};

void setup_globals(CLI::App &app, GlobalOptions &options) {
    app.add_flag("-j,--json", options.json, "Print JSON");
    app.add_flag("-p,--pretty", options.pretty, "Print JSON for people, indented");
    app.add_option("-c,--color", options.color, "Color on a terminal, always or never")
        ->check([](const std::string &text) -> std::string {
            const bool known = text == "auto" || text == "always" || text == "never";
            return known ? "" : "'" + text + "' is not auto, always or never";
        })
        ->type_name("auto|always|never");
    app.add_flag("-V,--version", options.version, "Print the versions of tool and interface");
}

// One object and one command at most; options not their own are the global ones.
void allow_globals_anywhere(CLI::App &app) {
    app.require_subcommand(0, 1);
    for (CLI::App *command : app.get_subcommands({})) {
        command->fallthrough();
        allow_globals_anywhere(*command);
    }
}

Style style_of(const GlobalOptions &options, const Environment &environment) {
    Style style;
    style.json = options.json || options.pretty;
    style.pretty = options.pretty;
    style.color = options.color == "always" ||
                  (options.color == "auto" && environment.terminal && !environment.no_color);
    return style;
}

// For a command line that could not be understood.
bool wants_json(const std::vector<std::string> &arguments) {
    return std::any_of(arguments.begin(), arguments.end(), [](const std::string &argument) {
        return argument == "--json" || argument == "--pretty" ||
               (argument.size() > 1 && argument[0] == '-' &&
                argument.find_first_not_of("jp", 1) == std::string::npos);
    });
}

std::string usage_hint(const CLI::App &app, const std::vector<std::string> &arguments) {
    std::string hint = "try: srqctl help";
    for (const CLI::App *command : command_path(app, arguments))
        if (command != &app)
            hint += ' ' + command->get_name();
    return hint;
}

// As they were given: CLI11 itself lists them backwards.
std::string unexpected_text(const CLI::App &app) {
    std::string text = "not understood:";
    for (const std::string &argument : app.remaining(true))
        text += ' ' + argument;
    return text;
}

int print_version(Session &session) {
    Record record;
    record.add("version", std::string(SRQPOOL_TOOL_VERSION));
    record.add("uapi", to_string(srqpool::Version{SRQPOOL_UAPI_MAJOR, SRQPOOL_UAPI_MINOR}));
    if (session.writer.json())
        session.writer.bare(record);
    else
        session.environment.out << "srqctl " << record.text(record.fields()[0]) << ", uapi "
                                << record.text(record.fields()[1]) << '\n';
    return exit_done;
}

int run_action(Session &session, const Action &action) {
    const Outcome outcome = action(session);
    session.print_warnings();
    if (outcome)
        return exit_done;
    print_error(session.environment, session.writer.json(), outcome.error().error.text,
                outcome.error().hint);
    return exit_code(outcome.error().error);
}

} // namespace

int run_app(const std::vector<std::string> &arguments, const Environment &environment) {
    CLI::App app(description, "srqctl");
    GlobalOptions options;
    Action action;
    setup_globals(app, options);
    setup_dev(app, action);
    setup_pool(app, action);
    setup_queue(app, action);
    setup_listen(app, action);
    setup_conn(app, action);
    setup_monitor(app, action);
    setup_recv(app, action);
    setup_advise(app, action);
    app.footer(examples);
    allow_globals_anywhere(app);

    if (const CLI::App *topic = help_topic(app, arguments)) {
        environment.out << help_text(*topic);
        return exit_done;
    }
    try {
        app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
    } catch (const CLI::ExtrasError &) {
        print_error(environment, wants_json(arguments), unexpected_text(app),
                    usage_hint(app, arguments));
        return exit_usage;
    } catch (const CLI::ParseError &error) {
        print_error(environment, wants_json(arguments), error.what(), usage_hint(app, arguments));
        return exit_usage;
    }

    Session session(environment, style_of(options, environment));
    if (options.version)
        return print_version(session);
    if (action)
        return run_action(session, action);
    print_error(environment, session.writer.json(), "no object is given", help_text(app));
    return exit_usage;
}

} // namespace srqctl
