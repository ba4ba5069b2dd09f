// SPDX-License-Identifier: GPL-2.0
#include "scenario.h"

#include <array>
#include <cerrno>
#include <map>
#include <sstream>

#include <linux/srqpool.h>

#include "lib/address.h"

namespace srqctl {

namespace {

using srqpool::Message;
using srqpool::fake::FakeKernel;

constexpr std::uint64_t noon = 1764504000000000000; // 2025-11-30 12:00:00 UTC

std::span<const std::byte> wire(const srqpool::Address &address) { return address.wire(); }

void add_devs(FakeKernel &kernel) {
    kernel.add(SRQPOOL_CMD_DEV_GET)
        .string(SRQPOOL_A_DEV_NAME, "rxe0")
        .u64(SRQPOOL_A_DEV_GUID, 0x5054'00ff'fe12'3456)
        .u8(SRQPOOL_A_DEV_SRQ, 1)
        .u32(SRQPOOL_A_DEV_MAX_SRQ, 1048576)
        .u32(SRQPOOL_A_DEV_MAX_SRQ_WR, 32768)
        .u32(SRQPOOL_A_DEV_MAX_CQE, 32767)
        .u32(SRQPOOL_A_DEV_VECTORS, 2)
        .u32(SRQPOOL_A_DEV_POOLS, 2)
        .u32(SRQPOOL_A_DEV_CONNS, 2)
        .u64(SRQPOOL_A_DEV_PINNED, 3 << 20);
    kernel.add(SRQPOOL_CMD_DEV_GET)
        .string(SRQPOOL_A_DEV_NAME, "old0")
        .u8(SRQPOOL_A_DEV_SRQ, 0)
        .u64(SRQPOOL_A_DEV_PINNED, 0);
}

void add_holders(FakeKernel &kernel) {
    kernel.add(SRQPOOL_CMD_HOLDER_GET)
        .string(SRQPOOL_A_HOLDER_DEV, "rxe0")
        .string(SRQPOOL_A_HOLDER_POOL, "web")
        .u32(SRQPOOL_A_HOLDER_PID, 4711)
        .string(SRQPOOL_A_HOLDER_COMM, "server");
    kernel.add(SRQPOOL_CMD_HOLDER_GET)
        .string(SRQPOOL_A_HOLDER_DEV, "rxe0")
        .string(SRQPOOL_A_HOLDER_POOL, "log")
        .string(SRQPOOL_A_HOLDER_MODULE, "store");
    kernel.add(SRQPOOL_CMD_HOLDER_GET)
        .u32(SRQPOOL_A_HOLDER_PID, 4712)
        .string(SRQPOOL_A_HOLDER_COMM, "idler");
}

struct Counts {
    std::uint32_t floor, ceiling, target, mark, posted, held, lost;
};

void put_class(Message &message, const std::string &name, std::uint32_t size, const Counts &counts,
               std::uint32_t kind, std::uint32_t mark) {
    const std::uint32_t total = counts.posted + counts.held + counts.lost + 8;
    message.nest(SRQPOOL_A_POOL_CLASS, [&] {
        message.string(SRQPOOL_A_CLASS_NAME, name)
            .u32(SRQPOOL_A_CLASS_SIZE, size)
            .u32(SRQPOOL_A_CLASS_FLOOR, counts.floor)
            .u32(SRQPOOL_A_CLASS_CEILING, counts.ceiling)
            .u32(SRQPOOL_A_CLASS_MARK_KIND, kind)
            .u32(SRQPOOL_A_CLASS_MARK_VALUE, mark)
            .u32(SRQPOOL_A_CLASS_TARGET, counts.target)
            .u32(SRQPOOL_A_CLASS_MARK, counts.mark)
            .u8(SRQPOOL_A_CLASS_ARMED, 1)
            .u32(SRQPOOL_A_CLASS_TOTAL, total)
            .u32(SRQPOOL_A_CLASS_POSTED, counts.posted)
            .u32(SRQPOOL_A_CLASS_HELD, counts.held)
            .u32(SRQPOOL_A_CLASS_FREE, 8)
            .u32(SRQPOOL_A_CLASS_LOST, counts.lost)
            .u32(SRQPOOL_A_CLASS_LOW_WATER, 30)
            .u32(SRQPOOL_A_CLASS_MAX_IN_USE, 98);
    });
}

Message &add_pool(FakeKernel &kernel, std::uint64_t id, const std::string &name,
                  std::uint32_t state) {
    return kernel.add(SRQPOOL_CMD_POOL_GET)
        .u64(SRQPOOL_A_POOL_ID, id)
        .string(SRQPOOL_A_POOL_NAME, name)
        .string(SRQPOOL_A_POOL_DEV, "rxe0")
        .u32(SRQPOOL_A_POOL_STATE, state)
        .u32(SRQPOOL_A_POOL_SHARDS, 2)
        .u64(SRQPOOL_A_POOL_BUDGET, 256 << 20)
        .u64(SRQPOOL_A_POOL_PINNED, 1536 << 10)
        .u32(SRQPOOL_A_POOL_RNR_TIMER_US, 640)
        .u32(SRQPOOL_A_POOL_CONNS, 2);
}

struct Knobs {
    std::uint32_t poll, refill, dedicated, quota, policy, reserve, copybreak, aging, keepalive;
};

void put_knobs(Message &message, const Knobs &knobs) {
    message.u32(SRQPOOL_A_POOL_POLL, knobs.poll)
        .u32(SRQPOOL_A_POOL_POLL_USEC, SRQPOOL_POLL_USEC_DEFAULT)
        .u32(SRQPOOL_A_POOL_REFILL, knobs.refill)
        .u32(SRQPOOL_A_POOL_DEDICATED, knobs.dedicated)
        .u32(SRQPOOL_A_POOL_QUOTA, knobs.quota)
        .u32(SRQPOOL_A_POOL_QUOTA_POLICY, knobs.policy)
        .u32(SRQPOOL_A_POOL_RESERVE, knobs.reserve)
        .u32(SRQPOOL_A_POOL_COPYBREAK, knobs.copybreak)
        .u32(SRQPOOL_A_POOL_AGING, knobs.aging)
        .u32(SRQPOOL_A_POOL_KEEPALIVE, knobs.keepalive)
        .u64(SRQPOOL_A_POOL_ARENA, 1 << 20);
}

void add_pools(FakeKernel &kernel) {
    Message &web = add_pool(kernel, 1, "web", SRQPOOL_POOL_ACTIVE);
    put_knobs(web, {SRQPOOL_POLL_AUTO, SRQPOOL_REFILL_WATERMARK, 0, 512, SRQPOOL_QUOTA_COPY, 16,
                    256, 60, 30});
    put_class(web, "4096", 4096, {128, 4096, 256, 31, 250, 6, 0}, SRQPOOL_MARK_PERCENT, 12);
    put_class(web, "big", 65536, {8, 8, 8, 4, 8, 0, 0}, SRQPOOL_MARK_COUNT, 4);
    put_class(web, "auto", 1024, {64, 256, 64, 20, 64, 0, 0}, SRQPOOL_MARK_AUTO, 0);
    Message &log = add_pool(kernel, 2, "log", SRQPOOL_POOL_DEGRADED);
    put_knobs(log, {SRQPOOL_POLL_HYBRID, SRQPOOL_REFILL_IMMEDIATE, 32, 16, SRQPOOL_QUOTA_DISCONNECT,
                    0, 0, 0, 0});
    put_class(log, "512", 512, {16, 16, 16, 0, 8, 2, 6}, SRQPOOL_MARK_COUNT, 0);
}

void add_queues(FakeKernel &kernel) {
    for (const std::uint32_t shard : {0U, 1U}) {
        Message &queue = kernel.add(SRQPOOL_CMD_QUEUE_GET);
        queue.string(SRQPOOL_A_QUEUE_POOL, "web")
            .string(SRQPOOL_A_QUEUE_CLASS, "4096")
            .u32(SRQPOOL_A_QUEUE_SHARD, shard)
            .u32(SRQPOOL_A_QUEUE_DEPTH, 2048)
            .u32(SRQPOOL_A_QUEUE_TARGET, 128)
            .u32(SRQPOOL_A_QUEUE_MARK, 15)
            .u8(SRQPOOL_A_QUEUE_ARMED, shard == 0)
            .u32(SRQPOOL_A_QUEUE_STATE, shard == 0 ? SRQPOOL_QUEUE_ACTIVE : SRQPOOL_QUEUE_STARVED)
            .u32(SRQPOOL_A_QUEUE_TOTAL, 132)
            .u32(SRQPOOL_A_QUEUE_POSTED, shard == 0 ? 125 : 0)
            .u32(SRQPOOL_A_QUEUE_HELD, shard == 0 ? 3 : 128)
            .u32(SRQPOOL_A_QUEUE_FREE, 4)
            .u32(SRQPOOL_A_QUEUE_LOST, 0)
            .u32(SRQPOOL_A_QUEUE_CONNS, 1)
            .u64(SRQPOOL_A_QUEUE_EVENTS, 5)
            .u32(SRQPOOL_A_QUEUE_CQ_USED, 2560)
            .u32(SRQPOOL_A_QUEUE_CQ_MAX, 32703);
        if (shard == 0)
            queue.u32(SRQPOOL_A_QUEUE_DEVICE_LIMIT, 15);
    }
}

void add_listeners(FakeKernel &kernel) {
    kernel.add(SRQPOOL_CMD_LISTENER_GET)
        .u64(SRQPOOL_A_LISTENER_ID, 3)
        .string(SRQPOOL_A_LISTENER_POOL, "web")
        .string(SRQPOOL_A_LISTENER_CLASS, "4096")
        .binary(SRQPOOL_A_LISTENER_ADDR, wire(*srqpool::parse_address("10.7.0.1")))
        .u16(SRQPOOL_A_LISTENER_PORT, 7471)
        .u32(SRQPOOL_A_LISTENER_TRANSPORT, SRQPOOL_TRANSPORT_RC)
        .u32(SRQPOOL_A_LISTENER_MODE, SRQPOOL_MODE_ECHO)
        .u32(SRQPOOL_A_LISTENER_CONNS, 2)
        .u32(SRQPOOL_A_LISTENER_MAX_CONNS, 16384);
    kernel.add(SRQPOOL_CMD_LISTENER_GET)
        .u64(SRQPOOL_A_LISTENER_ID, 4)
        .string(SRQPOOL_A_LISTENER_POOL, "log")
        .string(SRQPOOL_A_LISTENER_CLASS, "512")
        .binary(SRQPOOL_A_LISTENER_ADDR, wire(*srqpool::parse_address("fe80::1")))
        .u32(SRQPOOL_A_LISTENER_SCOPE_ID, 987654)
        .u16(SRQPOOL_A_LISTENER_PORT, 7472)
        .u32(SRQPOOL_A_LISTENER_TRANSPORT, SRQPOOL_TRANSPORT_RC)
        .u32(SRQPOOL_A_LISTENER_MODE, SRQPOOL_MODE_SINK)
        .u32(SRQPOOL_A_LISTENER_CONNS, 0)
        .u32(SRQPOOL_A_LISTENER_MAX_CONNS, 10);
}

void add_conn(FakeKernel &kernel, std::uint64_t id, const std::string &peer, std::uint32_t held) {
    kernel.add(SRQPOOL_CMD_CONN_GET)
        .u64(SRQPOOL_A_CONN_ID, id)
        .string(SRQPOOL_A_CONN_POOL, "web")
        .u64(SRQPOOL_A_CONN_LISTENER, 3)
        .string(SRQPOOL_A_CONN_CLASS, "4096")
        .u32(SRQPOOL_A_CONN_SHARD, 1)
        .u32(SRQPOOL_A_CONN_TRANSPORT, SRQPOOL_TRANSPORT_RC)
        .binary(SRQPOOL_A_CONN_PEER_ADDR, wire(*srqpool::parse_address(peer)))
        .u16(SRQPOOL_A_CONN_PEER_PORT, 40001)
        .binary(SRQPOOL_A_CONN_LOCAL_ADDR, wire(*srqpool::parse_address("10.7.0.1")))
        .u16(SRQPOOL_A_CONN_LOCAL_PORT, 7471)
        .u32(SRQPOOL_A_CONN_STATE, SRQPOOL_CONN_UP)
        .u32(SRQPOOL_A_CONN_HELD, held)
        .u64(SRQPOOL_A_CONN_RX_MSGS, 1000)
        .u64(SRQPOOL_A_CONN_RX_BYTES, 64000)
        .u64(SRQPOOL_A_CONN_TX_MSGS, 998)
        .u32(SRQPOOL_A_CONN_TX_PENDING, 2)
        .u64(SRQPOOL_A_CONN_IDLE_MS, 1500)
        .u64(SRQPOOL_A_CONN_COPIED, std::uint64_t{held} * 3);
}

void put_hist(Message &message, std::uint32_t kind, std::uint64_t count, std::uint64_t sum,
              std::size_t bucket) {
    std::array<std::uint64_t, SRQPOOL_HIST_BUCKETS> buckets{};
    buckets[bucket] = count / 4;
    buckets[bucket + 1] = count - count / 4;
    message.nest(SRQPOOL_A_STATS_HIST, [&] {
        message.u32(SRQPOOL_A_HIST_KIND, kind)
            .u64(SRQPOOL_A_HIST_COUNT, count)
            .u64(SRQPOOL_A_HIST_SUM, sum)
            .binary(SRQPOOL_A_HIST_BUCKETS, std::as_bytes(std::span(buckets)));
    });
}

void put_wc(Message &message, std::uint32_t status, std::uint64_t count) {
    message.nest(SRQPOOL_A_STATS_WC_ERROR,
                 [&] { message.u32(SRQPOOL_A_WC_STATUS, status).u64(SRQPOOL_A_WC_COUNT, count); });
}

Message &add_stats(FakeKernel &kernel, const std::string &pool, std::uint64_t messages) {
    return kernel.add(SRQPOOL_CMD_STATS_GET)
        .string(SRQPOOL_A_STATS_NAME, pool)
        .u64(SRQPOOL_A_STATS_RX_MSGS, messages)
        .u64(SRQPOOL_A_STATS_RX_BYTES, messages * 64)
        .u64(SRQPOOL_A_STATS_TX_MSGS, messages)
        .u64(SRQPOOL_A_STATS_TX_BYTES, messages * 64)
        .u64(SRQPOOL_A_STATS_LIMIT_EVENTS, 5)
        .u64(SRQPOOL_A_STATS_SPURIOUS_EVENTS, 1)
        .u64(SRQPOOL_A_STATS_WATCHDOG_REFILLS, 0)
        .u64(SRQPOOL_A_STATS_REFILLS, 6)
        .u64(SRQPOOL_A_STATS_REFILL_POSTED, 384)
        .u64(SRQPOOL_A_STATS_POST_ERRORS, 0)
        .u64(SRQPOOL_A_STATS_ALLOC_FAILURES, 0)
        .u64(SRQPOOL_A_STATS_STARVED_EVENTS, 1)
        .u64(SRQPOOL_A_STATS_STARVED_NS, 1500000)
        .u64(SRQPOOL_A_STATS_OVERSIZE, 0)
        .u64(SRQPOOL_A_STATS_COPIED, messages / 100)
        .u64(SRQPOOL_A_STATS_QUOTA_HITS, messages / 1000);
}

void add_all_stats(FakeKernel &kernel) {
    Message &web = add_stats(kernel, "web", 20000);
    web.u64(SRQPOOL_A_STATS_RNR_NAKS, 17);
    put_wc(web, 5, 12);
    put_wc(web, 0, 0);
    put_wc(web, 77, 1);
    put_hist(web, SRQPOOL_HIST_REFILL_LATENCY_NS, 4, 60000, 13);
    put_hist(web, SRQPOOL_HIST_HOLD_NS, 0, 0, 0);
    put_hist(web, SRQPOOL_HIST_MSG_BYTES, 20000, 1280000, 6);
    put_hist(web, SRQPOOL_HIST_BATCH, 5000, 20000, 0);
    add_stats(kernel, "log", 0);
}

void add_events(FakeKernel &kernel) {
    kernel.add_event()
        .u32(SRQPOOL_A_EVENT_SEQ, 10)
        .u64(SRQPOOL_A_EVENT_TIME_NS, noon + 123456789)
        .u32(SRQPOOL_A_EVENT_TYPE, SRQPOOL_EVENT_LOW)
        .string(SRQPOOL_A_EVENT_POOL, "web")
        .string(SRQPOOL_A_EVENT_CLASS, "4096")
        .u32(SRQPOOL_A_EVENT_SHARD, 1)
        .string(SRQPOOL_A_EVENT_TEXT, "14 of 128 posted");
    kernel.add_event()
        .u32(SRQPOOL_A_EVENT_SEQ, 13)
        .u64(SRQPOOL_A_EVENT_TIME_NS, noon + 1000000000)
        .u32(SRQPOOL_A_EVENT_TYPE, SRQPOOL_EVENT_CONN_DOWN)
        .string(SRQPOOL_A_EVENT_POOL, "web")
        .u64(SRQPOOL_A_EVENT_CONN, 21)
        .string(SRQPOOL_A_EVENT_TEXT, "the peer disconnected");
    kernel.add_event()
        .u32(SRQPOOL_A_EVENT_SEQ, 14)
        .u64(SRQPOOL_A_EVENT_TIME_NS, noon + 1000000000)
        .u32(SRQPOOL_A_EVENT_TYPE, SRQPOOL_EVENT_QUOTA_HIT)
        .string(SRQPOOL_A_EVENT_POOL, "web")
        .string(SRQPOOL_A_EVENT_CLASS, "4096")
        .u64(SRQPOOL_A_EVENT_CONN, 22)
        .string(SRQPOOL_A_EVENT_TEXT, "64 buffers held");
}

void add_past(FakeKernel &kernel) {
    const auto raised = [&](std::uint32_t seq, std::uint64_t sec, std::uint32_t type,
                            const std::string &pool, const std::string &text) -> Message & {
        return kernel.add(SRQPOOL_CMD_EVENT_GET)
            .u32(SRQPOOL_A_EVENT_SEQ, seq)
            .u64(SRQPOOL_A_EVENT_TIME_NS, noon + sec * 1000000000)
            .u32(SRQPOOL_A_EVENT_TYPE, type)
            .string(SRQPOOL_A_EVENT_POOL, pool)
            .string(SRQPOOL_A_EVENT_TEXT, text);
    };
    raised(3, 0, SRQPOOL_EVENT_CONN_UP, "web", "from 10.7.0.2").u64(SRQPOOL_A_EVENT_CONN, 21);
    raised(8, 61, SRQPOOL_EVENT_LOW, "web", "14 of 128 posted")
        .string(SRQPOOL_A_EVENT_CLASS, "4096")
        .u32(SRQPOOL_A_EVENT_SHARD, 1);
    raised(9, 62, SRQPOOL_EVENT_LOW, "web",
           "310 more of these within a second, not told one by one");
    raised(10, 63, 200, "web", "of a later module");
}

void add_standard(FakeKernel &kernel) {
    add_devs(kernel);
    add_holders(kernel);
    add_pools(kernel);
    add_queues(kernel);
    add_listeners(kernel);
    add_conn(kernel, 21, "10.7.0.2", 1);
    add_conn(kernel, 22, "fe80::2", 64);
    add_all_stats(kernel);
    add_events(kernel);
    add_past(kernel);
}

void add_many(FakeKernel &kernel) {
    for (std::uint64_t id = 1; id <= 10000; id++)
        add_conn(kernel, id, "10.7.0.2", static_cast<std::uint32_t>(id % 7919));
}

const std::map<std::string, std::uint8_t> commands = {
    {"DEV_GET", SRQPOOL_CMD_DEV_GET},           {"POOL_NEW", SRQPOOL_CMD_POOL_NEW},
    {"POOL_SET", SRQPOOL_CMD_POOL_SET},         {"POOL_DEL", SRQPOOL_CMD_POOL_DEL},
    {"POOL_GET", SRQPOOL_CMD_POOL_GET},         {"POOL_RESET", SRQPOOL_CMD_POOL_RESET},
    {"LISTENER_NEW", SRQPOOL_CMD_LISTENER_NEW}, {"LISTENER_DEL", SRQPOOL_CMD_LISTENER_DEL},
    {"CONN_GET", SRQPOOL_CMD_CONN_GET},         {"CONN_DEL", SRQPOOL_CMD_CONN_DEL},
    {"EVENT_GET", SRQPOOL_CMD_EVENT_GET},
};

const std::map<std::string, int> errnos = {
    {"EPERM", EPERM},           {"ENOENT", ENOENT}, {"EBUSY", EBUSY},
    {"EEXIST", EEXIST},         {"ENODEV", ENODEV}, {"EINVAL", EINVAL},
    {"ENOSPC", ENOSPC},         {"ERANGE", ERANGE}, {"EOPNOTSUPP", EOPNOTSUPP},
    {"EADDRINUSE", EADDRINUSE}, {"ENOMEM", ENOMEM}, {"EADDRNOTAVAIL", EADDRNOTAVAIL},
};

bool set_verdict(FakeKernel &kernel, std::istringstream &words, bool refused) {
    std::string command;
    std::string code;
    std::string text;
    words >> command;
    if (refused)
        words >> code;
    std::getline(words >> std::ws, text);
    if (!commands.contains(command) || (refused && !errnos.contains(code)))
        return false;
    kernel.verdicts[commands.at(command)] = {refused ? errnos.at(code) : 0, text};
    return true;
}

bool set_version(FakeKernel &kernel, std::istringstream &words) {
    std::uint32_t major = 0;
    std::uint32_t minor = 0;
    char dot = 0;
    words >> major >> dot >> minor;
    kernel.version = major << 8 | minor;
    return dot == '.';
}

} // namespace

bool set_up(FakeKernel &kernel, const std::string &scenario) {
    std::istringstream words(scenario);
    std::string word;
    words >> word;
    if (word == "empty")
        return true;
    if (word == "many") {
        add_many(kernel);
        return true;
    }

    add_standard(kernel);
    if (word == "standard" || word == "selftest")
        return true;
    if (word == "refuse" || word == "warn")
        return set_verdict(kernel, words, word == "refuse");
    if (word == "version")
        return set_version(kernel, words);
    kernel.loaded = word != "not";
    kernel.interrupted_dumps = word == "interrupted" ? 1000 : 0;
    kernel.truncating = word == "truncated";
    return word == "not" || word == "interrupted" || word == "truncated";
}

} // namespace srqctl
