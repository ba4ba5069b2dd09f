// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#pragma once

#include <string>
#include <string_view>

#include <tl/expected.hpp>

namespace srqpool {

enum class ErrorKind {
    refused,     // the kernel said no; `code` and `text` are what it said
    no_family,   // the module is not loaded, or not visible from this network namespace
    version,     // the module speaks another major version
    interrupted, // a dump changed under us each time it was tried
    truncated,   // a message did not fit
    malformed,   // an answer that cannot be understood
    system,      // a system call failed
};

struct Error {
    ErrorKind kind = ErrorKind::system;
    int code = 0; // errno, 0 if there is none
    std::string text;
};

template <typename T> using Result = tl::expected<T, Error>;
using Status = Result<void>;

/// An error for the failed call `what`, from errno.
Error system_error(std::string_view what, int code);

/// The text for an errno value.
std::string errno_text(int code);

} // namespace srqpool
