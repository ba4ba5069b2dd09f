// SPDX-License-Identifier: GPL-2.0
#include "report.h"

#include <algorithm>

#include <fmt/format.h>

namespace srqctl {

namespace {

using Act = Step::Act;

std::string_view result_word(Act act) {
    switch (act) {
    case Act::add_pool:
    case Act::add_listener:
        return "added";
    case Act::set_pool:
    case Act::replace_listener:
        return "changed";
    case Act::remove_listener:
        return "removed";
    case Act::refuse_pool:
        return "refused";
    case Act::keep:
        break;
    }
    return "unchanged";
}

std::vector<std::string> texts_of(const std::vector<Change> &changes) {
    std::vector<std::string> texts;
    texts.reserve(changes.size());
    for (const Change &change : changes)
        texts.push_back(to_string(change));
    return texts;
}

std::vector<Change> impossible(std::vector<Change> changes) {
    changes.erase(std::remove_if(changes.begin(), changes.end(),
                                 [](const Change &change) { return change.possible; }),
                  changes.end());
    return changes;
}

std::optional<std::string> text_of(const Step &step, const Outcome &outcome) {
    if (!outcome)
        return outcome.error().error.text;
    std::vector<std::string> texts = texts_of(step.changes);
    if (step.conns > 0)
        texts.push_back(fmt::format("closes its {} connections", step.conns));
    if (texts.empty())
        return std::nullopt;
    return fmt::format("{}", fmt::join(texts, ", "));
}

Record describe(const Change &change) {
    Record record;
    record.add("class", change.class_name)
        .add("key", change.key)
        .add("from", change.from)
        .add("to", change.to);
    return record;
}

std::string name_of(const Step &step) {
    if (step.listener)
        return fmt::format("listener {} of pool {}", *step.listener, step.pool);
    return "pool " + step.pool;
}

} // namespace

Record describe(const Step &step, const Outcome &outcome) {
    std::vector<Record> changes;
    for (const Change &change : step.changes)
        changes.push_back(describe(change));

    Record record;
    record.add("result", std::string(outcome ? result_word(step.act) : "failed"), state_word)
        .add("pool", step.pool, as("pool"))
        .add("listener", step.listener, as("listener"))
        .add("text", text_of(step, outcome))
        .add_children("changes", "pool", std::move(changes));
    return record;
}

std::optional<Failure> refusal_of(const std::vector<Step> &steps) {
    std::vector<std::string> pools;
    std::vector<std::string> deletions;
    for (const Step &step : steps) {
        if (step.act != Act::refuse_pool)
            continue;
        pools.push_back(fmt::format("pool {}: {}", step.pool,
                                    fmt::join(texts_of(impossible(step.changes)), ", ")));
        deletions.push_back("srqctl pool del " + step.pool + " --force");
    }
    if (pools.empty())
        return std::nullopt;

    Failure failure;
    failure.error.kind = srqpool::ErrorKind::refused;
    failure.error.text =
        fmt::format("nothing is changed, a live pool cannot change so: {}", fmt::join(pools, "; "));
    failure.hint = fmt::format(
        "its device, shards, refill, dedicated, an automatic reserve, and which classes "
        "of which size it has are for life\ntry: {}, and apply again",
        fmt::join(deletions, ", "));
    return failure;
}

std::optional<Failure> failure_of(const std::vector<Step> &steps,
                                  const std::vector<Outcome> &outcomes) {
    const auto is_failure = [](const Outcome &outcome) { return !outcome; };
    const auto first = std::find_if(outcomes.begin(), outcomes.end(), is_failure);
    if (first == outcomes.end())
        return std::nullopt;

    const auto count = std::count_if(first, outcomes.end(), is_failure);
    Failure failure = first->error();
    failure.error.text = fmt::format(
        "{} of {} failed; {}: {}", count, steps.size(),
        name_of(steps[static_cast<std::size_t>(first - outcomes.begin())]), failure.error.text);
    return failure;
}

} // namespace srqctl
