// SPDX-License-Identifier: GPL-2.0
#include "list.h"

#include <algorithm>
#include <ostream>

#include <fmt/format.h>

#include "table.h"

namespace srqctl {

namespace {

constexpr std::size_t bar_width = 40;

bool ends_with(std::string_view text, std::string_view end) {
    return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

// A histogram's key names its unit.
Unit unit_of(std::string_view key) {
    if (ends_with(key, "_ns"))
        return Unit::nsec;
    return ends_with(key, "_bytes") ? Unit::bytes : Unit::none;
}

std::string label(std::string_view key, Unit unit) {
    std::string text(without_unit(key, unit));
    std::replace(text.begin(), text.end(), '_', ' ');
    return text;
}

std::string label(const Record::Field &field) { return label(field.key, field.look.unit); }

void print_line(std::ostream &out, const Record &record, const Record::Field &field, bool color) {
    const std::string text = record.text(field);
    out << fmt::format("  {:<20}  {}\n", label(field), painted(text, color && field.look.state));
}

// Bucket i counts from 2^i up to 2^(i+1), which the last one reaches only in theory.
std::string bucket_range(std::size_t bucket, Unit unit) {
    const std::uint64_t from = bucket == 0 ? 0 : std::uint64_t{1} << bucket;
    if (bucket == SRQPOOL_HIST_BUCKETS - 1)
        return fmt::format("{} -", human(from, unit));
    return fmt::format("{} - {}", human(from, unit), human(std::uint64_t{2} << bucket, unit));
}

void print_buckets(std::ostream &out, const Json &buckets, Unit unit) {
    std::uint64_t most = 1;
    for (const Json &bucket : buckets)
        most = std::max(most, bucket.get<std::uint64_t>());

    for (std::size_t i = 0; i < buckets.size(); i++) {
        const auto count = buckets[i].get<std::uint64_t>();
        if (count == 0)
            continue;
        const double share = static_cast<double>(count) / static_cast<double>(most);
        const auto length = static_cast<std::size_t>(share * bar_width);
        out << fmt::format("    {:>22}  {:>10} {}\n", bucket_range(i, unit), count,
                           std::string(std::max<std::size_t>(length, 1), '#'));
    }
}

void print_histogram(std::ostream &out, const std::string &key, const Json &hist) {
    const Unit unit = unit_of(key);
    const auto count = hist.at("count").get<std::uint64_t>();
    out << fmt::format("  {:<20}  {} values", label(key, unit), count);
    if (count > 0) {
        const double mean = hist.at("sum").get<double>() / static_cast<double>(count);
        out << ", mean " << human(mean, unit);
    }
    out << '\n';
    print_buckets(out, hist.at("buckets"), unit);
}

void print_object(std::ostream &out, const Json &object) {
    for (const auto &[key, value] : object.items()) {
        if (value.is_object())
            print_histogram(out, key, value);
        else
            out << fmt::format("    {:<20}  {}\n", key, value.dump());
    }
}

} // namespace

void print_list(std::ostream &out, const Record &record, bool color) {
    const auto &fields = record.fields();
    out << bold(record.text(fields.front()), color) << '\n';
    for (auto field = fields.begin() + 1; field != fields.end(); ++field) {
        if (field->look.hidden)
            continue;
        if (!field->value.is_object()) {
            print_line(out, record, *field, color);
            continue;
        }
        if (!field->value.empty())
            out << "  " << label(*field) << ":\n";
        print_object(out, field->value);
    }
}

void print_details(std::ostream &out, const Record &record, bool color) {
    const auto &fields = record.fields();
    out << bold(record.text(fields.front()), color) << '\n';
    for (auto field = fields.begin() + 1; field != fields.end(); ++field)
        print_line(out, record, *field, color);
}

} // namespace srqctl
