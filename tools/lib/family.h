// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "exchange.h"

namespace srqpool {

/// What the kernel tells about a generic netlink family.
struct Family {
    std::uint16_t id = 0;
    std::uint32_t version = 0;
    std::map<std::string, std::uint32_t> groups;
};

/// Asks for a family by name; `no_family` if there is none.
Result<Family> resolve_family(Exchange &exchange, const std::string &name);

struct Version {
    unsigned major;
    unsigned minor;
};

Version version_of(std::uint32_t family_version);

std::string to_string(Version version);

/// An error if the module speaks another major; a warning to `exchange` if only the minor differs.
Status check_version(Exchange &exchange, Version module, Version tool);

} // namespace srqpool
