// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include "ack.h"

#include <cstddef>
#include <cstring>
#include <span>

#include "attributes.h"

namespace srqpool {

namespace {

std::span<const std::byte> payload_of(const nlmsghdr &message) {
    const auto *start = reinterpret_cast<const std::byte *>(&message);
    if (message.nlmsg_len < NLMSG_HDRLEN)
        return {};
    return {start + NLMSG_HDRLEN, message.nlmsg_len - NLMSG_HDRLEN};
}

// An error repeats the request's header, and its payload unless the kernel cut that off.
std::optional<std::size_t> details_start(const nlmsghdr &message,
                                         std::span<const std::byte> payload) {
    if (message.nlmsg_type == NLMSG_DONE)
        return sizeof(int);

    nlmsgerr error{};
    if (payload.size() < sizeof(error))
        return std::nullopt;
    std::memcpy(&error, payload.data(), sizeof(error));
    if ((message.nlmsg_flags & NLM_F_CAPPED) || error.msg.nlmsg_len < NLMSG_HDRLEN)
        return sizeof(error);
    return sizeof(error) + NLMSG_ALIGN(error.msg.nlmsg_len - NLMSG_HDRLEN);
}

} // namespace

std::optional<Ack> parse_ack(const nlmsghdr &message) {
    const auto payload = payload_of(message);
    int result = 0;
    if (payload.size() < sizeof(result))
        return std::nullopt;
    std::memcpy(&result, payload.data(), sizeof(result));

    Ack ack;
    ack.code = result < 0 ? -result : result;
    if (!(message.nlmsg_flags & NLM_F_ACK_TLVS))
        return ack;

    const auto start = details_start(message, payload);
    if (!start || *start > payload.size())
        return ack;
    const Attributes details(payload.subspan(*start));
    ack.text = details.string(NLMSGERR_ATTR_MSG).value_or("");
    ack.offset = details.u32(NLMSGERR_ATTR_OFFS);
    return ack;
}

} // namespace srqpool
