// SPDX-License-Identifier: GPL-2.0
#pragma once

#include <iosfwd>
#include <memory>
#include <string>

#include "session.h"

namespace srqctl {

/// A FILE that a user names, or the standard input for "-".
class Input {
  public:
    static tl::expected<Input, Failure> open(const Environment &environment,
                                             const std::string &file);

    std::istream &stream() { return *stream_; }
    const std::string &name() const { return name_; }

    /// Whether all that was read could be read.
    Outcome check() const;

    /// All that is left in it.
    tl::expected<std::string, Failure> text();

  private:
    Input(std::string name, std::unique_ptr<std::istream> file, std::istream *stream);

    std::string name_;
    std::unique_ptr<std::istream> file_;
    std::istream *stream_;
};

} // namespace srqctl
