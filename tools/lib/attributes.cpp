// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include "attributes.h"

#include <algorithm>
#include <cstring>

#include <linux/genetlink.h>

namespace srqpool {

Attributes Attributes::of_message(const nlmsghdr &message) {
    constexpr std::size_t headers = NLMSG_HDRLEN + GENL_HDRLEN;
    const auto *start = reinterpret_cast<const std::byte *>(&message);
    if (message.nlmsg_len < headers)
        return Attributes({});
    return Attributes({start + headers, message.nlmsg_len - headers});
}

std::optional<Attributes::Item> Attributes::next(std::span<const std::byte> &rest) {
    nlattr header{};
    if (rest.size() < sizeof(header))
        return std::nullopt;
    std::memcpy(&header, rest.data(), sizeof(header));
    if (header.nla_len < sizeof(header) || header.nla_len > rest.size())
        return std::nullopt;

    const Item item{header.nla_type & NLA_TYPE_MASK,
                    rest.subspan(sizeof(header), header.nla_len - sizeof(header))};
    rest = rest.subspan(std::min<std::size_t>(NLA_ALIGN(header.nla_len), rest.size()));
    return item;
}

std::optional<std::span<const std::byte>> Attributes::binary(int type) const {
    for (std::span<const std::byte> rest = row_; auto item = next(rest);)
        if (item->type == type)
            return item->payload;
    return std::nullopt;
}

template <typename T> std::optional<T> Attributes::number(int type) const {
    const auto payload = binary(type);
    if (!payload || payload->size() != sizeof(T))
        return std::nullopt;
    T value;
    std::memcpy(&value, payload->data(), sizeof(value));
    return value;
}

std::optional<std::uint8_t> Attributes::u8(int type) const { return number<std::uint8_t>(type); }

std::optional<std::uint16_t> Attributes::u16(int type) const { return number<std::uint16_t>(type); }

std::optional<std::uint32_t> Attributes::u32(int type) const { return number<std::uint32_t>(type); }

std::optional<std::uint64_t> Attributes::u64(int type) const { return number<std::uint64_t>(type); }

std::optional<bool> Attributes::boolean(int type) const {
    const auto value = u8(type);
    if (!value)
        return std::nullopt;
    return *value != 0;
}

std::optional<std::string> Attributes::string(int type) const {
    const auto payload = binary(type);
    if (!payload)
        return std::nullopt;
    const auto end = std::find(payload->begin(), payload->end(), std::byte{0});
    return std::string(reinterpret_cast<const char *>(payload->data()),
                       static_cast<std::size_t>(end - payload->begin()));
}

std::optional<Attributes> Attributes::nest(int type) const {
    const auto payload = binary(type);
    if (!payload)
        return std::nullopt;
    return Attributes(*payload);
}

} // namespace srqpool
