// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include "encode.h"

namespace srqpool {

namespace {

void put(Message &message, std::uint16_t attribute, const std::optional<std::uint32_t> &value) {
    if (value)
        message.u32(attribute, *value);
}

void put(Message &message, std::uint16_t attribute, const std::optional<std::uint64_t> &value) {
    if (value)
        message.u64(attribute, *value);
}

void put(Message &message, std::uint16_t attribute, const std::optional<std::string> &value) {
    if (value)
        message.string(attribute, *value);
}

void encode_class(Message &message, const ClassSpec &spec) {
    message.string(SRQPOOL_A_CLASS_NAME, spec.name);
    put(message, SRQPOOL_A_CLASS_SIZE, spec.size);
    put(message, SRQPOOL_A_CLASS_FLOOR, spec.floor);
    put(message, SRQPOOL_A_CLASS_CEILING, spec.ceiling);
    if (!spec.mark)
        return;
    message.u32(SRQPOOL_A_CLASS_MARK_KIND, spec.mark->kind);
    message.u32(SRQPOOL_A_CLASS_MARK_VALUE, spec.mark->value);
}

} // namespace

void encode(Message &message, const PoolSpec &spec) {
    message.string(SRQPOOL_A_POOL_NAME, spec.name);
    put(message, SRQPOOL_A_POOL_DEV, spec.dev);
    put(message, SRQPOOL_A_POOL_SHARDS, spec.shards);
    put(message, SRQPOOL_A_POOL_BUDGET, spec.budget);
    put(message, SRQPOOL_A_POOL_RNR_TIMER_US, spec.rnr_timer_us);
    if (spec.poll) {
        message.u32(SRQPOOL_A_POOL_POLL, spec.poll->kind);
        put(message, SRQPOOL_A_POOL_POLL_USEC, spec.poll->usec);
    }
    put(message, SRQPOOL_A_POOL_REFILL, spec.refill);
    put(message, SRQPOOL_A_POOL_DEDICATED, spec.dedicated);
    put(message, SRQPOOL_A_POOL_QUOTA, spec.quota);
    put(message, SRQPOOL_A_POOL_QUOTA_POLICY, spec.quota_policy);
    put(message, SRQPOOL_A_POOL_RESERVE, spec.reserve);
    put(message, SRQPOOL_A_POOL_COPYBREAK, spec.copybreak);
    put(message, SRQPOOL_A_POOL_AGING, spec.aging);
    put(message, SRQPOOL_A_POOL_KEEPALIVE, spec.keepalive);
    for (const ClassSpec &one : spec.classes)
        message.nest(SRQPOOL_A_POOL_CLASS, [&] { encode_class(message, one); });
}

void encode(Message &message, const ListenerSpec &spec) {
    message.string(SRQPOOL_A_LISTENER_POOL, spec.pool);
    put(message, SRQPOOL_A_LISTENER_CLASS, spec.class_name);
    message.binary(SRQPOOL_A_LISTENER_ADDR, spec.addr.wire());
    if (spec.addr.scope_id != 0)
        message.u32(SRQPOOL_A_LISTENER_SCOPE_ID, spec.addr.scope_id);
    message.u16(SRQPOOL_A_LISTENER_PORT, spec.port);
    put(message, SRQPOOL_A_LISTENER_TRANSPORT, spec.transport);
    put(message, SRQPOOL_A_LISTENER_MODE, spec.mode);
    put(message, SRQPOOL_A_LISTENER_MAX_CONNS, spec.max_conns);
}

} // namespace srqpool
