// SPDX-License-Identifier: GPL-2.0
#include "fields.h"

#include <fmt/format.h>

namespace srqctl::advice {

namespace {

const Json nothing = Json::object();

} // namespace

std::string Fields::path_of(const std::string &key) const {
    return path_.empty() ? key : path_ + '.' + key;
}

void Fields::refuse(const std::string &key, const std::string &why) const {
    if (error_.empty())
        error_ = path_of(key) + ": " + why;
}

bool Fields::is_absent(const std::string &key) const {
    return !json_.contains(key) || json_.at(key).is_null();
}

const Json &Fields::at(const std::string &key) const {
    if (is_absent(key)) {
        refuse(key, "is missing");
        return nothing;
    }
    return json_.at(key);
}

std::string Fields::string(const std::string &key) const {
    const Json &value = at(key);
    if (value.is_string())
        return value.get<std::string>();
    refuse(key, "is not a string");
    return {};
}

std::uint64_t Fields::number(const Json &value, const std::string &key) const {
    if (value.is_number_unsigned())
        return value.get<std::uint64_t>();
    refuse(key, "is not a number from 0 to 18446744073709551615");
    return 0;
}

std::uint64_t Fields::u64(const std::string &key) const { return number(at(key), key); }

std::uint32_t Fields::u32(const std::string &key, std::uint32_t least, std::uint32_t most) const {
    const std::uint64_t value = u64(key);
    if (value < least || value > most)
        refuse(key, fmt::format("{} is not from {} to {}", value, least, most));
    return static_cast<std::uint32_t>(value);
}

std::optional<std::uint64_t> Fields::optional_u64(const std::string &key) const {
    if (is_absent(key))
        return std::nullopt;
    return u64(key);
}

std::optional<std::uint32_t> Fields::optional_u32(const std::string &key) const {
    if (is_absent(key))
        return std::nullopt;
    return u32(key);
}

std::vector<std::uint64_t> Fields::numbers(const std::string &key, std::size_t count) const {
    const Json &array = at(key);
    std::vector<std::uint64_t> values;
    if (!array.is_array() || array.size() != count) {
        refuse(key, fmt::format("is not an array of {} numbers", count));
        return values;
    }
    for (std::size_t i = 0; i < count; i++)
        values.push_back(number(array[i], fmt::format("{}[{}]", key, i)));
    return values;
}

Fields Fields::object(const std::string &key) const {
    const Json &value = at(key);
    if (!value.is_object())
        refuse(key, "is not an object");
    return {value.is_object() ? value : nothing, path_of(key), error_};
}

void Fields::each(const std::string &key, const std::function<void(const Fields &)> &visit) const {
    if (!has(key))
        return;
    const Json &array = json_.at(key);
    if (!array.is_array()) {
        refuse(key, "is not an array");
        return;
    }
    for (std::size_t i = 0; i < array.size() && error_.empty(); i++) {
        const std::string element = fmt::format("{}[{}]", key, i);
        if (!array[i].is_object())
            refuse(element, "is not an object");
        else
            visit(Fields(array[i], path_of(element), error_));
    }
}

} // namespace srqctl::advice
