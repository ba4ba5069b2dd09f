// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <linux/netlink.h>

namespace srqpool {

/// The kernel's last word on a request, from NLMSG_ERROR or NLMSG_DONE.
struct Ack {
    int code = 0;                        // errno, 0 if it was done
    std::string text;                    // the extended-ACK message; with code 0 a warning
    std::optional<std::uint32_t> offset; // of the attribute at fault, in the request
};

/// Nothing if the message is too short to be one.
std::optional<Ack> parse_ack(const nlmsghdr &message);

} // namespace srqpool
