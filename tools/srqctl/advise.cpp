// SPDX-License-Identifier: GPL-2.0
#include "advise.h"

#include <cerrno>
#include <ostream>

#include "advise/print.h"
#include "advise/recording.h"
#include "command.h"
#include "input.h"
#include "show.h"

namespace srqctl {

namespace {

using advice::Advice;
using advice::Seen;

constexpr const char *examples =
    R"(Advice follows from what was seen since the reset: ask for it under load, with the connections
open. n_x_m is what a receive queue for each connection would pin: connections x burst x size;
break_even is the number of connections from which sharing pins less. What is printed as commands
is not done.

A FILE, or - for the standard input, is what --record printed, elsewhere or earlier. By hand it is a JSON object of what the shows
print with -j: "pools" (pool show), "stats" (pool stats) and, if they are there, "listeners"
(listen show), "conns" (conn show), "devs" (dev show).

Examples:
  srqctl advise web
  srqctl -j advise web | jq -r '.[].commands[]'
  srqctl advise --record >FILE
  srqctl advise --from FILE)";

using AllSeen = tl::expected<std::vector<Seen>, Failure>;

// A pool that has gone since is none.
srqpool::Result<std::optional<Seen>> look_at(srqpool::Client &client, const srqpool::Pool &pool) {
    auto stats = client.stats(pool.name);
    if (!stats && stats.error().code == ENOENT)
        return std::nullopt;
    if (!stats)
        return tl::unexpected(stats.error());
    auto conns = client.conns(pool.name);
    if (!conns && conns.error().code == ENOENT)
        return std::nullopt;
    if (!conns)
        return tl::unexpected(conns.error());
    auto listeners = client.listeners();
    if (!listeners)
        return tl::unexpected(listeners.error());
    Seen seen;
    seen.pool = pool;
    seen.stats = std::move(*stats);
    seen.listeners = advice::of_pool(*listeners, pool.name);
    seen.conns = std::move(*conns);
    if (auto dev = client.dev(pool.dev.value_or("")))
        seen.dev = std::move(*dev);
    return seen;
}

AllSeen look(Session &session, const std::optional<std::string> &name) {
    const auto client = session.client();
    if (!client)
        return tl::unexpected(client.error());
    const auto pools = name ? as_list((*client)->pool(*name)) : (*client)->pools();
    if (!pools)
        return failed(pools.error(), {{ENOENT, "try: srqctl pool show"}});
    std::vector<Seen> all;
    for (const srqpool::Pool &pool : *pools) {
        auto seen = look_at(**client, pool);
        if (!seen)
            return failed(seen.error());
        if (*seen)
            all.push_back(std::move(**seen));
    }
    if (name && all.empty())
        return failed(srqpool::Error{srqpool::ErrorKind::refused, ENOENT,
                                     "pool " + *name + " was deleted meanwhile"});
    return all;
}

Failure malformed(const std::string &text) {
    return {srqpool::Error{srqpool::ErrorKind::malformed, 0, text}, "try: srqctl advise help",
            exit_usage};
}

AllSeen recall(const Session &session, const std::string &file,
               const std::optional<std::string> &name) {
    auto input = Input::open(session.environment, file);
    if (!input)
        return tl::unexpected(input.error());
    const auto text = input->text();
    if (!text)
        return tl::unexpected(text.error());
    auto seen = advice::read_recording(*text);
    if (!seen)
        return tl::unexpected(malformed(input->name() + ": " + seen.error()));
    if (!name)
        return *seen;
    std::erase_if(*seen, [&](const Seen &one) { return one.pool.name != *name; });
    if (seen->empty())
        return failed(srqpool::Error{srqpool::ErrorKind::refused, ENOENT,
                                     input->name() + " has no pool " + *name},
                      {{ENOENT, "try: srqctl advise --from " + file}});
    return *seen;
}

void print(Session &session, const std::vector<Advice> &all) {
    if (session.writer.json()) {
        Json array = Json::array();
        for (const Advice &one : all)
            array.push_back(advice::advice_json(one));
        return session.writer.document(array);
    }
    for (std::size_t i = 0; i < all.size(); i++) {
        if (i > 0)
            session.environment.out << '\n';
        advice::print_advice(session.environment.out, all[i], session.writer.style().color);
    }
    session.environment.out.flush();
}

void setup_options(CLI::App &command, AdviseOptions &options) {
    add_value(command, "POOL", options.pool, parse_name, "Name of a pool");
    CLI::Option *from =
        command.add_option("--from", options.from, "Saved statistics instead of live ones")
            ->type_name("FILE|-");
    add_value(command, "--burst", options.burst, parse_count,
              "Messages of a connection at once; guessed if none is given")
        ->type_name("N");
    command.add_flag("--record", options.record, "Print the statistics, for --from")
        ->excludes(from);
    command.footer(examples);
}

} // namespace

Outcome run_advise(Session &session, const AdviseOptions &options) {
    AllSeen seen =
        options.from ? recall(session, *options.from, options.pool) : look(session, options.pool);
    if (!seen)
        return tl::unexpected(seen.error());
    if (options.record) {
        session.writer.document(advice::recording_of(*seen));
        return {};
    }
    std::vector<Advice> all;
    for (Seen &one : *seen) {
        one.burst = options.burst;
        all.push_back(advice::advise(one));
    }
    print(session, all);
    return {};
}

void setup_advise(CLI::App &app, Action &action) {
    add_command<AdviseOptions>(app, "advise", "What would suit what was seen", action, run_advise,
                               setup_options);
}

} // namespace srqctl
