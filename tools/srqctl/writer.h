// SPDX-License-Identifier: GPL-2.0
#pragma once

#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include "record.h"

namespace srqctl {

struct Style {
    bool json = false;
    bool pretty = false;
    bool color = false;
};

/// Prints records as text or as JSON.
class Writer {
  public:
    Writer(std::ostream &out, Style style) : out_(out), style_(style) {}

    /// A line each, children in tables of their own; a JSON array.
    void table(const std::vector<Record> &records);

    /// One in full: a line for each field, children in tables; a JSON array.
    void details(const Record &record);

    /// A line for each field; a JSON array.
    void list(const std::vector<Record> &records);

    /// One of a stream, passed on at once; a JSON object in a line.
    void line(const Record &record);

    /// Only the values, as scripts want them; a JSON object.
    void bare(const Record &record);

    /// A line each; a JSON array.
    void lines(const std::vector<Record> &records);

    /// JSON whatever the style: indented, unless JSON in a line was asked for.
    void document(const Json &json);

    bool json() const { return style_.json; }
    Style style() const { return style_; }
    void set_style(Style style) { style_ = style; }

    /// How many pieces of JSON were printed so far.
    std::size_t printed() const { return printed_; }

  private:
    void print_children(const std::vector<Record> &records);
    void print_json(const Json &json, bool pretty);
    void print_json(const std::vector<Record> &records);

    std::ostream &out_;
    Style style_;
    std::size_t printed_ = 0;
};

} // namespace srqctl
