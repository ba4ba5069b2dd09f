// SPDX-License-Identifier: GPL-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "record.h"
#include "values.h"

namespace srqctl::advice {

/// An object of a JSON file, whose fields are read strictly: numbers have no sign and no fraction
/// and fit. What is wrong first is noted with its path, "pools[0].shards: is not a number"; the
/// values read after that mean nothing.
class Fields {
  public:
    /// `error` stays empty as long as nothing is wrong.
    Fields(const Json &json, std::string path, std::string &error)
        : json_(json), path_(std::move(path)), error_(error) {}

    bool has(const std::string &key) const { return json_.contains(key); }
    void refuse(const std::string &key, const std::string &why) const;

    std::uint64_t u64(const std::string &key) const;
    std::uint32_t u32(const std::string &key, std::uint32_t least = 0,
                      std::uint32_t most = std::numeric_limits<std::uint32_t>::max()) const;

    /// Nothing if the field is null or not there.
    std::optional<std::uint64_t> optional_u64(const std::string &key) const;
    std::optional<std::uint32_t> optional_u32(const std::string &key) const;

    /// A string that `parse` understands.
    template <typename Parse> auto word(const std::string &key, Parse parse) const {
        auto value = parse(string(key));
        if (!value)
            refuse(key, value.error());
        return value ? *value : typename decltype(value)::value_type{};
    }
    template <typename Parse>
    auto optional_word(const std::string &key, Parse parse) const
        -> std::optional<typename decltype(parse(std::string()))::value_type> {
        if (is_absent(key))
            return std::nullopt;
        return word(key, parse);
    }

    /// Of a pool or a class.
    std::string name(const std::string &key) const { return word(key, parse_name); }

    /// An array of so many numbers.
    std::vector<std::uint64_t> numbers(const std::string &key, std::size_t count) const;

    Fields object(const std::string &key) const;

    /// Calls `visit` with each object of an array, if there is one.
    void each(const std::string &key, const std::function<void(const Fields &)> &visit) const;

  private:
    bool is_absent(const std::string &key) const;
    const Json &at(const std::string &key) const;
    std::string string(const std::string &key) const;
    std::uint64_t number(const Json &value, const std::string &key) const;
    std::string path_of(const std::string &key) const;

    const Json &json_;
    std::string path_;
    std::string &error_;
};

} // namespace srqctl::advice
