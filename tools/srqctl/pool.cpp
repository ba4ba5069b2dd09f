// SPDX-License-Identifier: GPL-2.0
#include "pool.h"

#include <cerrno>

#include "command.h"
#include "lib/names.h"
#include "show.h"
#include "stats.h"

namespace srqctl {

namespace {

constexpr std::uint32_t default_class_size = 4096;
constexpr std::uint32_t default_class_floor = 128;
constexpr std::uint32_t default_class_ceiling = 4096;
constexpr std::uint32_t default_mark_percent = 12;

constexpr const char *pool_examples = R"(Examples:
  srqctl pool add web --dev rxe0
  srqctl pool show web
  srqctl pool stats web --interval 1 --count 10
  srqctl pool del web)";

constexpr const char *add_examples =
    R"(A class is receive buffers of one size: [CNAME=]SIZE:FLOOR[-CEILING][@MARK]
  CNAME    its name; the size in bytes if none is given
  SIZE     bytes of a buffer, or K, M
  FLOOR    fewest buffers
  CEILING  most buffers; the floor if none is given
  MARK     refill below so many buffers, or percent of those wanted; 12% if none is given
Without --class there is one: 4096:128-4096@12%

Examples:
  srqctl pool add web --dev rxe0
  srqctl pool add web --dev rxe0 --class small=512:256-8192@20% --class 64K:64-256@16
  srqctl pool add web --dev mlx5_0 --shards 4 --budget 1G --rnr-timer 640)";

constexpr const char *set_examples =
    R"(Of a class only the mark changes: give it as it is, with the new mark.

Examples:
  srqctl pool set web --budget 512M
  srqctl pool set web --class small=512:256-8192@25%)";

constexpr const char *show_examples = R"(Examples:
  srqctl pool show
  srqctl -j pool show web)";

constexpr const char *reset_examples = R"(Examples:
  srqctl pool reset web
  srqctl pool reset)";

constexpr const char *del_examples = R"(Examples:
  srqctl pool del web
  srqctl pool del web --force)";

srqpool::ClassSpec default_class() {
    return srqpool::ClassSpec{
        .name = std::to_string(default_class_size),
        .size = default_class_size,
        .floor = default_class_floor,
        .ceiling = default_class_ceiling,
        .mark = srqpool::Mark{SRQPOOL_MARK_PERCENT, default_mark_percent},
    };
}

srqpool::PoolSpec with_defaults(srqpool::PoolSpec spec) {
    if (spec.classes.empty())
        spec.classes.push_back(default_class());
    for (srqpool::ClassSpec &one : spec.classes)
        if (!one.mark)
            one.mark = srqpool::Mark{SRQPOOL_MARK_PERCENT, default_mark_percent};
    return spec;
}

std::string show_hint(const std::string &pool) { return "try: srqctl pool show " + pool; }

Record describe_class(const srqpool::Class &one) {
    std::optional<std::string> mark_spec;
    if (one.mark_spec)
        mark_spec = to_string(*one.mark_spec);

    Record record;
    record.add("name", one.name, as("class"))
        .add("size", one.size, in(Unit::bytes))
        .add("floor", one.floor)
        .add("ceiling", one.ceiling, hidden)
        .add("target", one.target, out_of("ceiling"))
        .add("mark", one.mark, out_of("target"))
        .add("mark_spec", mark_spec)
        .add("armed", one.armed)
        .add("total", one.total, out_of("ceiling"))
        .add("posted", one.posted, out_of("target"))
        .add("held", one.held, out_of("total"))
        .add("free", one.free)
        .add("lost", one.lost)
        .add("low_water", one.low_water, out_of("target"))
        .add("max_in_use", one.max_in_use, out_of("ceiling"));
    return record;
}

std::vector<Record> describe_classes(const std::vector<srqpool::Class> &classes) {
    std::vector<Record> records;
    records.reserve(classes.size());
    for (const srqpool::Class &one : classes)
        records.push_back(describe_class(one));
    return records;
}

using ParseClass = Parsed<srqpool::ClassSpec> (*)(const std::string &);

// For a class that exists.
Parsed<srqpool::ClassSpec> parse_class_change(const std::string &text) {
    auto spec = parse_class(text);
    if (spec && !spec->mark)
        return tl::unexpected("'" + text + "': no @MARK to change");
    return spec;
}

// One CLASS after each --class, which may be repeated.
void add_class_option(CLI::App &command, std::vector<srqpool::ClassSpec> &classes, ParseClass parse,
                      const std::string &description) {
    command
        .add_option_function<std::vector<std::string>>(
            "--class",
            [&classes, parse](const std::vector<std::string> &texts) {
                for (const std::string &text : texts) {
                    auto spec = parse(text);
                    if (!spec)
                        throw CLI::ValidationError("--class", spec.error());
                    classes.push_back(std::move(*spec));
                }
            },
            description)
        ->type_name("CLASS")
        ->type_size(1)
        ->expected(1, CLI::detail::expected_max_vector_size)
        ->allow_extra_args(false);
}

void add_knobs(CLI::App &command, srqpool::PoolSpec &spec) {
    add_value(command, "--budget", spec.budget, parse_bytes,
              "Most bytes the pool may pin, or K, M, G")
        ->type_name("BYTES");
    add_value(command, "--rnr-timer", spec.rnr_timer_us, parse_count,
              "Microseconds a peer waits when nothing is posted")
        ->type_name("USEC");
}

void setup_add(CLI::App &command, PoolAddOptions &options) {
    add_value(command, "NAME", options.spec.name, parse_name, "Name of the pool")->required();
    add_value(command, "--dev", options.spec.dev, parse_dev_name, "RDMA device")
        ->type_name("DEV")
        ->required();
    add_class_option(command, options.spec.classes, parse_class, "Class of buffers, once for each");
    add_value(command, "--shards", options.spec.shards, parse_shards,
              "Completion queues to spread over; auto by CPUs and vectors")
        ->type_name("N|auto");
    add_knobs(command, options.spec);
    command.footer(add_examples);
}

void setup_set(CLI::App &command, PoolSetOptions &options) {
    add_value(command, "NAME", options.spec.name, parse_name, "Name of the pool")->required();
    add_knobs(command, options.spec);
    add_class_option(command, options.spec.classes, parse_class_change,
                     "Class with a new mark, once for each");
    command.footer(set_examples);
    command.parse_complete_callback([&options] {
        const srqpool::PoolSpec &spec = options.spec;
        if (!spec.budget && !spec.rnr_timer_us && spec.classes.empty())
            throw CLI::RequiredError("one of --budget, --rnr-timer, --class");
    });
}

void setup_stats(CLI::App &command, PoolStatsOptions &options) {
    add_value(command, "NAME", options.name, parse_name, "Name of a pool");
    CLI::Option *interval = add_value(command, "--interval", options.interval, parse_seconds,
                                      "Print rates, each SEC seconds")
                                ->type_name("SEC");
    add_value(command, "--count", options.count, parse_count, "Stop after N intervals")
        ->type_name("N")
        ->needs(interval);
    command.footer(R"(Examples:
  srqctl pool stats
  srqctl -j pool stats web
  srqctl pool stats web --interval 0.5 --count 10)");
}

} // namespace

Record describe(const srqpool::Pool &pool) {
    Record record;
    record.add("name", pool.name)
        .add("id", pool.id)
        .add("dev", pool.dev)
        .add("state", named(pool.state, srqpool::pool_state_name), state_word)
        .add("shards", pool.shards)
        .add("budget", pool.budget, hidden)
        .add("pinned", pool.pinned, out_of("budget", Unit::bytes))
        .add("rnr_timer_us", pool.rnr_timer_us, in(Unit::usec))
        .add("conns", pool.conns)
        .add_children("classes", "pool", describe_classes(pool.classes));
    return record;
}

Outcome run_pool_add(Session &session, const PoolAddOptions &options) {
    const auto client = session.client();
    if (!client)
        return tl::unexpected(client.error());

    const std::string dev = options.spec.dev.value_or("");
    const auto added = (*client)->add_pool(with_defaults(options.spec));
    if (!added)
        return failed(added.error(),
                      {{EEXIST, show_hint(options.spec.name)},
                       {ENODEV, "try: srqctl dev show"},
                       {EOPNOTSUPP, "try: srqctl dev show"},
                       {ENOSPC, "try: a larger --budget, a smaller floor or fewer classes"},
                       {ERANGE, "try: srqctl dev show " + dev}});
    return {};
}

Outcome run_pool_set(Session &session, const PoolSetOptions &options) {
    const auto client = session.client();
    if (!client)
        return tl::unexpected(client.error());

    const auto set = (*client)->set_pool(options.spec);
    if (!set)
        return failed(set.error(), {{ENOENT, "try: srqctl pool show"},
                                    {EINVAL, show_hint(options.spec.name)},
                                    {EOPNOTSUPP, show_hint(options.spec.name)},
                                    {ENOSPC, show_hint(options.spec.name)}});
    return {};
}

Outcome run_pool_show(Session &session, const PoolShowOptions &options) {
    const auto client = session.client();
    if (!client)
        return tl::unexpected(client.error());

    const auto pools = options.name ? as_list((*client)->pool(*options.name)) : (*client)->pools();
    if (!pools)
        return failed(pools.error(), {{ENOENT, "try: srqctl pool show"}});
    session.writer.table(describe_all(*pools));
    return {};
}

Outcome run_pool_reset(Session &session, const PoolResetOptions &options) {
    const auto client = session.client();
    if (!client)
        return tl::unexpected(client.error());

    const auto pools = options.name ? as_list((*client)->pool(*options.name)) : (*client)->pools();
    if (!pools)
        return failed(pools.error(), {{ENOENT, "try: srqctl pool show"}});
    for (const srqpool::Pool &pool : *pools)
        if (const auto reset = (*client)->reset_pool(pool.name); !reset)
            return failed(reset.error(), {{ENOENT, "try: srqctl pool show"}});
    return {};
}

Outcome run_pool_del(Session &session, const PoolDelOptions &options) {
    const auto client = session.client();
    if (!client)
        return tl::unexpected(client.error());

    const auto deleted = (*client)->delete_pool(options.name, options.force);
    if (!deleted)
        return failed(deleted.error(),
                      {{ENOENT, "try: srqctl pool show"},
                       {EBUSY, "try: srqctl pool del " + options.name + " --force"}});
    return {};
}

void setup_pool(CLI::App &app, Action &action) {
    CLI::App *pool = app.add_subcommand("pool", "Pools of receive buffers");
    show_if_bare<PoolShowOptions>(*pool, action, run_pool_show);
    pool->footer(pool_examples);

    add_command<PoolAddOptions>(*pool, "add", "Create a pool", action, run_pool_add, setup_add);
    add_command<PoolSetOptions>(*pool, "set", "Change a pool", action, run_pool_set, setup_set);
    add_command<PoolShowOptions>(*pool, "show", "Show all pools, or one", action, run_pool_show,
                                 [](CLI::App &command, PoolShowOptions &options) {
                                     add_value(command, "NAME", options.name, parse_name,
                                               "Name of a pool");
                                     command.footer(show_examples);
                                 });
    add_command<PoolStatsOptions>(*pool, "stats", "Show counters and histograms since the reset",
                                  action, run_pool_stats, setup_stats);
    add_command<PoolResetOptions>(
        *pool, "reset", "Restart the counters of all pools, or of one", action, run_pool_reset,
        [](CLI::App &command, PoolResetOptions &options) {
            add_value(command, "NAME", options.name, parse_name, "Name of a pool");
            command.footer(reset_examples);
        });
    add_command<PoolDelOptions>(
        *pool, "del", "Delete a pool", action, run_pool_del,
        [](CLI::App &command, PoolDelOptions &options) {
            add_value(command, "NAME", options.name, parse_name, "Name of the pool")->required();
            command.add_flag("--force", options.force, "Close its listeners and connections too");
            command.footer(del_examples);
        });
}

} // namespace srqctl
