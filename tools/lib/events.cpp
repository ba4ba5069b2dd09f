// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include "events.h"

#include <cerrno>
#include <cstring>

#include <linux/genetlink.h>

#include "attributes.h"
#include "decode.h"
#include "exchange.h"

namespace srqpool {

namespace {

// The controller's "notify" group has the number of the controller itself.
constexpr std::uint32_t controller_group = GENL_ID_CTRL;

std::optional<std::uint8_t> command_of(const nlmsghdr &message) {
    genlmsghdr generic{};
    if (message.nlmsg_len < NLMSG_HDRLEN + sizeof(generic))
        return std::nullopt;
    std::memcpy(&generic, reinterpret_cast<const std::byte *>(&message) + NLMSG_HDRLEN,
                sizeof(generic));
    return generic.cmd;
}

bool is_unload(const nlmsghdr &message, std::uint16_t family_id) {
    return message.nlmsg_type == GENL_ID_CTRL && command_of(message) == CTRL_CMD_DELFAMILY &&
           Attributes::of_message(message).u16(CTRL_ATTR_FAMILY_ID) == family_id;
}

} // namespace

EventStream::EventStream(std::unique_ptr<Transport> transport, std::uint16_t family_id)
    : transport_(std::move(transport)), family_id_(family_id) {}

Result<EventStream> EventStream::subscribe(std::unique_ptr<Transport> transport,
                                           const Family &family) {
    const auto group = family.groups.find(SRQPOOL_MCGRP_EVENTS);
    if (group == family.groups.end())
        return tl::unexpected(Error{ErrorKind::malformed, 0, "the module sends no events"});
    if (auto joined = transport->join(group->second); !joined)
        return tl::unexpected(joined.error());
    if (auto joined = transport->join(controller_group); !joined)
        return tl::unexpected(joined.error());
    return EventStream(std::move(transport), family.id);
}

Result<EventOrLoss> EventStream::next() {
    while (pending_.empty())
        if (auto status = receive(); !status)
            return tl::unexpected(status.error());
    EventOrLoss first = std::move(pending_.front());
    pending_.pop_front();
    return first;
}

Status EventStream::receive() {
    const auto datagram = transport_->receive();
    if (!datagram && datagram.error().code == ENOBUFS) {
        overrun_ = true;
        return {};
    }
    if (!datagram)
        return tl::unexpected(datagram.error());
    return each_message(*datagram, [&](const nlmsghdr &message) { return take(message); });
}

Status EventStream::take(const nlmsghdr &message) {
    if (is_unload(message, family_id_))
        return tl::unexpected(
            Error{ErrorKind::no_family, ENOENT, "the kernel module srqpool was unloaded"});
    if (message.nlmsg_type == family_id_ && command_of(message) == SRQPOOL_CMD_EVENT_NTF)
        take_event(decode_event(Attributes::of_message(message)));
    return {};
}

void EventStream::take_event(Event event) {
    // The difference of two counters that wrap at 32 bits.
    const std::uint32_t missing = last_seq_ ? event.seq - *last_seq_ - 1 : 0;
    if (missing != 0)
        pending_.emplace_back(EventLoss{missing});
    else if (overrun_ && !last_seq_)
        pending_.emplace_back(EventLoss{});
    overrun_ = false;
    last_seq_ = event.seq;
    pending_.emplace_back(std::move(event));
}

} // namespace srqpool
