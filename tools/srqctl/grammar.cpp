// SPDX-License-Identifier: GPL-2.0
#include "grammar.h"

#include <string_view>
#include <vector>

namespace srqctl {

namespace {

constexpr std::size_t line_width = 96;
constexpr std::string_view indent = "  ";
constexpr std::string_view hanging = "        ";

bool is_repeated(const CLI::Option &option) { return option.get_expected_max() > 1; }

std::string optional_unless(bool required, const std::string &text) {
    return required ? text : "[" + text + "]";
}

std::string part(const CLI::Option &option) {
    if (option.get_positional())
        return optional_unless(option.get_required(), option.get_name(true));
    std::string text = option_name(option);
    if (option.get_items_expected_max() > 0)
        text += " " + option.get_type_name();
    text = optional_unless(option.get_required(), text);
    return is_repeated(option) ? text + "..." : text;
}

// Names before options, and these as they were added.
std::vector<std::string> parts(const CLI::App &command) {
    std::vector<std::string> names;
    std::vector<std::string> options;
    for (const CLI::Option *option : command.get_options())
        if (option != command.get_help_ptr())
            (option->get_positional() ? names : options).push_back(part(*option));
    names.insert(names.end(), options.begin(), options.end());
    return names;
}

std::string wrapped(std::string line, const std::vector<std::string> &words) {
    std::string text;
    for (const std::string &word : words) {
        if (line.size() + 1 + word.size() > line_width) {
            text += line + '\n';
            line = hanging;
        } else {
            line += ' ';
        }
        line += word;
    }
    return text + line;
}

} // namespace

std::string option_name(const CLI::Option &option) {
    const auto &names = option.get_lnames();
    return names.empty() ? "-" + option.get_snames().front() : "--" + names.front();
}

std::string grammar(const CLI::App &app) {
    const auto commands = app.get_subcommands([](const CLI::App *) { return true; });
    std::string text;
    for (const CLI::App *command : commands) {
        std::string path;
        for (const CLI::App *level = command; level->get_parent(); level = level->get_parent())
            path.insert(0, level->get_name() + (path.empty() ? "" : " "));
        const bool leaf = command->get_subcommands(nullptr).empty();
        text +=
            leaf ? wrapped(std::string(indent) + path, parts(*command)) + '\n' : grammar(*command);
    }
    return text;
}

} // namespace srqctl
