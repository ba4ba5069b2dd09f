// SPDX-License-Identifier: GPL-2.0
#include "configure.h"

#include <algorithm>
#include <cerrno>

#include "apply.h"
#include "command.h"
#include "config_read.h"
#include "input.h"
#include "report.h"
#include "show.h"

namespace srqctl {

namespace {

constexpr const char *save_examples =
    R"(Prints JSON that apply reads: every knob, class and listener under the key that show -j has for it,
and nothing that only says how things stand.

Examples:
  srqctl save > pools.json
  srqctl save web > web.json)";

constexpr const char *apply_examples =
    R"(Makes each pool of FILE as FILE says, and leaves other pools alone. Nothing is changed if FILE is
wrong anywhere, or asks of a live pool what cannot change: its device, shards, refill, dedicated,
and which classes of which size it has. What FILE does not say of a pool stays as it is, and is
the default in a new one. With "listeners" the pool's other listeners are removed; one that
differs is replaced. Both close their connections.

A line tells for each pool and listener whether it was added, changed, removed, unchanged or
failed. What failed is as before; a new pool goes again if a listener of it fails.

Examples:
  srqctl apply pools.json
  srqctl apply --dry-run pools.json
  srqctl save | sed 's/"quota": 512/"quota": 64/' | srqctl apply -)";

constexpr const char *diff_examples =
    R"(Prints what apply would do, and "refused" for what a live pool cannot change; nothing if there is
no difference. Exit 0 with and without differences: test for empty output.

Examples:
  srqctl diff pools.json
  srqctl -j diff pools.json)";

tl::unexpected<Failure> malformed(std::string text) {
    Failure failure;
    failure.error.text = std::move(text);
    failure.hint = "nothing is changed; srqctl save shows what a file looks like";
    failure.code = exit_usage;
    return tl::unexpected(std::move(failure));
}

tl::expected<Config, Failure> config_in(const Environment &environment, const std::string &file) {
    auto input = Input::open(environment, file);
    if (!input)
        return tl::unexpected(input.error());
    const auto text = input->text();
    if (!text)
        return tl::unexpected(text.error());
    auto config = read_config(*text);
    if (!config)
        return malformed(input->name() + ": " + config.error());
    return std::move(*config);
}

tl::expected<std::vector<Step>, Failure> plan_of(srqpool::Client &client, const Config &config) {
    const auto pools = client.pools();
    if (!pools)
        return failed(pools.error());
    const auto listeners = client.listeners();
    if (!listeners)
        return failed(listeners.error());
    return make_plan(config, *pools, *listeners);
}

// What FILE says against what there is.
tl::expected<std::vector<Step>, Failure> plan_from(Session &session, const std::string &file) {
    const auto config = config_in(session.environment, file);
    if (!config)
        return tl::unexpected(config.error());
    const auto client = session.client();
    if (!client)
        return tl::unexpected(client.error());
    return plan_of(**client, *config);
}

Outcome print_report(Session &session, const std::vector<Step> &steps, const Outcomes &outcomes) {
    std::vector<Record> records;
    for (std::size_t i = 0; i < steps.size(); i++)
        records.push_back(describe(steps[i], outcomes[i]));
    session.writer.lines(records);
    if (auto failure = failure_of(steps, outcomes))
        return tl::unexpected(std::move(*failure));
    return {};
}

void add_file(CLI::App &command, std::string &file) {
    command.add_option("FILE", file, "A file, or - for the standard input")
        ->type_name("")
        ->required();
}

} // namespace

Outcome run_save(Session &session, const SaveOptions &options) {
    const auto client = session.client();
    if (!client)
        return tl::unexpected(client.error());

    const auto pools = options.pool ? as_list((*client)->pool(*options.pool)) : (*client)->pools();
    if (!pools)
        return failed(pools.error(), {{ENOENT, "try: srqctl pool show"}});
    const auto listeners = (*client)->listeners();
    if (!listeners)
        return failed(listeners.error());
    const Config config = config_of(*pools, *listeners);
    if (options.pool && config.pools.empty())
        return failed(
            {srqpool::ErrorKind::refused, EBUSY, "pool " + *options.pool + " is being deleted"});
    session.writer.document(to_json(config));
    return {};
}

Outcome run_apply(Session &session, const ApplyOptions &options) {
    const auto steps = plan_from(session, options.file);
    if (!steps)
        return tl::unexpected(steps.error());
    if (auto refusal = refusal_of(*steps))
        return tl::unexpected(std::move(*refusal));
    if (options.dry_run)
        return print_report(session, *steps, Outcomes(steps->size()));

    const auto client = session.client();
    if (!client)
        return tl::unexpected(client.error());
    return print_report(session, *steps, do_steps(**client, *steps));
}

Outcome run_diff(Session &session, const DiffOptions &options) {
    auto steps = plan_from(session, options.file);
    if (!steps)
        return tl::unexpected(steps.error());
    const auto is_kept = [](const Step &step) { return step.act == Step::Act::keep; };
    steps->erase(std::remove_if(steps->begin(), steps->end(), is_kept), steps->end());
    return print_report(session, *steps, Outcomes(steps->size()));
}

void setup_configure(CLI::App &app, Action &action) {
    add_command<SaveOptions>(app, "save", "Print the configuration of all pools, or of one", action,
                             run_save, [](CLI::App &command, SaveOptions &options) {
                                 add_value(command, "POOL", options.pool, parse_name,
                                           "Name of a pool");
                                 command.footer(save_examples);
                             });
    add_command<ApplyOptions>(app, "apply", "Make pools as a file says", action, run_apply,
                              [](CLI::App &command, ApplyOptions &options) {
                                  add_file(command, options.file);
                                  command.add_flag("--dry-run", options.dry_run,
                                                   "Only tell what would be done");
                                  command.footer(apply_examples);
                              });
    add_command<DiffOptions>(app, "diff", "Print what apply would change", action, run_diff,
                             [](CLI::App &command, DiffOptions &options) {
                                 add_file(command, options.file);
                                 command.footer(diff_examples);
                             });
}

} // namespace srqctl
