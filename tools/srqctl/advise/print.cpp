// SPDX-License-Identifier: GPL-2.0
#include "print.h"

#include <ostream>

#include <fmt/format.h>

#include "table.h"

namespace srqctl::advice {

namespace {

std::vector<Record> describe_classes(const Settings &settings) {
    std::vector<Record> records;
    for (const AdvisedClass &one : settings.classes) {
        Record record;
        record.add("name", one.name, as("class"))
            .add("size", std::uint64_t{one.size}, in(Unit::bytes))
            .add("floor", one.floor)
            .add("ceiling", one.ceiling)
            .add("mark_spec", to_string(one.mark), as("mark"))
            .add("conns", one.conns);
        records.push_back(std::move(record));
    }
    return records;
}

Record describe_memory(const Settings &settings, const Memory &memory) {
    Record record;
    record.add("shards", settings.shards)
        .add("pinned", memory.pinned, in(Unit::bytes))
        .add("most", memory.most, in(Unit::bytes))
        .add("n_x_m", memory.n_x_m, in(Unit::bytes))
        .add("break_even", memory.break_even);
    return record;
}

Json listeners_json(const Settings &settings) {
    Json array = Json::array();
    for (std::size_t i = 0; i < settings.listeners.size(); i++) {
        Json listener;
        listener["id"] = settings.listeners[i];
        listener["class"] = settings.listener_classes[i];
        array.push_back(std::move(listener));
    }
    return array;
}

Json settings_json(const Settings &settings, const Memory &memory) {
    Json json;
    json["classes"] = Json::array();
    for (const Record &record : describe_classes(settings))
        json["classes"].push_back(record.json());
    json["listeners"] = listeners_json(settings);
    const Record figures = describe_memory(settings, memory);
    for (const Record::Field &field : figures.fields())
        json[field.key] = field.value;
    json["budget"] = settings.budget;
    return json;
}

void print_memory(std::ostream &out, const Advice &advice, bool color) {
    Table table;
    table.add(describe_memory(advice.now, advice.memory_now), Table::Lead{"", "now"});
    if (advice.settings)
        table.add(describe_memory(*advice.settings, advice.memory), Table::Lead{"", "advice"});
    table.print(out, color);
}

void print_classes(std::ostream &out, const Settings &settings, bool color) {
    Table table;
    for (const Record &record : describe_classes(settings))
        table.add(record);
    out << '\n';
    table.print(out, color);
}

void print_lines(std::ostream &out, const std::string &title, const std::vector<std::string> &lines,
                 bool color) {
    if (lines.empty())
        return;
    out << '\n' << bold(title, color) << '\n';
    for (const std::string &line : lines)
        out << "  " << line << '\n';
}

std::string commands_title(const Advice &advice) {
    if (!needs_new_pool(advice.now, *advice.settings))
        return "commands";
    return fmt::format("commands (they close {} connections)", advice.conns);
}

std::string messages_text(const Advice &advice) {
    if (advice.msgs == 0)
        return "no message since the reset";
    return fmt::format(
        "{} messages since the reset, all shorter than {}, mean {}", advice.msgs,
        human(advice.below, Unit::bytes),
        human(static_cast<double>(advice.bytes) / static_cast<double>(advice.msgs), Unit::bytes));
}

} // namespace

Json advice_json(const Advice &advice) {
    Json json;
    json["pool"] = advice.pool;
    json["now"] = settings_json(advice.now, advice.memory_now);
    json["now"]["msgs"] = advice.msgs;
    json["now"]["conns"] = advice.conns;
    json["now"]["burst"] = advice.burst;
    json["advice"] = nullptr;
    if (advice.settings) {
        json["advice"] = settings_json(*advice.settings, advice.memory);
        json["advice"]["reasons"] = advice.reasons;
    }
    json["warnings"] = advice.warnings;
    json["commands"] = advice.commands;
    return json;
}

void print_advice(std::ostream &out, const Advice &advice, bool color) {
    out << bold(advice.pool, color) << ": " << messages_text(advice) << '\n'
        << fmt::format("{} connections, at most {} messages of each at once\n\n", advice.conns,
                       advice.burst);
    print_memory(out, advice, color);
    if (advice.settings) {
        print_classes(out, *advice.settings, color);
        print_lines(out, "because", advice.reasons, color);
    }
    print_lines(out, "warnings", advice.warnings, color);
    if (!advice.settings)
        return;
    if (advice.commands.empty())
        out << "\nnothing to change\n";
    else
        print_lines(out, commands_title(advice), advice.commands, color);
}

} // namespace srqctl::advice
