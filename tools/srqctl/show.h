// SPDX-License-Identifier: GPL-2.0
#pragma once

#include <utility>
#include <vector>

#include "record.h"
#include "session.h"

namespace srqctl {

/// A single object as a list of one: every show prints an array.
template <typename T> srqpool::Result<std::vector<T>> as_list(srqpool::Result<T> object) {
    if (!object)
        return tl::unexpected(std::move(object.error()));
    std::vector<T> list;
    list.push_back(std::move(*object));
    return list;
}

template <typename T> std::vector<Record> describe_all(const std::vector<T> &objects) {
    std::vector<Record> records;
    records.reserve(objects.size());
    for (const T &object : objects)
        records.push_back(describe(object));
    return records;
}

/// `name` of a number, if there is one.
template <typename Name>
std::optional<std::string> named(const std::optional<std::uint32_t> &number, Name name) {
    if (!number)
        return std::nullopt;
    return name(*number);
}

} // namespace srqctl
