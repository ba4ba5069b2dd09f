// SPDX-License-Identifier: GPL-2.0
#include "events.h"

#include <algorithm>
#include <cerrno>
#include <span>

#include "command.h"
#include "monitor.h"

namespace srqctl {

namespace {

constexpr const char *examples =
    R"(The module keeps the last 256 events of each pool until the pool is deleted; the oldest comes
first. The lines are those of monitor.

Examples:
  srqctl events web
  srqctl -j events web --count 10)";

std::span<const srqpool::Event> last_of(const std::vector<srqpool::Event> &events,
                                        const std::optional<std::uint32_t> &count) {
    const std::span<const srqpool::Event> all(events);
    return all.last(std::min<std::size_t>(all.size(), count.value_or(all.size())));
}

} // namespace

Outcome run_events(Session &session, const EventsOptions &options) {
    const auto client = session.client();
    if (!client)
        return tl::unexpected(client.error());

    const auto events = (*client)->events(options.pool);
    if (!events)
        return failed(events.error(), {{ENOENT, "try: srqctl pool show"},
                                       {EOPNOTSUPP, "a module before version 1.4 keeps no events; "
                                                    "try: srqctl monitor"}});
    for (const srqpool::Event &event : last_of(*events, options.count))
        session.writer.line(describe(event));
    return {};
}

void setup_events(CLI::App &app, Action &action) {
    add_command<EventsOptions>(
        app, "events", "Print the last events of a pool", action, run_events,
        [](CLI::App &command, EventsOptions &options) {
            add_value(command, "POOL", options.pool, parse_name, "Name of the pool")->required();
            add_value(command, "--count", options.count, parse_count, "Only the last N")
                ->type_name("N");
            command.footer(examples);
        });
}

} // namespace srqctl
