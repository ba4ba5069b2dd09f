// SPDX-License-Identifier: GPL-2.0
#include "writer.h"

#include <ostream>

#include <fmt/format.h>

#include "list.h"
#include "table.h"

namespace srqctl {

namespace {

// All children of one kind together, each led by the first field of its owner.
Table children_table(const std::vector<Record> &owners, std::size_t kind) {
    Table table;
    for (const Record &owner : owners) {
        const Record::Children &children = owner.children()[kind];
        for (const Record &row : children.rows)
            table.add(row, Table::Lead{children.owner, owner.text(owner.fields().front())});
    }
    return table;
}

} // namespace

void Writer::print_json(const Json &json, bool pretty) {
    // What is not UTF-8 is replaced: a strange name must not keep the rest from being seen.
    out_ << json.dump(pretty ? 4 : -1, ' ', false, Json::error_handler_t::replace) << '\n';
    out_.flush();
    printed_++;
}

void Writer::print_json(const std::vector<Record> &records) {
    Json array = Json::array();
    for (const Record &record : records)
        array.push_back(record.json());
    print_json(array, style_.pretty);
}

void Writer::print_children(const std::vector<Record> &records) {
    for (std::size_t kind = 0; kind < records.front().children().size(); kind++) {
        out_ << '\n';
        children_table(records, kind).print(out_, style_.color);
    }
}

void Writer::table(const std::vector<Record> &records) {
    if (style_.json)
        return print_json(records);
    if (records.empty())
        return;

    Table table;
    for (const Record &record : records)
        table.add(record);
    table.print(out_, style_.color);
    print_children(records);
    out_.flush();
}

void Writer::details(const Record &record) {
    if (style_.json)
        return print_json({record});
    print_details(out_, record, style_.color);
    print_children({record});
    out_.flush();
}

void Writer::list(const std::vector<Record> &records) {
    if (style_.json)
        return print_json(records);
    for (std::size_t i = 0; i < records.size(); i++) {
        if (i > 0)
            out_ << '\n';
        print_list(out_, records[i], style_.color);
    }
    out_.flush();
}

void Writer::line(const Record &record) {
    if (style_.json)
        return print_json(record.json(), false);

    std::string line;
    for (const Record::Field &field : record.fields()) {
        if (field.value.is_null())
            continue;
        if (!line.empty())
            line += "  ";
        if (!field.look.heading.empty())
            line += std::string(field.look.heading) + ' ';
        line += painted(record.text(field), style_.color && field.look.state);
    }
    out_ << line << '\n';
    out_.flush();
}

void Writer::lines(const std::vector<Record> &records) {
    if (style_.json)
        return print_json(records);
    for (const Record &record : records)
        line(record);
}

void Writer::document(const Json &json) { print_json(json, style_.pretty || !style_.json); }

void Writer::bare(const Record &record) {
    if (style_.json)
        return print_json(record.json(), style_.pretty);
    for (const Record::Field &field : record.fields())
        out_ << record.text(field) << '\n';
    out_.flush();
}

} // namespace srqctl
