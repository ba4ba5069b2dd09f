// SPDX-License-Identifier: GPL-2.0
#pragma once

#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "record.h"

namespace srqctl {

/// Records as aligned columns: text to the left, numbers to the right.
class Table {
  public:
    struct Lead {
        std::string_view heading;
        std::string text;
    };

    /// All records of a table have the same fields.
    void add(const Record &record, const std::optional<Lead> &lead = {});
    void print(std::ostream &out, bool color) const;

  private:
    struct Column {
        std::string heading;
        bool number = false;
        std::size_t width = 0;
    };

    struct Cell {
        std::string text;
        bool state = false;
    };

    void add_columns(const Record &record, const std::optional<Lead> &lead);
    void add_column(std::string heading);
    void add_row(std::vector<Cell> row);
    std::string aligned(const std::string &text, const std::string &paint,
                        std::size_t column) const;

    std::vector<Column> columns_;
    std::vector<std::vector<Cell>> rows_;
};

/// A key without the unit of time at its end, which the value is shown with.
std::string_view without_unit(std::string_view key, Unit unit);

/// The heading of a field: RNR-TIMER for rnr_timer_us.
std::string heading(const Record::Field &field);

/// A state in green, yellow or red.
std::string painted(const std::string &state, bool color);

std::string bold(const std::string &text, bool color);

} // namespace srqctl
