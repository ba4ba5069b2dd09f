// SPDX-License-Identifier: GPL-2.0
#include "help.h"

#include <algorithm>

namespace srqctl {

namespace {

const CLI::App *find_command(const CLI::App &app, const std::string &name) {
    for (const CLI::App *command : app.get_subcommands([](const CLI::App *) { return true; }))
        if (command->get_name() == name)
            return command;
    return nullptr;
}

bool takes_value(const std::string &argument) {
    return argument == "-c" || argument == "--color" || argument == "-b" || argument == "--batch";
}

// What is left without options, up to "--".
std::vector<std::string> words_of(const std::vector<std::string> &arguments) {
    std::vector<std::string> words;
    for (std::size_t i = 0; i < arguments.size() && arguments[i] != "--"; i++) {
        if (takes_value(arguments[i]))
            i++;
        else if (arguments[i].empty() || arguments[i][0] != '-')
            words.push_back(arguments[i]);
    }
    return words;
}

bool has_help_flag(const std::vector<std::string> &arguments) {
    const auto end = std::find(arguments.begin(), arguments.end(), "--");
    return std::any_of(arguments.begin(), end, [](const std::string &argument) {
        return argument == "-h" || argument == "--help";
    });
}

struct Walk {
    std::vector<const CLI::App *> path;
    bool help = false;
};

// Once a command is complete, "help" can be a name, unless it is the very last argument.
Walk walk(const CLI::App &app, const std::vector<std::string> &arguments) {
    const bool help_is_last = !arguments.empty() && arguments.back() == "help";
    const std::vector<std::string> words = words_of(arguments);
    Walk result{{&app}};
    for (std::size_t i = 0; i < words.size(); i++) {
        const bool complete = result.path.back()->get_subcommands(nullptr).empty();
        if (words[i] == "help" && (!complete || (help_is_last && i + 1 == words.size()))) {
            result.help = true;
            continue;
        }
        const CLI::App *command = find_command(*result.path.back(), words[i]);
        if (!command)
            break;
        result.path.push_back(command);
    }
    return result;
}

} // namespace

std::vector<const CLI::App *> command_path(const CLI::App &app,
                                           const std::vector<std::string> &arguments) {
    return walk(app, arguments).path;
}

const CLI::App *help_topic(const CLI::App &app, const std::vector<std::string> &arguments) {
    const Walk result = walk(app, arguments);
    return result.help || has_help_flag(arguments) ? result.path.back() : nullptr;
}

std::string help_text(const CLI::App &topic) {
    std::string above;
    for (const CLI::App *app = topic.get_parent(); app; app = app->get_parent())
        above.insert(0, app->get_name() + (above.empty() ? "" : " "));
    return topic.help(above);
}

} // namespace srqctl
