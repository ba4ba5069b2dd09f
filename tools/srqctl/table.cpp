// SPDX-License-Identifier: GPL-2.0
#include "table.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <ostream>

#include <fmt/format.h>

namespace srqctl {

namespace {

constexpr std::string_view red = "\033[31m";
constexpr std::string_view green = "\033[32m";
constexpr std::string_view yellow = "\033[33m";
constexpr std::string_view strong = "\033[1m";
constexpr std::string_view plain = "\033[0m";

struct Tone {
    std::string_view word;
    std::string_view color;
};

constexpr std::array tones = {
    Tone{"active", green},    Tone{"up", green},       Tone{"conn-up", green},
    Tone{"recovered", green}, Tone{"dev-back", green}, Tone{"degraded", yellow},
    Tone{"deleting", yellow}, Tone{"filling", yellow}, Tone{"connecting", yellow},
    Tone{"closing", yellow},  Tone{"low", yellow},     Tone{"budget-hit", yellow},
    Tone{"detached", red},    Tone{"starved", red},    Tone{"error", red},
    Tone{"dev-gone", red},    Tone{"lost", red},       Tone{"quota-hit", yellow},
};

bool is_time(Unit unit) { return unit == Unit::nsec || unit == Unit::usec || unit == Unit::msec; }

std::string upper(std::string_view key) {
    std::string text;
    for (const char c : key)
        text += c == '_' ? '-' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    return text;
}

} // namespace

std::string_view without_unit(std::string_view key, Unit unit) {
    return is_time(unit) ? key.substr(0, key.rfind('_')) : key;
}

std::string heading(const Record::Field &field) {
    const std::string_view key = field.look.heading.empty() ? field.key : field.look.heading;
    std::string text = upper(without_unit(key, field.look.unit));
    if (!field.look.out_of.empty())
        text += '/' + upper(field.look.out_of);
    return text;
}

std::string painted(const std::string &state, bool color) {
    const auto tone = std::find_if(tones.begin(), tones.end(),
                                   [&](const Tone &one) { return one.word == state; });
    if (!color || tone == tones.end())
        return state;
    return fmt::format("{}{}{}", tone->color, state, plain);
}

std::string bold(const std::string &text, bool color) {
    return color ? fmt::format("{}{}{}", strong, text, plain) : text;
}

void Table::add_column(std::string heading) {
    const std::size_t width = heading.size();
    columns_.push_back(Column{std::move(heading), false, width});
}

void Table::add_columns(const Record &record, const std::optional<Lead> &lead) {
    if (lead)
        add_column(upper(lead->heading));
    for (const Record::Field &field : record.fields())
        if (!field.look.hidden)
            add_column(heading(field));
}

void Table::add_row(std::vector<Cell> row) {
    for (std::size_t i = 0; i < row.size(); i++)
        columns_[i].width = std::max(columns_[i].width, row[i].text.size());
    rows_.push_back(std::move(row));
}

void Table::add(const Record &record, const std::optional<Lead> &lead) {
    if (columns_.empty())
        add_columns(record, lead);

    std::vector<Cell> row;
    if (lead)
        row.push_back(Cell{lead->text});
    for (const Record::Field &field : record.fields()) {
        if (field.look.hidden)
            continue;
        if (field.value.is_number())
            columns_[row.size()].number = true;
        row.push_back(Cell{record.text(field), field.look.state});
    }
    add_row(std::move(row));
}

// `paint` is `text` with what a terminal does not count as width.
std::string Table::aligned(const std::string &text, const std::string &paint,
                           std::size_t column) const {
    const std::string pad(columns_[column].width - text.size(), ' ');
    if (columns_[column].number)
        return pad + paint;
    return column + 1 == columns_.size() ? paint : paint + pad;
}

void Table::print(std::ostream &out, bool color) const {
    if (rows_.empty())
        return;

    for (std::size_t i = 0; i < columns_.size(); i++) {
        const std::string &text = columns_[i].heading;
        out << (i > 0 ? "  " : "") << aligned(text, bold(text, color), i);
    }
    out << '\n';
    for (const auto &row : rows_) {
        for (std::size_t i = 0; i < row.size(); i++) {
            const std::string &text = row[i].text;
            out << (i > 0 ? "  " : "") << aligned(text, painted(text, color && row[i].state), i);
        }
        out << '\n';
    }
}

} // namespace srqctl
