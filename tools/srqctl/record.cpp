// SPDX-License-Identifier: GPL-2.0
#include "record.h"

#include <algorithm>

namespace srqctl {

namespace {

std::string value_text(const Json &value, Unit unit) {
    if (value.is_null())
        return "-";
    if (value.is_boolean())
        return value.get<bool>() ? "yes" : "no";
    if (value.is_number_unsigned())
        return human(value.get<std::uint64_t>(), unit);
    if (value.is_number())
        return human(value.get<double>(), unit);
    if (value.is_string())
        return value.get<std::string>();
    return value.dump();
}

} // namespace

Record &Record::put(std::string key, Json value, Look look) {
    fields_.push_back(Field{std::move(key), std::move(value), look});
    return *this;
}

Record &Record::add_children(std::string key, std::string_view owner, std::vector<Record> rows) {
    children_.push_back(Children{std::move(key), owner, std::move(rows)});
    return *this;
}

Json Record::json() const {
    Json object = Json::object();
    for (const Field &field : fields_)
        object[field.key] = field.value;
    for (const Children &child : children_) {
        Json rows = Json::array();
        for (const Record &row : child.rows)
            rows.push_back(row.json());
        object[child.key] = std::move(rows);
    }
    return object;
}

const Record::Field *Record::find(std::string_view key) const {
    const auto found = std::find_if(fields_.begin(), fields_.end(),
                                    [&](const Field &field) { return field.key == key; });
    return found == fields_.end() ? nullptr : &*found;
}

std::string Record::text(const Field &field) const {
    std::string text = value_text(field.value, field.look.unit);
    if (const Field *maximum = find(field.look.out_of))
        text += '/' + value_text(maximum->value, field.look.unit);
    return text;
}

Json histogram_json(const srqpool::Hist &hist) {
    Json object;
    object["count"] = hist.count;
    object["sum"] = hist.sum;
    object["buckets"] = hist.buckets;
    return object;
}

} // namespace srqctl
