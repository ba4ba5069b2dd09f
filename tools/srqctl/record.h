// SPDX-License-Identifier: GPL-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "lib/objects.h"
#include "units.h"

namespace srqctl {

using Json = nlohmann::ordered_json;

/// How people see a field; programs see its plain value.
struct Look {
    Unit unit = Unit::none;
    std::string_view out_of = {};  // the key of its maximum: shown as "cur/max"
    std::string_view heading = {}; // instead of the key
    bool state = false;            // a word of a state: coloured
    bool hidden = false;           // in no table: for programs, a maximum, or too much there
};

constexpr Look hidden{.hidden = true};

constexpr Look hidden_in(Unit unit) { return Look{.unit = unit, .hidden = true}; }

constexpr Look state_word{.state = true};

constexpr Look as(std::string_view heading) { return Look{.heading = heading}; }

constexpr Look in(Unit unit) { return Look{.unit = unit}; }

constexpr Look out_of(std::string_view key, Unit unit = Unit::none) {
    return Look{.unit = unit, .out_of = key};
}

/// One object described once: a list of keys and values. The writer makes both its texts and its
/// JSON from this alone, so that they cannot differ.
class Record {
  public:
    struct Field {
        std::string key;
        Json value;
        Look look;
    };

    struct Children {
        std::string key;
        std::string_view owner; // heading of the column that says whose they are
        std::vector<Record> rows;
    };

    // The check does not see the move in a template.
    template <typename T>
    // NOLINTNEXTLINE(performance-unnecessary-value-param)
    Record &add(std::string key, const std::optional<T> &value, Look look = {}) {
        return put(std::move(key), value ? Json(*value) : Json(nullptr), look);
    }

    template <typename T> Record &add(std::string key, const T &value, Look look = {}) {
        return put(std::move(key), Json(value), look);
    }

    /// Records of its own under a key.
    Record &add_children(std::string key, std::string_view owner, std::vector<Record> rows);

    Json json() const;
    const std::vector<Field> &fields() const { return fields_; }
    const std::vector<Children> &children() const { return children_; }
    const Field *find(std::string_view key) const;

    /// A field as people read it, with its maximum; "-" if it has no value.
    std::string text(const Field &field) const;

  private:
    Record &put(std::string key, Json value, Look look);

    std::vector<Field> fields_;
    std::vector<Children> children_;
};

/// {count, sum, buckets}, which text shows as bars.
Json histogram_json(const srqpool::Hist &hist);

} // namespace srqctl
