// SPDX-License-Identifier: GPL-2.0
#include "complete.h"

#include <algorithm>
#include <cctype>
#include <ostream>
#include <set>
#include <string_view>

#include "grammar.h"
#include "live.h"

namespace srqctl {

namespace {

constexpr std::string_view complete_word = "__complete";
constexpr std::string_view any_file = "/";

bool is_option(const std::string &word) { return word.size() > 1 && word[0] == '-'; }

bool takes_value(const CLI::Option &option) { return option.get_items_expected_max() > 0; }

bool can_be_repeated(const CLI::Option &option) { return option.get_expected_max() > 1; }

const CLI::App *find_command(const CLI::App &app, const std::string &name) {
    for (const CLI::App *command : app.get_subcommands([](const CLI::App *) { return true; }))
        if (command->get_name() == name)
            return command;
    return nullptr;
}

// "--poll=busy" and "--poll" are the same one. Those of the levels above can stand here too.
const CLI::Option *find_option(const CLI::App &command, const std::string &word) {
    const std::string name = word.substr(0, word.find('='));
    for (const CLI::App *app = &command; app; app = app->get_parent())
        if (const CLI::Option *option = app->get_option_no_throw(name))
            return option;
    return nullptr;
}

std::vector<const CLI::Option *> positionals(const CLI::App &command) {
    return command.get_options([](const CLI::Option *option) { return option->get_positional(); });
}

/// Where on the command line the next word stands.
struct Place {
    const CLI::App *command;
    const CLI::Option *wanting = nullptr; // the option before, whose value it is
    std::set<const CLI::Option *> given = {};
    std::vector<std::string> names = {};  // positionals
    std::optional<std::string> pool = {}; // of --pool
    bool nowhere = false;                 // after a word that is none of ours

    bool has_commands() const { return !command->get_subcommands(nullptr).empty(); }
    const CLI::Option *next_name() const {
        const auto all = positionals(*command);
        return names.size() < all.size() ? all[names.size()] : nullptr;
    }
    bool value_is_optional() const { return wanting && wanting->get_expected_min() == 0; }
    std::optional<std::string> pool_given() const {
        return names.empty() ? pool : std::optional(names.front());
    }
};

void pass_option(Place &place, const std::string &word) {
    const CLI::Option *option = find_option(*place.command, word);
    if (!option)
        return;
    place.given.insert(option);
    if (takes_value(*option) && word.find('=') == std::string::npos)
        place.wanting = option;
}

void pass_value(Place &place, const std::string &word) {
    if (place.wanting->get_type_name() == "POOL")
        place.pool = word;
    place.wanting = nullptr;
}

void pass(Place &place, const std::string &word) {
    if (place.wanting && !(place.value_is_optional() && is_option(word)))
        return pass_value(place, word);
    place.wanting = nullptr;
    if (is_option(word))
        return pass_option(place, word);
    if (place.has_commands()) {
        const CLI::App *command = find_command(*place.command, word);
        if (command)
            place.command = command;
        else if (word != "help")
            place.nowhere = true;
        return;
    }
    place.names.push_back(word);
}

/// What can stand at a place.
class Offer {
  public:
    Offer(const Place &place, const Environment &environment)
        : place_(place), environment_(environment) {}

    Candidates commands() const;
    Candidates options() const;
    Candidates values(const CLI::Option &option);

  private:
    Live &live();
    Candidates ids();
    Candidates of_type(const std::string &type);

    const Place &place_;
    const Environment &environment_;
    std::optional<Live> live_; // the module is asked only if need be
};

Candidates Offer::commands() const {
    Candidates words;
    for (const CLI::App *command :
         place_.command->get_subcommands([](const CLI::App *) { return true; }))
        words.push_back({command->get_name(), command->get_description()});
    words.push_back({"help", "Say what there is"});
    return words;
}

Candidates Offer::options() const {
    Candidates words;
    for (const CLI::App *app = place_.command; app; app = app->get_parent()) {
        for (const CLI::Option *option : app->get_options()) {
            const bool help_of_another = option == app->get_help_ptr() && app != place_.command;
            if (!option->nonpositional() || help_of_another)
                continue;
            if (place_.given.contains(option) && !can_be_repeated(*option))
                continue;
            words.push_back({option_name(*option), option->get_description()});
        }
    }
    return words;
}

Live &Offer::live() {
    if (!live_)
        live_.emplace(environment_);
    return *live_;
}

Candidates Offer::ids() {
    const CLI::App *object = place_.command->get_parent();
    return object && object->get_name() == "conn" ? live().conns() : live().listeners();
}

// By the word that help has for it: POOL, or one that is to be written as it is.
Candidates Offer::of_type(const std::string &type) {
    const std::string &command = place_.command->get_name();
    if (type == "POOL" || (type == "NAME" && command != "add"))
        return live().pools();
    if (type == "DEV")
        return live().devs();
    if (type == "ID")
        return ids();
    if (type == "CNAME")
        return live().class_names(place_.pool_given());
    if (type == "CLASS" && command == "set")
        return live().class_specs(place_.pool_given().value_or(""));
    if (type == "FILE")
        return {{std::string(any_file), ""}};
    const std::string word = type.substr(0, type.find('['));
    if (!word.empty() && std::islower(static_cast<unsigned char>(word[0])))
        return {{word, ""}};
    return {};
}

// A type like "N|auto" has several.
Candidates Offer::values(const CLI::Option &option) {
    const std::string types =
        option.get_positional() ? option.get_name(true) : option.get_type_name();
    Candidates words;
    for (const std::string &type : CLI::detail::split(types, '|'))
        for (Candidate &candidate : of_type(type))
            words.push_back(std::move(candidate));
    return words;
}

// "--poll=b": what stands before the value belongs to the word.
Candidates values_in_word(Offer &offer, const Place &place, const std::string &word) {
    const CLI::Option *option = find_option(*place.command, word);
    if (!option || !takes_value(*option))
        return {};
    Candidates words = offer.values(*option);
    for (Candidate &candidate : words)
        if (candidate.word != any_file)
            candidate.word.insert(0, word.substr(0, word.find('=') + 1));
    return words;
}

void append(Candidates &words, Candidates more) {
    std::move(more.begin(), more.end(), std::back_inserter(words));
}

// All that can stand there, and perhaps more: the word says what of it.
Candidates candidates(const Place &place, const std::string &word, const Environment &environment) {
    Candidates words;
    if (place.nowhere)
        return words;
    Offer offer(place, environment);
    if (place.wanting)
        words = offer.values(*place.wanting);
    if (place.wanting && !place.value_is_optional())
        return words;
    if (is_option(word) && word.find('=') != std::string::npos)
        return values_in_word(offer, place, word);
    const CLI::Option *name = place.next_name();
    if (word.starts_with('-') || (!place.has_commands() && !name))
        append(words, offer.options());
    else if (place.has_commands())
        append(words, offer.commands());
    else
        append(words, offer.values(*name));
    return words;
}

} // namespace

bool asks_to_complete(const std::vector<std::string> &arguments) {
    return !arguments.empty() && arguments.front() == complete_word;
}

void print_completions(const CLI::App &app, const std::vector<std::string> &arguments,
                       const Environment &environment) {
    const std::string word = arguments.size() > 1 ? arguments.back() : "";
    Place place{.command = &app};
    for (std::size_t i = 1; i + 1 < arguments.size(); i++)
        pass(place, arguments[i]);

    for (const Candidate &candidate : candidates(place, word, environment)) {
        if (candidate.word != any_file && !candidate.word.starts_with(word))
            continue;
        environment.out << candidate.word;
        if (!candidate.about.empty())
            environment.out << '\t' << candidate.about;
        environment.out << '\n';
    }
    environment.out.flush();
}

} // namespace srqctl
