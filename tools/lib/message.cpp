// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include "message.h"

#include <cstring>

#include <linux/genetlink.h>

namespace srqpool {

Message::Message(std::uint16_t type, std::uint16_t flags, std::uint8_t command) {
    nlmsghdr netlink{};
    netlink.nlmsg_type = type;
    netlink.nlmsg_flags = flags;
    genlmsghdr generic{};
    generic.cmd = command;
    generic.version = 1;

    append(&netlink, sizeof(netlink));
    append(&generic, sizeof(generic));
}

// Everything in a netlink message starts at a multiple of four; nlmsg_len covers all of it.
void Message::append(const void *value, std::size_t size) {
    const std::size_t start = bytes_.size();
    bytes_.resize(start + NLMSG_ALIGN(size));
    if (size > 0)
        std::memcpy(bytes_.data() + start, value, size);
    header()->nlmsg_len = static_cast<std::uint32_t>(bytes_.size());
}

void Message::put(std::uint16_t attribute, const void *value, std::size_t size) {
    nlattr header{};
    header.nla_type = attribute;
    header.nla_len = static_cast<std::uint16_t>(NLA_HDRLEN + size);
    append(&header, sizeof(header));
    append(value, size);
}

std::size_t Message::open_nest(std::uint16_t attribute) {
    const std::size_t start = bytes_.size();
    put(static_cast<std::uint16_t>(attribute | NLA_F_NESTED), nullptr, 0);
    return start;
}

void Message::close_nest(std::size_t start) {
    const auto length = static_cast<std::uint16_t>(bytes_.size() - start);
    std::memcpy(bytes_.data() + start + offsetof(nlattr, nla_len), &length, sizeof(length));
}

Message &Message::flag(std::uint16_t attribute) {
    put(attribute, nullptr, 0);
    return *this;
}

Message &Message::u8(std::uint16_t attribute, std::uint8_t value) {
    put(attribute, &value, sizeof(value));
    return *this;
}

Message &Message::u16(std::uint16_t attribute, std::uint16_t value) {
    put(attribute, &value, sizeof(value));
    return *this;
}

Message &Message::u32(std::uint16_t attribute, std::uint32_t value) {
    put(attribute, &value, sizeof(value));
    return *this;
}

Message &Message::u64(std::uint16_t attribute, std::uint64_t value) {
    put(attribute, &value, sizeof(value));
    return *this;
}

Message &Message::string(std::uint16_t attribute, std::string_view value) {
    std::vector<char> text(value.begin(), value.end());
    text.push_back('\0');
    put(attribute, text.data(), text.size());
    return *this;
}

Message &Message::binary(std::uint16_t attribute, std::span<const std::byte> value) {
    put(attribute, value.data(), value.size());
    return *this;
}

void Message::address(std::uint32_t sequence, std::uint32_t port) {
    header()->nlmsg_seq = sequence;
    header()->nlmsg_pid = port;
}

} // namespace srqpool
