// SPDX-License-Identifier: GPL-2.0
#pragma once

#include "amounts.h"

namespace srqctl::advice {

/// A class to be, and what it is made from.
struct Part {
    std::string name;
    std::uint32_t size_now = 0;
    Basis basis; // with the size to be
    std::string size_why;
    bool made = false; // there is none of this name yet
};

/// The classes to be, with sizes and without amounts.
struct Draft {
    std::vector<Part> parts;
    std::vector<std::string> listener_classes; // in the order of the listeners
};

/// `reasons` are those for listeners that change their class.
Draft draft_of(const Seen &seen, std::vector<std::string> &reasons);

/// The class of each listener.
std::vector<std::string> listener_classes_now(const Seen &seen);

} // namespace srqctl::advice
