// SPDX-License-Identifier: GPL-2.0
#include "pool.h"

#include <cerrno>

#include "command.h"
#include "knobs.h"
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
  MARK     refill below so many buffers, percent of those wanted, or auto; 12% if none is given
Without --class there is one: 4096:128-4096@12%

Examples:
  srqctl pool add web --dev rxe0
  srqctl pool add web --dev rxe0 --class small=512:256-8192@20% --class 64K:64-256@16
  srqctl pool add web --dev mlx5_0 --shards 4 --poll hybrid:100 --budget 1G --rnr-timer 640
  srqctl pool add web --dev rxe0 --class 4K:128-4096@auto --quota 64 --copybreak 512)";

constexpr const char *set_examples =
    R"(A class [CNAME=]SIZE:FLOOR[-CEILING][@MARK] is found by CNAME, or SIZE, and gets the new FLOOR,
CEILING and MARK; the mark stays if none is given, the ceiling is the floor if none is given. A
pool that exists keeps its device, --shards, --refill, --dedicated and the sizes of its classes.

Examples:
  srqctl pool set web --budget 512M --poll busy
  srqctl pool set web --quota 32 --quota-policy disconnect
  srqctl pool set web --class small=512:256-8192@auto)";

constexpr const char *show_examples = R"(One pool is shown in full, all pools as a table.

Examples:
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

constexpr const char *list_hint = "try: srqctl pool show";

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

void add_name(CLI::App &command, std::string &name) {
    add_value(command, "NAME", name, parse_name, "Name of the pool")->required();
}

void add_choice(CLI::App &command, std::optional<std::string> &name) {
    add_value(command, "NAME", name, parse_name, "Name of a pool");
}

void setup_add(CLI::App &command, PoolAddOptions &options) {
    add_name(command, options.spec.name);
    add_value(command, "--dev", options.spec.dev, parse_dev_name, "RDMA device")
        ->type_name("DEV")
        ->required();
    add_knobs(command, options.spec);
    command.footer(add_examples);
}

void setup_set(CLI::App &command, PoolSetOptions &options) {
    add_name(command, options.spec.name);
    add_knobs(command, options.spec);
    command.footer(set_examples);
    command.parse_complete_callback([&options] {
        srqpool::PoolSpec unchanged;
        unchanged.name = options.spec.name;
        if (options.spec == unchanged)
            throw CLI::RequiredError("something to change");
    });
}

void setup_show(CLI::App &command, PoolShowOptions &options) {
    add_choice(command, options.name);
    command.footer(show_examples);
}

void setup_stats(CLI::App &command, PoolStatsOptions &options) {
    add_choice(command, options.name);
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

void setup_reset(CLI::App &command, PoolResetOptions &options) {
    add_choice(command, options.name);
    command.footer(reset_examples);
}

void setup_del(CLI::App &command, PoolDelOptions &options) {
    add_name(command, options.name);
    command.add_flag("--force", options.force, "Close its listeners and connections too");
    command.footer(del_examples);
}

std::optional<std::string> poll_text(const std::optional<srqpool::Poll> &poll) {
    if (!poll)
        return std::nullopt;
    return to_string(*poll);
}

// The one of this name, or all.
srqpool::Result<std::vector<srqpool::Pool>> chosen(srqpool::Client &client,
                                                   const std::optional<std::string> &name) {
    return name ? as_list(client.pool(*name)) : client.pools();
}

} // namespace

Record describe(const srqpool::Pool &pool) {
    Record record;
    record.add("name", pool.name)
        .add("id", pool.id)
        .add("dev", pool.dev)
        .add("state", named(pool.state, srqpool::pool_state_name), state_word)
        .add("shards", pool.shards)
        .add("poll", poll_text(pool.poll))
        .add("budget", pool.budget, hidden_in(Unit::bytes))
        .add("pinned", pool.pinned, out_of("budget", Unit::bytes))
        .add("rnr_timer_us", pool.rnr_timer_us, in(Unit::usec))
        .add("refill", named(pool.refill, srqpool::refill_name), hidden)
        .add("dedicated", pool.dedicated, hidden)
        .add("quota", pool.quota)
        .add("quota_policy", named(pool.quota_policy, srqpool::quota_policy_name), hidden)
        .add("reserve", pool.reserve)
        .add("copybreak", pool.copybreak, in(Unit::bytes))
        .add("aging", pool.aging, in(Unit::sec))
        .add("keepalive", pool.keepalive, hidden_in(Unit::sec))
        .add("conns", pool.conns)
        .add("arena", pool.arena, hidden_in(Unit::bytes))
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
        return failed(set.error(), {{ENOENT, list_hint},
                                    {EBUSY, "try: srqctl conn show --pool " + options.spec.name},
                                    {EINVAL, show_hint(options.spec.name)},
                                    {EOPNOTSUPP, show_hint(options.spec.name)},
                                    {ENOSPC, show_hint(options.spec.name)}});
    return {};
}

Outcome run_pool_show(Session &session, const PoolShowOptions &options) {
    const auto client = session.client();
    if (!client)
        return tl::unexpected(client.error());

    const auto pools = chosen(**client, options.name);
    if (!pools)
        return failed(pools.error(), {{ENOENT, list_hint}});
    if (options.name)
        session.writer.details(describe(pools->front()));
    else
        session.writer.table(describe_all(*pools));
    return {};
}

Outcome run_pool_reset(Session &session, const PoolResetOptions &options) {
    const auto client = session.client();
    if (!client)
        return tl::unexpected(client.error());

    const auto pools = chosen(**client, options.name);
    if (!pools)
        return failed(pools.error(), {{ENOENT, list_hint}});
    for (const srqpool::Pool &pool : *pools)
        if (const auto reset = (*client)->reset_pool(pool.name); !reset)
            return failed(reset.error(), {{ENOENT, list_hint}});
    return {};
}

Outcome run_pool_del(Session &session, const PoolDelOptions &options) {
    const auto client = session.client();
    if (!client)
        return tl::unexpected(client.error());

    const auto deleted = (*client)->delete_pool(options.name, options.force);
    if (!deleted)
        return failed(
            deleted.error(),
            {{ENOENT, list_hint}, {EBUSY, "try: srqctl pool del " + options.name + " --force"}});
    return {};
}

void setup_pool(CLI::App &app, Action &action) {
    CLI::App *pool = app.add_subcommand("pool", "Pools of receive buffers");
    show_if_bare<PoolShowOptions>(*pool, action, run_pool_show);
    pool->footer(pool_examples);

    add_command<PoolAddOptions>(*pool, "add", "Create a pool", action, run_pool_add, setup_add);
    add_command<PoolSetOptions>(*pool, "set", "Change a pool", action, run_pool_set, setup_set);
    add_command<PoolShowOptions>(*pool, "show", "Show all pools, or one", action, run_pool_show,
                                 setup_show);
    add_command<PoolStatsOptions>(*pool, "stats", "Show counters and histograms since the reset",
                                  action, run_pool_stats, setup_stats);
    add_command<PoolResetOptions>(*pool, "reset", "Restart the counters of all pools, or of one",
                                  action, run_pool_reset, setup_reset);
    add_command<PoolDelOptions>(*pool, "del", "Delete a pool", action, run_pool_del, setup_del);
}

} // namespace srqctl
