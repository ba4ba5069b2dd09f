// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include "names.h"
#include "objects.h"

namespace srqpool {

std::string to_string(const Poll &poll) {
    std::string text = poll_name(poll.kind);
    if (poll.kind == SRQPOOL_POLL_HYBRID && poll.usec)
        text += ':' + std::to_string(*poll.usec);
    return text;
}

} // namespace srqpool
