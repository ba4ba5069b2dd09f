// SPDX-License-Identifier: GPL-2.0
#include "live.h"

#include <fmt/format.h>

#include "lib/names.h"

namespace srqctl {

namespace {

std::optional<srqpool::Client> connected(const Environment &environment) {
    auto transport = environment.open_transport();
    if (!transport)
        return std::nullopt;
    auto client = srqpool::Client::connect(std::move(*transport));
    if (!client)
        return std::nullopt;
    return std::move(*client);
}

template <typename T> std::vector<T> all_or_none(srqpool::Result<std::vector<T>> objects) {
    return objects ? std::move(*objects) : std::vector<T>{};
}

std::string where(const std::optional<srqpool::Address> &address,
                  const std::optional<std::uint16_t> &port) {
    return address && port ? with_port(*address, *port) : "-";
}

Candidate candidate(const srqpool::Dev &dev) {
    return {dev.name, fmt::format("{} pools", dev.pools.value_or(0))};
}

Candidate candidate(const srqpool::Pool &pool) {
    const std::string state = pool.state ? srqpool::pool_state_name(*pool.state) : "-";
    return {pool.name, fmt::format("{} on {}", state, pool.dev.value_or("-"))};
}

Candidate candidate(const srqpool::Listener &listener) {
    return {
        std::to_string(listener.id),
        fmt::format("{} of {}", where(listener.addr, listener.port), listener.pool.value_or("-"))};
}

Candidate candidate(const srqpool::Conn &conn) {
    return {std::to_string(conn.id), fmt::format("{} to {}", where(conn.peer_addr, conn.peer_port),
                                                 conn.pool.value_or("-"))};
}

template <typename T> Candidates candidates(const std::vector<T> &objects) {
    Candidates words;
    for (const T &object : objects)
        words.push_back(candidate(object));
    return words;
}

// [CNAME=]SIZE:FLOOR-CEILING@MARK
std::string class_spec(const srqpool::Class &one) {
    const std::uint32_t size = one.size.value_or(0);
    const bool named = one.name != std::to_string(size);
    std::string text = fmt::format("{}{}:{}-{}", named ? one.name + "=" : "", size,
                                   one.floor.value_or(0), one.ceiling.value_or(0));
    if (one.mark_spec)
        text += "@" + to_string(*one.mark_spec);
    return text;
}

} // namespace

Live::Live(const Environment &environment) : client_(connected(environment)) {}

Candidates Live::devs() {
    return client_ ? candidates(all_or_none(client_->devs())) : Candidates{};
}

Candidates Live::pools() {
    return client_ ? candidates(all_or_none(client_->pools())) : Candidates{};
}

Candidates Live::listeners() {
    return client_ ? candidates(all_or_none(client_->listeners())) : Candidates{};
}

Candidates Live::conns() {
    return client_ ? candidates(all_or_none(client_->conns(std::nullopt))) : Candidates{};
}

Candidates Live::class_names(const std::optional<std::string> &pool) {
    Candidates words;
    if (!client_)
        return words;
    for (const srqpool::Pool &one : all_or_none(client_->pools()))
        for (const srqpool::Class &buffers : one.classes)
            if (!pool || one.name == *pool)
                words.push_back({buffers.name, fmt::format("{} bytes, of {}",
                                                           buffers.size.value_or(0), one.name)});
    return words;
}

Candidates Live::class_specs(const std::string &pool) {
    Candidates words;
    if (!client_)
        return words;
    for (const srqpool::Pool &one : all_or_none(client_->pools()))
        for (const srqpool::Class &buffers : one.classes)
            if (one.name == pool)
                words.push_back({class_spec(buffers), "as it is"});
    return words;
}

} // namespace srqctl
