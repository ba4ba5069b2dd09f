// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include "error.h"

#include <system_error>

namespace srqpool {

std::string errno_text(int code) { return std::generic_category().message(code); }

Error system_error(std::string_view what, int code) {
    return Error{ErrorKind::system, code, std::string(what) + ": " + errno_text(code)};
}

} // namespace srqpool
