// SPDX-License-Identifier: GPL-2.0
#include "monitor.h"

#include <fmt/format.h>

#include "command.h"
#include "lib/names.h"
#include "pool.h"
#include "queue.h"
#include "show.h"

namespace srqctl {

namespace {

constexpr const char *examples =
    R"(Events: low grown shrunk starved recovered budget-hit quota-hit conn-up conn-down dev-gone dev-back
degraded error.
With --now each pool and queue comes first as "now"; "lost" says that events were dropped.

Examples:
  srqctl monitor
  srqctl -j monitor --now)";

struct Line {
    std::optional<std::uint64_t> time_ns = {};
    std::optional<std::string> event = {};
    std::optional<std::string> pool = {};
    std::optional<std::string> class_name = {};
    std::optional<std::uint32_t> shard = {};
    std::optional<std::uint64_t> conn = {};
    std::optional<std::string> text = {};
};

Record describe_line(const Line &line) {
    Record record;
    record.add("time_ns", line.time_ns, in(Unit::wall_clock_ns))
        .add("event", line.event, state_word)
        .add("pool", line.pool, as("pool"))
        .add("class", line.class_name, as("class"))
        .add("shard", line.shard, as("shard"))
        .add("conn", line.conn, as("conn"))
        .add("text", line.text);
    return record;
}

// "state active, posted 120/128, ...": the fields of a record that are not in the line already.
std::string summary(const Record &record, std::initializer_list<std::string_view> keys) {
    std::string text;
    for (const std::string_view key : keys) {
        const Record::Field *field = record.find(key);
        if (!field || field->value.is_null())
            continue;
        text += fmt::format("{}{} {}", text.empty() ? "" : ", ", key, record.text(*field));
    }
    return text;
}

void print_pools(Session &session, const std::vector<srqpool::Pool> &pools, std::uint64_t time_ns) {
    for (const srqpool::Pool &pool : pools) {
        Line line{.time_ns = time_ns, .event = "now", .pool = pool.name};
        line.text = summary(describe(pool), {"state", "shards", "pinned", "conns"});
        session.writer.line(describe_line(line));
    }
}

void print_queues(Session &session, const std::vector<srqpool::Queue> &queues,
                  std::uint64_t time_ns) {
    for (const srqpool::Queue &queue : queues) {
        Line line{.time_ns = time_ns, .event = "now", .pool = queue.pool};
        line.class_name = queue.class_name;
        line.shard = queue.shard;
        line.text = summary(describe(queue), {"state", "armed", "posted", "held", "lost", "conns"});
        session.writer.line(describe_line(line));
    }
}

Outcome print_state(Session &session, srqpool::Client &client) {
    const auto pools = client.pools();
    if (!pools)
        return failed(pools.error());
    const auto queues = client.queues(std::nullopt);
    if (!queues)
        return failed(queues.error());

    const std::uint64_t time_ns = session.environment.wall_clock_ns();
    print_pools(session, *pools, time_ns);
    print_queues(session, *queues, time_ns);
    return {};
}

} // namespace

Record describe(const srqpool::Event &event) {
    return describe_line(Line{
        .time_ns = event.time_ns,
        .event = named(event.type, srqpool::event_name),
        .pool = event.pool,
        .class_name = event.class_name,
        .shard = event.shard,
        .conn = event.conn,
        .text = event.text,
    });
}

Record describe(const srqpool::EventLoss &loss, std::uint64_t time_ns) {
    Line line{.time_ns = time_ns, .event = "lost"};
    line.text = loss.count ? fmt::format("{} events were dropped", *loss.count)
                           : std::string("events were dropped");
    return describe_line(line);
}

Outcome run_monitor(Session &session, const MonitorOptions &options) {
    const auto client = session.client();
    if (!client)
        return tl::unexpected(client.error());

    // Subscribed before the state is read: a change in between is seen twice rather than never.
    auto transport = session.environment.open_transport();
    if (!transport)
        return failed(transport.error());
    auto stream = srqpool::EventStream::subscribe(std::move(*transport), (*client)->family());
    if (!stream)
        return failed(stream.error());
    if (options.now)
        if (auto printed = print_state(session, **client); !printed)
            return printed;

    for (;;) {
        const auto next = stream->next();
        if (!next)
            return failed(next.error());
        if (const auto *event = std::get_if<srqpool::Event>(&*next))
            session.writer.line(describe(*event));
        else
            session.writer.line(
                describe(std::get<srqpool::EventLoss>(*next), session.environment.wall_clock_ns()));
    }
}

void setup_monitor(CLI::App &app, Action &action) {
    add_command<MonitorOptions>(app, "monitor", "Print events as they happen", action, run_monitor,
                                [](CLI::App &command, MonitorOptions &options) {
                                    command.add_flag("--now", options.now, "Print the state first");
                                    command.footer(examples);
                                });
}

} // namespace srqctl
