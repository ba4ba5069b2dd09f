// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include "family.h"

#include <cerrno>

#include <linux/genetlink.h>

#include "attributes.h"

namespace srqpool {

namespace {

Family decode_family(const Attributes &attributes) {
    Family family;
    family.id = attributes.u16(CTRL_ATTR_FAMILY_ID).value_or(0);
    family.version = attributes.u32(CTRL_ATTR_VERSION).value_or(0);
    attributes.each_nest(CTRL_ATTR_MCAST_GROUPS, [&](const Attributes &groups) {
        groups.each_element([&](const Attributes &group) {
            const auto name = group.string(CTRL_ATTR_MCAST_GRP_NAME);
            const auto id = group.u32(CTRL_ATTR_MCAST_GRP_ID);
            if (name && id)
                family.groups[*name] = *id;
        });
    });
    return family;
}

} // namespace

Result<Family> resolve_family(Exchange &exchange, const std::string &name) {
    Message message(GENL_ID_CTRL, NLM_F_REQUEST | NLM_F_ACK, CTRL_CMD_GETFAMILY);
    message.string(CTRL_ATTR_FAMILY_NAME, name);

    Family family;
    const auto status = exchange.request(std::move(message), [&](const nlmsghdr &answer) {
        family = decode_family(Attributes::of_message(answer));
    });
    if (!status && status.error().code == ENOENT)
        return tl::unexpected(
            Error{ErrorKind::no_family, ENOENT, "the kernel module " + name + " is not loaded"});
    if (!status)
        return tl::unexpected(status.error());
    if (family.id == 0)
        return tl::unexpected(
            Error{ErrorKind::malformed, 0, "the kernel's answer names no family"});
    return family;
}

Version version_of(std::uint32_t family_version) {
    return Version{family_version >> 8, family_version & 0xff};
}

std::string to_string(Version version) {
    return std::to_string(version.major) + "." + std::to_string(version.minor);
}

Status check_version(Exchange &exchange, Version module, Version tool) {
    const std::string both =
        "the module speaks version " + to_string(module) + ", this tool " + to_string(tool);
    if (module.major != tool.major)
        return tl::unexpected(Error{ErrorKind::version, 0, both});
    if (module.minor != tool.minor)
        exchange.warn(both + "; what only one of them knows is missing");
    return {};
}

} // namespace srqpool
