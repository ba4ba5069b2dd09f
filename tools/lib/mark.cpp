// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include "objects.h"

namespace srqpool {

std::string to_string(const Mark &mark) {
    if (mark.kind == SRQPOOL_MARK_AUTO)
        return "auto";
    return std::to_string(mark.value) + (mark.kind == SRQPOOL_MARK_PERCENT ? "%" : "");
}

} // namespace srqpool
