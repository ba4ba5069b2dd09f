// SPDX-License-Identifier: GPL-2.0
#include "queue.h"

#include <cerrno>

#include "command.h"
#include "lib/names.h"
#include "show.h"

namespace srqctl {

namespace {

constexpr const char *examples = R"(Examples:
  srqctl queue show
  srqctl -j queue show web)";

} // namespace

Record describe(const srqpool::Queue &queue) {
    Record record;
    record.add("pool", queue.pool)
        .add("class", queue.class_name)
        .add("shard", queue.shard)
        .add("depth", queue.depth, hidden)
        .add("target", queue.target, out_of("depth"))
        .add("mark", queue.mark, out_of("target"))
        .add("armed", queue.armed)
        .add("device_limit", queue.device_limit)
        .add("state", named(queue.state, srqpool::queue_state_name), state_word)
        .add("total", queue.total, out_of("depth"))
        .add("posted", queue.posted, out_of("target"))
        .add("held", queue.held, out_of("total"))
        .add("free", queue.free)
        .add("lost", queue.lost)
        .add("conns", queue.conns)
        .add("events", queue.events)
        .add("cq_used", queue.cq_used, out_of("cq_max"))
        .add("cq_max", queue.cq_max, hidden);
    return record;
}

Outcome run_queue_show(Session &session, const QueueShowOptions &options) {
    const auto client = session.client();
    if (!client)
        return tl::unexpected(client.error());

    const auto queues = (*client)->queues(options.pool);
    if (!queues)
        return failed(queues.error(), {{ENOENT, "try: srqctl pool show"}});
    session.writer.table(describe_all(*queues));
    return {};
}

void setup_queue(CLI::App &app, Action &action) {
    CLI::App *queue = app.add_subcommand("queue", "Shared receive queues: a class in a shard");
    show_if_bare<QueueShowOptions>(*queue, action, run_queue_show);
    queue->footer(examples);
    add_command<QueueShowOptions>(*queue, "show", "Show all queues, or those of a pool", action,
                                  run_queue_show, [](CLI::App &command, QueueShowOptions &options) {
                                      add_value(command, "POOL", options.pool, parse_name,
                                                "Name of a pool");
                                      command.footer(examples);
                                  });
}

} // namespace srqctl
