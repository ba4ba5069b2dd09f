// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <linux/srqpool.h>

#include "address.h"

namespace srqpool {

// The objects as the kernel tells them, field by field as in linux/srqpool.h. What an answer does
// not carry is empty.

struct Dev {
    std::string name;
    std::optional<std::uint64_t> guid;
    std::optional<bool> srq;
    std::optional<std::uint32_t> max_srq;
    std::optional<std::uint32_t> max_srq_wr;
    std::optional<std::uint32_t> max_cqe;
    std::optional<std::uint32_t> vectors;
    std::optional<std::uint32_t> pools;
    std::optional<std::uint32_t> conns;
    std::optional<std::uint64_t> pinned;
};

/// Somebody because of whom the module stays loaded: a process, or a module.
struct Holder {
    std::optional<std::string> dev;
    std::optional<std::string> pool;
    std::optional<std::uint32_t> pid;
    std::optional<std::string> comm;
    std::optional<std::string> module;
};

/// A watermark as it was asked for.
struct Mark {
    std::uint32_t kind = SRQPOOL_MARK_PERCENT; // enum srqpool_mark_kind
    std::uint32_t value = 0;                   // of no meaning for SRQPOOL_MARK_AUTO

    bool operator==(const Mark &) const = default;
};

/// "64", "12%", "auto".
std::string to_string(const Mark &mark);

/// How the completion queues are polled.
struct Poll {
    std::uint32_t kind = SRQPOOL_POLL_AUTO; // enum srqpool_poll
    std::optional<std::uint32_t> usec = {}; // that SRQPOOL_POLL_HYBRID spins

    bool operator==(const Poll &) const = default;
};

/// "busy", "hybrid:50".
std::string to_string(const Poll &poll);

struct Class {
    std::string name;
    std::optional<std::uint32_t> size;
    std::optional<std::uint32_t> floor;
    std::optional<std::uint32_t> ceiling;
    std::optional<Mark> mark_spec;
    std::optional<std::uint32_t> target;
    std::optional<std::uint32_t> mark;
    std::optional<bool> armed;
    std::optional<std::uint32_t> total;
    std::optional<std::uint32_t> posted;
    std::optional<std::uint32_t> held;
    std::optional<std::uint32_t> free;
    std::optional<std::uint32_t> lost;
    std::optional<std::uint32_t> low_water;
    std::optional<std::uint32_t> max_in_use;
};

struct Pool {
    std::string name;
    std::optional<std::uint64_t> id;
    std::optional<std::string> dev;
    std::optional<std::uint32_t> state; // enum srqpool_pool_state
    std::optional<std::uint32_t> shards;
    std::optional<Poll> poll;
    std::optional<std::uint64_t> budget;
    std::optional<std::uint64_t> pinned;
    std::optional<std::uint32_t> rnr_timer_us;
    std::optional<std::uint32_t> refill; // enum srqpool_refill
    std::optional<std::uint32_t> dedicated;
    std::optional<std::uint32_t> quota;
    std::optional<std::uint32_t> quota_policy; // enum srqpool_quota_policy
    std::optional<std::uint32_t> reserve;
    std::optional<std::uint32_t> copybreak;
    std::optional<std::uint32_t> aging;
    std::optional<std::uint32_t> keepalive;
    std::optional<std::uint32_t> conns;
    std::optional<std::uint64_t> arena;
    std::vector<Class> classes;
};

struct Queue {
    std::string pool;
    std::optional<std::string> class_name;
    std::optional<std::uint32_t> shard;
    std::optional<std::uint32_t> depth;
    std::optional<std::uint32_t> target;
    std::optional<std::uint32_t> mark;
    std::optional<bool> armed;
    std::optional<std::uint32_t> device_limit;
    std::optional<std::uint32_t> state; // enum srqpool_queue_state
    std::optional<std::uint32_t> total;
    std::optional<std::uint32_t> posted;
    std::optional<std::uint32_t> held;
    std::optional<std::uint32_t> free;
    std::optional<std::uint32_t> lost;
    std::optional<std::uint32_t> conns;
    std::optional<std::uint64_t> events;
    std::optional<std::uint32_t> cq_used;
    std::optional<std::uint32_t> cq_max;
};

struct Listener {
    std::uint64_t id = 0;
    std::optional<std::string> pool;
    std::optional<std::string> class_name;
    std::optional<Address> addr;
    std::optional<std::uint16_t> port;
    std::optional<std::uint32_t> transport; // enum srqpool_transport
    std::optional<std::uint32_t> mode;      // enum srqpool_mode
    std::optional<std::uint32_t> conns;
    std::optional<std::uint32_t> max_conns;
};

struct Conn {
    std::uint64_t id = 0;
    std::optional<std::string> pool;
    std::optional<std::uint64_t> listener;
    std::optional<std::string> class_name;
    std::optional<std::uint32_t> shard;
    std::optional<std::uint32_t> transport; // enum srqpool_transport
    std::optional<Address> peer_addr;
    std::optional<std::uint16_t> peer_port;
    std::optional<Address> local_addr;
    std::optional<std::uint16_t> local_port;
    std::optional<std::uint32_t> state; // enum srqpool_conn_state
    std::optional<std::uint32_t> held;
    std::optional<std::uint64_t> copied;
    std::optional<std::uint64_t> rx_msgs;
    std::optional<std::uint64_t> rx_bytes;
    std::optional<std::uint64_t> tx_msgs;
    std::optional<std::uint32_t> tx_pending;
    std::optional<std::uint64_t> idle_ms;
};

struct WcError {
    std::uint32_t status = 0; // enum ib_wc_status
    std::uint64_t count = 0;
};

struct Hist {
    std::uint32_t kind = 0; // enum srqpool_hist
    std::uint64_t count = 0;
    std::uint64_t sum = 0;
    std::array<std::uint64_t, SRQPOOL_HIST_BUCKETS> buckets{};
};

struct Stats {
    std::string name;
    std::optional<std::uint64_t> rx_msgs;
    std::optional<std::uint64_t> rx_bytes;
    std::optional<std::uint64_t> tx_msgs;
    std::optional<std::uint64_t> tx_bytes;
    std::optional<std::uint64_t> limit_events;
    std::optional<std::uint64_t> spurious_events;
    std::optional<std::uint64_t> watchdog_refills;
    std::optional<std::uint64_t> refills;
    std::optional<std::uint64_t> refill_posted;
    std::optional<std::uint64_t> post_errors;
    std::optional<std::uint64_t> alloc_failures;
    std::optional<std::uint64_t> starved_events;
    std::optional<std::uint64_t> starved_ns;
    std::optional<std::uint64_t> copied;
    std::optional<std::uint64_t> quota_hits;
    std::optional<std::uint64_t> oversize;
    std::optional<std::uint64_t> rnr_naks;
    std::vector<WcError> wc_errors;
    std::vector<Hist> hists;
};

struct Event {
    std::uint32_t seq = 0;
    std::optional<std::uint64_t> time_ns;
    std::optional<std::uint32_t> type; // enum srqpool_event_type
    std::optional<std::string> pool;
    std::optional<std::string> class_name;
    std::optional<std::uint32_t> shard;
    std::optional<std::uint64_t> conn;
    std::optional<std::string> text;
};

// What a user asks for; what is empty the kernel decides.

struct ClassSpec {
    std::string name;
    std::optional<std::uint32_t> size;
    std::optional<std::uint32_t> floor;
    std::optional<std::uint32_t> ceiling;
    std::optional<Mark> mark;

    bool operator==(const ClassSpec &) const = default;
};

struct PoolSpec {
    std::string name;
    std::optional<std::string> dev;
    std::optional<std::uint32_t> shards; // 0: as many as suit
    std::optional<Poll> poll;
    std::optional<std::uint64_t> budget;
    std::optional<std::uint32_t> rnr_timer_us;
    std::optional<std::uint32_t> refill;
    std::optional<std::uint32_t> quota;
    std::optional<std::uint32_t> quota_policy;
    std::optional<std::uint32_t> reserve;
    std::optional<std::uint32_t> copybreak;
    std::optional<std::uint32_t> aging;
    std::optional<std::uint32_t> keepalive;
    std::optional<std::uint32_t> dedicated;
    std::vector<ClassSpec> classes;

    bool operator==(const PoolSpec &) const = default;
};

struct ListenerSpec {
    std::string pool;
    std::optional<std::string> class_name;
    Address addr;
    std::uint16_t port = 0;
    std::optional<std::uint32_t> transport;
    std::optional<std::uint32_t> mode;
    std::optional<std::uint32_t> max_conns;
};

} // namespace srqpool
