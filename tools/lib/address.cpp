// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include "address.h"

#include <algorithm>
#include <charconv>

#include <arpa/inet.h>
#include <net/if.h>

namespace srqpool {

namespace {

std::optional<std::uint32_t> scope_of(const std::string &interface) {
    if (const unsigned index = if_nametoindex(interface.c_str()); index != 0)
        return index;

    std::uint32_t number = 0;
    const char *end = interface.data() + interface.size();
    const auto [stop, failure] = std::from_chars(interface.data(), end, number);
    if (failure != std::errc{} || stop != end || number == 0)
        return std::nullopt;
    return number;
}

std::string interface_of(std::uint32_t scope_id) {
    std::array<char, IF_NAMESIZE> name{};
    if (if_indextoname(scope_id, name.data()))
        return name.data();
    return std::to_string(scope_id);
}

} // namespace

std::optional<Address> address_from_wire(std::span<const std::byte> wire) {
    Address address;
    if (wire.size() != 4 && wire.size() != address.bytes.size())
        return std::nullopt;
    address.size = wire.size();
    std::copy(wire.begin(), wire.end(), address.bytes.begin());
    return address;
}

std::optional<Address> parse_address(const std::string &text) {
    Address address;
    if (inet_pton(AF_INET, text.c_str(), address.bytes.data()) == 1)
        return address;

    address.size = address.bytes.size();
    const std::size_t percent = text.find('%');
    if (inet_pton(AF_INET6, text.substr(0, percent).c_str(), address.bytes.data()) != 1)
        return std::nullopt;
    if (percent == std::string::npos)
        return address;

    const auto scope = scope_of(text.substr(percent + 1));
    if (!scope)
        return std::nullopt;
    address.scope_id = *scope;
    return address;
}

std::string to_string(const Address &address) {
    std::array<char, INET6_ADDRSTRLEN> text{};
    inet_ntop(address.size == 4 ? AF_INET : AF_INET6, address.bytes.data(), text.data(),
              text.size());
    std::string result = text.data();
    if (address.scope_id != 0)
        result += '%' + interface_of(address.scope_id);
    return result;
}

std::string with_port(const Address &address, std::uint16_t port) {
    const std::string text = to_string(address);
    return (address.size == 4 ? text : '[' + text + ']') + ':' + std::to_string(port);
}

} // namespace srqpool
