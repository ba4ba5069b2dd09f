// SPDX-License-Identifier: GPL-2.0
#include "app.h"

#include <algorithm>
#include <array>
#include <ostream>

#include "batch.h"
#include "command.h"
#include "complete.h"
#include "grammar.h"
#include "help.h"

namespace srqctl {

namespace {

constexpr const char *description =
    "Configures and shows srqpool: shared pools of RDMA receive buffers in the kernel.";

constexpr const char *examples =
    R"(The options above can stand anywhere. An object without a command shows.
Exit: 0 done, 1 refused or failed, 2 malformed command, 3 no such object, 4 list interrupted.
A batch has a command in a line, quoted as in a shell, and comments after '#'; it ends at the first
that fails, with its exit code.

Examples:
  srqctl dev show
  srqctl pool add web --dev rxe0 --class 4K:128-4096@12%
  srqctl listen add web --addr 10.7.0.1 --port 7471 --mode echo
  srqctl -j conn show --top 5
  srqctl -b pools.srqctl
  srqctl help pool add)";

constexpr std::array<std::string_view, 3> colors = {"auto", "always", "never"};

struct GlobalOptions {
    bool json = false;
    bool pretty = false;
    bool version = false;
    bool force = false;
    std::optional<std::string> batch = {};
    std::string color = "auto";
};

void setup_globals(CLI::App &app, GlobalOptions &options) {
    app.add_flag("-j,--json", options.json, "Print JSON");
    app.add_flag("-p,--pretty", options.pretty, "Print JSON for people, indented");
    app.add_option("-c,--color", options.color, "Color on a terminal, always or never")
        ->check([](const std::string &text) -> std::string {
            const bool known = std::find(colors.begin(), colors.end(), text) != colors.end();
            return known ? "" : "'" + text + "' is not auto, always or never";
        })
        ->type_name(one_of(colors));
    app.add_flag("-V,--version", options.version, "Print the versions of tool and interface");
    CLI::Option *batch = app.add_option("-b,--batch", options.batch,
                                        "Do the commands in a file, or - for the standard input")
                             ->type_name("FILE|-");
    app.add_flag("--force", options.force, "Go on after a command of a batch fails")->needs(batch);
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

void print_version(Session &session) {
    Record record;
    record.add("version", std::string(SRQPOOL_TOOL_VERSION));
    record.add("uapi", to_string(srqpool::Version{SRQPOOL_UAPI_MAJOR, SRQPOOL_UAPI_MINOR}));
    if (session.writer.json())
        session.writer.bare(record);
    else
        session.environment.out << "srqctl " << record.text(record.fields()[0]) << ", uapi "
                                << record.text(record.fields()[1]) << '\n';
}

/// What a command line asks for.
struct Command {
    GlobalOptions options;
    Action action;
};

void setup_all(CLI::App &app, Command &command) {
    setup_globals(app, command.options);
    setup_dev(app, command.action);
    setup_pool(app, command.action);
    setup_queue(app, command.action);
    setup_listen(app, command.action);
    setup_conn(app, command.action);
    setup_monitor(app, command.action);
    setup_events(app, command.action);
    setup_recv(app, command.action);
    setup_selftest(app, command.action);
    setup_top(app, command.action);
    setup_configure(app, command.action);
    setup_advise(app, command.action);
    app.footer("Commands:\n" + grammar(app) + '\n' + examples);
    allow_globals_anywhere(app);
}

tl::unexpected<Refusal> malformed(const std::vector<std::string> &arguments, std::string text,
                                  std::string hint) {
    return tl::unexpected(
        Refusal{exit_usage, std::move(text), std::move(hint), wants_json(arguments)});
}

tl::expected<void, Refusal> parse(CLI::App &app, const std::vector<std::string> &arguments) {
    try {
        app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
    } catch (const CLI::ExtrasError &) {
        return malformed(arguments, unexpected_text(app), usage_hint(app, arguments));
    } catch (const CLI::ParseError &error) {
        return malformed(arguments, error.what(), usage_hint(app, arguments));
    }
    return {};
}

/// One command, or nothing if it asked for help or for what could follow, which is given.
tl::expected<std::optional<Command>, Refusal> understand(const std::vector<std::string> &arguments,
                                                         const Environment &environment) {
    CLI::App app(description, "srqctl");
    Command command;
    setup_all(app, command);
    if (asks_to_complete(arguments)) {
        print_completions(app, arguments, environment);
        return std::nullopt;
    }
    if (const CLI::App *topic = help_topic(app, arguments)) {
        environment.out << help_text(*topic);
        return std::nullopt;
    }
    if (auto parsed = parse(app, arguments); !parsed)
        return tl::unexpected(std::move(parsed.error()));
    if (command.options.batch && command.action)
        return malformed(arguments, "a batch and a command are given", "try: srqctl help");
    if (!command.options.batch && !command.options.version && !command.action)
        return malformed(arguments, "no object is given", help_text(app));
    return command;
}

tl::expected<void, Refusal> run_action(Session &session, const Action &action) {
    const Outcome outcome = action(session);
    session.print_warnings();
    if (outcome)
        return {};
    const Failure &failure = outcome.error();
    return tl::unexpected(
        Refusal{exit_code(failure), failure.error.text, failure.hint, session.writer.json()});
}

tl::expected<void, Refusal> run_command(Session &session, const Command &command) {
    if (!command.options.version)
        return run_action(session, command.action);
    print_version(session);
    return {};
}

// The options of the batch hold for its lines, and those of a line for itself.
Style style_of_line(const GlobalOptions &line, const Environment &environment, Style batch) {
    Style style = style_of(line, environment);
    style.json = style.json || batch.json;
    style.pretty = style.pretty || batch.pretty;
    if (line.color == "auto")
        style.color = batch.color;
    return style;
}

tl::expected<void, Refusal> run_line(Session &session, const std::vector<std::string> &words) {
    auto command = understand(words, session.environment);
    if (!command)
        return tl::unexpected(std::move(command.error()));
    if (!*command)
        return {};
    if ((*command)->options.batch)
        return malformed(words, "a batch cannot be in a batch", "");

    const Style style = session.writer.style();
    session.writer.set_style(style_of_line((*command)->options, session.environment, style));
    auto done = run_command(session, **command);
    session.writer.set_style(style);
    return done;
}

int print_refusal(const Environment &environment, const Refusal &refusal) {
    print_error(environment, refusal.json, refusal.text, refusal.hint);
    return refusal.code;
}

int run_lines(Session &session, const GlobalOptions &options) {
    auto input = Input::open(session.environment, *options.batch);
    if (!input)
        return print_refusal(session.environment,
                             {exit_failed, input.error().error.text, "", session.writer.json()});
    return run_batch(session, *input, options.force, [&](const std::vector<std::string> &words) {
        return run_line(session, words);
    });
}

} // namespace

int run_app(const std::vector<std::string> &arguments, const Environment &environment) {
    const auto command = understand(arguments, environment);
    if (!command)
        return print_refusal(environment, command.error());
    if (!*command)
        return exit_done;

    Session session(environment, style_of((*command)->options, environment));
    if ((*command)->options.batch)
        return run_lines(session, (*command)->options);
    if (const auto done = run_command(session, **command); !done)
        return print_refusal(environment, done.error());
    return exit_done;
}

} // namespace srqctl
