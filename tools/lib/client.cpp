// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include "client.h"

#include <cerrno>

#include "decode.h"
#include "encode.h"

namespace srqpool {

namespace {

constexpr int change_flags = NLM_F_REQUEST | NLM_F_ACK;
constexpr int get_flags = NLM_F_REQUEST | NLM_F_ACK;
constexpr int dump_flags = NLM_F_REQUEST | NLM_F_DUMP;

} // namespace

Client::Client(std::unique_ptr<Transport> transport)
    : transport_(std::move(transport)), exchange_(std::make_unique<Exchange>(*transport_)) {}

Result<Client> Client::connect(std::unique_ptr<Transport> transport) {
    Client client(std::move(transport));
    auto family = resolve_family(*client.exchange_, SRQPOOL_GENL_NAME);
    if (!family)
        return tl::unexpected(family.error());
    client.family_ = std::move(*family);

    const auto checked = check_version(*client.exchange_, version_of(client.family_.version),
                                       Version{SRQPOOL_UAPI_MAJOR, SRQPOOL_UAPI_MINOR});
    if (!checked)
        return tl::unexpected(checked.error());
    return client;
}

Message Client::message(std::uint8_t command, int flags) const {
    return {family_.id, static_cast<std::uint16_t>(flags), command};
}

Status Client::change(Message message) {
    return exchange_->request(std::move(message), [](const nlmsghdr &) {});
}

// The check does not see the move in a template.
// NOLINTNEXTLINE(performance-unnecessary-value-param)
template <typename T> Result<T> Client::get(Message message, T (*decode)(const Attributes &)) {
    std::optional<T> object;
    const auto status = exchange_->request(std::move(message), [&](const nlmsghdr &answer) {
        object = decode(Attributes::of_message(answer));
    });
    if (!status)
        return tl::unexpected(status.error());
    if (!object)
        return tl::unexpected(
            Error{ErrorKind::malformed, 0, "the kernel answered without an object"});
    return std::move(*object);
}

template <typename T>
Result<std::vector<T>> Client::list(const Message &message, T (*decode)(const Attributes &)) {
    std::vector<T> objects;
    const auto status = exchange_->dump(
        message, [&] { objects.clear(); },
        [&](const nlmsghdr &answer) { objects.push_back(decode(Attributes::of_message(answer))); });
    if (!status)
        return tl::unexpected(status.error());
    return objects;
}

template <typename T>
Result<std::vector<T>> Client::list_of_pool(std::uint8_t command, std::uint16_t attribute,
                                            const std::optional<std::string> &pool_name,
                                            T (*decode)(const Attributes &)) {
    Message request = message(command, dump_flags);
    if (pool_name)
        request.string(attribute, *pool_name);
    auto objects = list(request, decode);

    // A filter may have nothing to show because there is no such pool; that refused, 6.1 has no
    // words for it.
    const bool nothing = objects ? objects->empty() : objects.error().code == ENOENT;
    if (nothing && pool_name)
        if (const auto exists = pool(*pool_name); !exists)
            return tl::unexpected(exists.error());
    return objects;
}

Result<std::vector<Dev>> Client::devs() {
    return list(message(SRQPOOL_CMD_DEV_GET, dump_flags), decode_dev);
}

Result<Dev> Client::dev(const std::string &name) {
    return get(message(SRQPOOL_CMD_DEV_GET, get_flags).string(SRQPOOL_A_DEV_NAME, name),
               decode_dev);
}

Result<std::vector<Holder>> Client::holders() {
    return list(message(SRQPOOL_CMD_HOLDER_GET, dump_flags), decode_holder);
}

Status Client::add_pool(const PoolSpec &spec) {
    Message request = message(SRQPOOL_CMD_POOL_NEW, change_flags);
    encode(request, spec);
    return change(std::move(request));
}

Status Client::set_pool(const PoolSpec &spec) {
    Message request = message(SRQPOOL_CMD_POOL_SET, change_flags);
    encode(request, spec);
    return change(std::move(request));
}

Status Client::delete_pool(const std::string &name, bool force) {
    Message request = message(SRQPOOL_CMD_POOL_DEL, change_flags);
    request.string(SRQPOOL_A_POOL_NAME, name);
    if (force)
        request.flag(SRQPOOL_A_POOL_FORCE);
    return change(std::move(request));
}

Status Client::reset_pool(const std::string &name) {
    return change(message(SRQPOOL_CMD_POOL_RESET, change_flags).string(SRQPOOL_A_POOL_NAME, name));
}

Result<std::vector<Pool>> Client::pools() {
    return list(message(SRQPOOL_CMD_POOL_GET, dump_flags), decode_pool);
}

Result<Pool> Client::pool(const std::string &name) {
    return get(message(SRQPOOL_CMD_POOL_GET, get_flags).string(SRQPOOL_A_POOL_NAME, name),
               decode_pool);
}

Result<std::vector<Stats>> Client::stats() {
    return list(message(SRQPOOL_CMD_STATS_GET, dump_flags), decode_stats);
}

Result<Stats> Client::stats(const std::string &pool) {
    return get(message(SRQPOOL_CMD_STATS_GET, get_flags).string(SRQPOOL_A_STATS_NAME, pool),
               decode_stats);
}

Result<std::vector<Queue>> Client::queues(const std::optional<std::string> &pool) {
    return list_of_pool(SRQPOOL_CMD_QUEUE_GET, SRQPOOL_A_QUEUE_POOL, pool, decode_queue);
}

Result<std::vector<Conn>> Client::conns(const std::optional<std::string> &pool) {
    return list_of_pool(SRQPOOL_CMD_CONN_GET, SRQPOOL_A_CONN_POOL, pool, decode_conn);
}

Result<std::vector<Event>> Client::events(const std::string &pool_name) {
    return list_of_pool(SRQPOOL_CMD_EVENT_GET, SRQPOOL_A_EVENT_POOL, pool_name, decode_event);
}

Result<std::uint64_t> Client::add_listener(const ListenerSpec &spec) {
    Message request = message(SRQPOOL_CMD_LISTENER_NEW, change_flags);
    encode(request, spec);
    auto listener = get(std::move(request), decode_listener);
    if (!listener)
        return tl::unexpected(listener.error());
    return listener->id;
}

Status Client::delete_listener(std::uint64_t id) {
    return change(message(SRQPOOL_CMD_LISTENER_DEL, change_flags).u64(SRQPOOL_A_LISTENER_ID, id));
}

Result<std::vector<Listener>> Client::listeners() {
    return list(message(SRQPOOL_CMD_LISTENER_GET, dump_flags), decode_listener);
}

Result<Listener> Client::listener(std::uint64_t id) {
    return get(message(SRQPOOL_CMD_LISTENER_GET, get_flags).u64(SRQPOOL_A_LISTENER_ID, id),
               decode_listener);
}

Status Client::close_conn(std::uint64_t id) {
    return change(message(SRQPOOL_CMD_CONN_DEL, change_flags).u64(SRQPOOL_A_CONN_ID, id));
}

} // namespace srqpool
