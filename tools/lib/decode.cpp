// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include "decode.h"

#include <cstring>

namespace srqpool {

namespace {

std::optional<Address> address(const Attributes &attributes, int type) {
    const auto wire = attributes.binary(type);
    if (!wire)
        return std::nullopt;
    return address_from_wire(*wire);
}

std::optional<Mark> mark_spec(const Attributes &attributes) {
    const auto kind = attributes.u32(SRQPOOL_A_CLASS_MARK_KIND);
    const auto value = attributes.u32(SRQPOOL_A_CLASS_MARK_VALUE);
    if (!kind || (!value && *kind != SRQPOOL_MARK_AUTO))
        return std::nullopt;
    return Mark{*kind, value.value_or(0)};
}

std::optional<Poll> poll(const Attributes &attributes) {
    const auto kind = attributes.u32(SRQPOOL_A_POOL_POLL);
    if (!kind)
        return std::nullopt;
    return Poll{*kind, attributes.u32(SRQPOOL_A_POOL_POLL_USEC)};
}

Class decode_class(const Attributes &a) {
    return Class{
        .name = a.string(SRQPOOL_A_CLASS_NAME).value_or(""),
        .size = a.u32(SRQPOOL_A_CLASS_SIZE),
        .floor = a.u32(SRQPOOL_A_CLASS_FLOOR),
        .ceiling = a.u32(SRQPOOL_A_CLASS_CEILING),
        .mark_spec = mark_spec(a),
        .target = a.u32(SRQPOOL_A_CLASS_TARGET),
        .mark = a.u32(SRQPOOL_A_CLASS_MARK),
        .armed = a.boolean(SRQPOOL_A_CLASS_ARMED),
        .total = a.u32(SRQPOOL_A_CLASS_TOTAL),
        .posted = a.u32(SRQPOOL_A_CLASS_POSTED),
        .held = a.u32(SRQPOOL_A_CLASS_HELD),
        .free = a.u32(SRQPOOL_A_CLASS_FREE),
        .lost = a.u32(SRQPOOL_A_CLASS_LOST),
        .low_water = a.u32(SRQPOOL_A_CLASS_LOW_WATER),
        .max_in_use = a.u32(SRQPOOL_A_CLASS_MAX_IN_USE),
    };
}

Hist decode_hist(const Attributes &a) {
    Hist hist;
    hist.kind = a.u32(SRQPOOL_A_HIST_KIND).value_or(0);
    hist.count = a.u64(SRQPOOL_A_HIST_COUNT).value_or(0);
    hist.sum = a.u64(SRQPOOL_A_HIST_SUM).value_or(0);
    const auto buckets = a.binary(SRQPOOL_A_HIST_BUCKETS);
    if (buckets && buckets->size() == sizeof(hist.buckets))
        std::memcpy(hist.buckets.data(), buckets->data(), buckets->size());
    return hist;
}

} // namespace

Dev decode_dev(const Attributes &a) {
    return Dev{
        .name = a.string(SRQPOOL_A_DEV_NAME).value_or(""),
        .guid = a.u64(SRQPOOL_A_DEV_GUID),
        .srq = a.boolean(SRQPOOL_A_DEV_SRQ),
        .max_srq = a.u32(SRQPOOL_A_DEV_MAX_SRQ),
        .max_srq_wr = a.u32(SRQPOOL_A_DEV_MAX_SRQ_WR),
        .max_cqe = a.u32(SRQPOOL_A_DEV_MAX_CQE),
        .vectors = a.u32(SRQPOOL_A_DEV_VECTORS),
        .pools = a.u32(SRQPOOL_A_DEV_POOLS),
        .conns = a.u32(SRQPOOL_A_DEV_CONNS),
        .pinned = a.u64(SRQPOOL_A_DEV_PINNED),
    };
}

Holder decode_holder(const Attributes &a) {
    return Holder{
        .dev = a.string(SRQPOOL_A_HOLDER_DEV),
        .pool = a.string(SRQPOOL_A_HOLDER_POOL),
        .pid = a.u32(SRQPOOL_A_HOLDER_PID),
        .comm = a.string(SRQPOOL_A_HOLDER_COMM),
        .module = a.string(SRQPOOL_A_HOLDER_MODULE),
    };
}

Pool decode_pool(const Attributes &a) {
    Pool pool{
        .name = a.string(SRQPOOL_A_POOL_NAME).value_or(""),
        .id = a.u64(SRQPOOL_A_POOL_ID),
        .dev = a.string(SRQPOOL_A_POOL_DEV),
        .state = a.u32(SRQPOOL_A_POOL_STATE),
        .shards = a.u32(SRQPOOL_A_POOL_SHARDS),
        .poll = poll(a),
        .budget = a.u64(SRQPOOL_A_POOL_BUDGET),
        .pinned = a.u64(SRQPOOL_A_POOL_PINNED),
        .rnr_timer_us = a.u32(SRQPOOL_A_POOL_RNR_TIMER_US),
        .refill = a.u32(SRQPOOL_A_POOL_REFILL),
        .dedicated = a.u32(SRQPOOL_A_POOL_DEDICATED),
        .quota = a.u32(SRQPOOL_A_POOL_QUOTA),
        .quota_policy = a.u32(SRQPOOL_A_POOL_QUOTA_POLICY),
        .reserve = a.u32(SRQPOOL_A_POOL_RESERVE),
        .copybreak = a.u32(SRQPOOL_A_POOL_COPYBREAK),
        .aging = a.u32(SRQPOOL_A_POOL_AGING),
        .keepalive = a.u32(SRQPOOL_A_POOL_KEEPALIVE),
        .conns = a.u32(SRQPOOL_A_POOL_CONNS),
        .arena = a.u64(SRQPOOL_A_POOL_ARENA),
        .classes = {},
    };
    a.each_nest(SRQPOOL_A_POOL_CLASS,
                [&](const Attributes &nest) { pool.classes.push_back(decode_class(nest)); });
    return pool;
}

Queue decode_queue(const Attributes &a) {
    return Queue{
        .pool = a.string(SRQPOOL_A_QUEUE_POOL).value_or(""),
        .class_name = a.string(SRQPOOL_A_QUEUE_CLASS),
        .shard = a.u32(SRQPOOL_A_QUEUE_SHARD),
        .depth = a.u32(SRQPOOL_A_QUEUE_DEPTH),
        .target = a.u32(SRQPOOL_A_QUEUE_TARGET),
        .mark = a.u32(SRQPOOL_A_QUEUE_MARK),
        .armed = a.boolean(SRQPOOL_A_QUEUE_ARMED),
        .device_limit = a.u32(SRQPOOL_A_QUEUE_DEVICE_LIMIT),
        .state = a.u32(SRQPOOL_A_QUEUE_STATE),
        .total = a.u32(SRQPOOL_A_QUEUE_TOTAL),
        .posted = a.u32(SRQPOOL_A_QUEUE_POSTED),
        .held = a.u32(SRQPOOL_A_QUEUE_HELD),
        .free = a.u32(SRQPOOL_A_QUEUE_FREE),
        .lost = a.u32(SRQPOOL_A_QUEUE_LOST),
        .conns = a.u32(SRQPOOL_A_QUEUE_CONNS),
        .events = a.u64(SRQPOOL_A_QUEUE_EVENTS),
        .cq_used = a.u32(SRQPOOL_A_QUEUE_CQ_USED),
        .cq_max = a.u32(SRQPOOL_A_QUEUE_CQ_MAX),
    };
}

Listener decode_listener(const Attributes &a) {
    Listener listener{
        .id = a.u64(SRQPOOL_A_LISTENER_ID).value_or(0),
        .pool = a.string(SRQPOOL_A_LISTENER_POOL),
        .class_name = a.string(SRQPOOL_A_LISTENER_CLASS),
        .addr = address(a, SRQPOOL_A_LISTENER_ADDR),
        .port = a.u16(SRQPOOL_A_LISTENER_PORT),
        .transport = a.u32(SRQPOOL_A_LISTENER_TRANSPORT),
        .mode = a.u32(SRQPOOL_A_LISTENER_MODE),
        .conns = a.u32(SRQPOOL_A_LISTENER_CONNS),
        .max_conns = a.u32(SRQPOOL_A_LISTENER_MAX_CONNS),
    };
    if (listener.addr)
        listener.addr->scope_id = a.u32(SRQPOOL_A_LISTENER_SCOPE_ID).value_or(0);
    return listener;
}

Conn decode_conn(const Attributes &a) {
    return Conn{
        .id = a.u64(SRQPOOL_A_CONN_ID).value_or(0),
        .pool = a.string(SRQPOOL_A_CONN_POOL),
        .listener = a.u64(SRQPOOL_A_CONN_LISTENER),
        .class_name = a.string(SRQPOOL_A_CONN_CLASS),
        .shard = a.u32(SRQPOOL_A_CONN_SHARD),
        .transport = a.u32(SRQPOOL_A_CONN_TRANSPORT),
        .peer_addr = address(a, SRQPOOL_A_CONN_PEER_ADDR),
        .peer_port = a.u16(SRQPOOL_A_CONN_PEER_PORT),
        .local_addr = address(a, SRQPOOL_A_CONN_LOCAL_ADDR),
        .local_port = a.u16(SRQPOOL_A_CONN_LOCAL_PORT),
        .state = a.u32(SRQPOOL_A_CONN_STATE),
        .held = a.u32(SRQPOOL_A_CONN_HELD),
        .copied = a.u64(SRQPOOL_A_CONN_COPIED),
        .rx_msgs = a.u64(SRQPOOL_A_CONN_RX_MSGS),
        .rx_bytes = a.u64(SRQPOOL_A_CONN_RX_BYTES),
        .tx_msgs = a.u64(SRQPOOL_A_CONN_TX_MSGS),
        .tx_pending = a.u32(SRQPOOL_A_CONN_TX_PENDING),
        .idle_ms = a.u64(SRQPOOL_A_CONN_IDLE_MS),
    };
}

Stats decode_stats(const Attributes &a) {
    Stats stats{
        .name = a.string(SRQPOOL_A_STATS_NAME).value_or(""),
        .rx_msgs = a.u64(SRQPOOL_A_STATS_RX_MSGS),
        .rx_bytes = a.u64(SRQPOOL_A_STATS_RX_BYTES),
        .tx_msgs = a.u64(SRQPOOL_A_STATS_TX_MSGS),
        .tx_bytes = a.u64(SRQPOOL_A_STATS_TX_BYTES),
        .limit_events = a.u64(SRQPOOL_A_STATS_LIMIT_EVENTS),
        .spurious_events = a.u64(SRQPOOL_A_STATS_SPURIOUS_EVENTS),
        .watchdog_refills = a.u64(SRQPOOL_A_STATS_WATCHDOG_REFILLS),
        .refills = a.u64(SRQPOOL_A_STATS_REFILLS),
        .refill_posted = a.u64(SRQPOOL_A_STATS_REFILL_POSTED),
        .post_errors = a.u64(SRQPOOL_A_STATS_POST_ERRORS),
        .alloc_failures = a.u64(SRQPOOL_A_STATS_ALLOC_FAILURES),
        .starved_events = a.u64(SRQPOOL_A_STATS_STARVED_EVENTS),
        .starved_ns = a.u64(SRQPOOL_A_STATS_STARVED_NS),
        .copied = a.u64(SRQPOOL_A_STATS_COPIED),
        .quota_hits = a.u64(SRQPOOL_A_STATS_QUOTA_HITS),
        .oversize = a.u64(SRQPOOL_A_STATS_OVERSIZE),
        .rnr_naks = a.u64(SRQPOOL_A_STATS_RNR_NAKS),
        .wc_errors = {},
        .hists = {},
    };
    a.each_nest(SRQPOOL_A_STATS_WC_ERROR, [&](const Attributes &nest) {
        stats.wc_errors.push_back(WcError{nest.u32(SRQPOOL_A_WC_STATUS).value_or(0),
                                          nest.u64(SRQPOOL_A_WC_COUNT).value_or(0)});
    });
    a.each_nest(SRQPOOL_A_STATS_HIST,
                [&](const Attributes &nest) { stats.hists.push_back(decode_hist(nest)); });
    return stats;
}

Event decode_event(const Attributes &a) {
    return Event{
        .seq = a.u32(SRQPOOL_A_EVENT_SEQ).value_or(0),
        .time_ns = a.u64(SRQPOOL_A_EVENT_TIME_NS),
        .type = a.u32(SRQPOOL_A_EVENT_TYPE),
        .pool = a.string(SRQPOOL_A_EVENT_POOL),
        .class_name = a.string(SRQPOOL_A_EVENT_CLASS),
        .shard = a.u32(SRQPOOL_A_EVENT_SHARD),
        .conn = a.u64(SRQPOOL_A_EVENT_CONN),
        .text = a.string(SRQPOOL_A_EVENT_TEXT),
    };
}

} // namespace srqpool
