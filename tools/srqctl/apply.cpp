// SPDX-License-Identifier: GPL-2.0
#include "apply.h"

#include <cerrno>
#include <set>

#include <fmt/format.h>

namespace srqctl {

namespace {

using srqpool::Client;
using srqpool::Status;
using Act = Step::Act;

Outcome outcome_of(const Status &status, Hints hints) {
    if (!status)
        return failed(status.error(), hints);
    return {};
}

Outcome add_pool(Client &client, const Step &step) {
    return outcome_of(client.add_pool(step.pool_spec),
                      {{ENODEV, "try: srqctl dev show"},
                       {EOPNOTSUPP, "try: srqctl dev show"},
                       {ENOSPC, "try: a larger budget, a smaller floor or fewer classes"},
                       {ERANGE, "try: srqctl dev show " + step.pool_spec.dev.value_or("")}});
}

Outcome set_pool(Client &client, const Step &step) {
    return outcome_of(client.set_pool(step.pool_spec),
                      {{EBUSY, "try: srqctl conn show --pool " + step.pool},
                       {ENOENT, "try: srqctl pool show"},
                       {EINVAL, "try: srqctl pool show " + step.pool},
                       {ENOSPC, "try: srqctl pool show " + step.pool}});
}

Outcome remove_listener(Client &client, const Step &step) {
    return outcome_of(client.delete_listener(step.listener_id),
                      {{ENOENT, "try: srqctl listen show"}});
}

Outcome add_listener(Client &client, const srqpool::ListenerSpec &spec) {
    const auto id = client.add_listener(spec);
    return outcome_of(id ? Status{} : tl::unexpected(id.error()),
                      {{ENOENT, "try: srqctl pool show"},
                       {EADDRINUSE, "try: srqctl listen show"},
                       {EADDRNOTAVAIL, "try: ip address show, rdma link show"}});
}

Outcome replace_listener(Client &client, const Step &step) {
    if (auto removed = remove_listener(client, step); !removed)
        return removed;
    Outcome added = add_listener(client, step.listener_spec);
    if (added)
        return added;
    const Outcome restored = add_listener(client, *step.former);
    added.error().error.text += restored
                                    ? "; it listens as before again"
                                    : "; and not as before either: " + restored.error().error.text;
    return added;
}

bool makes_room(const Step &step) {
    return step.act == Act::set_pool || step.act == Act::remove_listener;
}

Outcome do_step(Client &client, const Step &step) {
    switch (step.act) {
    case Act::add_pool:
        return add_pool(client, step);
    case Act::set_pool:
        return set_pool(client, step);
    case Act::remove_listener:
        return remove_listener(client, step);
    case Act::add_listener:
        return add_listener(client, step.listener_spec);
    case Act::replace_listener:
        return replace_listener(client, step);
    case Act::keep:
    case Act::refuse_pool:
        break;
    }
    return {};
}

Outcome not_done(const std::string &why) { return failed({srqpool::ErrorKind::system, 0, why}); }

class Run {
  public:
    Run(Client &client, const std::vector<Step> &steps)
        : client_(client), steps_(steps), outcomes_(steps.size()) {}

    Outcomes all() {
        for (const bool room : {true, false})
            for (std::size_t i = 0; i < steps_.size(); i++)
                if (makes_room(steps_[i]) == room)
                    one(i);
        return std::move(outcomes_);
    }

  private:
    void one(std::size_t i) {
        const Step &step = steps_[i];
        if (step.listener && failed_.contains(step.pool)) {
            outcomes_[i] = not_done("not done: pool " + step.pool + " failed");
            return;
        }
        outcomes_[i] = do_step(client_, step);
        if (outcomes_[i])
            return;
        if (!step.listener)
            failed_.insert(step.pool);
        else if (const auto added = new_pool(step.pool))
            take_back(*added, i);
    }

    std::optional<std::size_t> new_pool(const std::string &name) const {
        for (std::size_t i = 0; i < steps_.size(); i++)
            if (steps_[i].act == Act::add_pool && steps_[i].pool == name)
                return i;
        return std::nullopt;
    }

    // Of a new pool the whole fails, with the words of the listener that did.
    void take_back(std::size_t pool, std::size_t listener) {
        const std::string &name = steps_[pool].pool;
        Failure failure = outcomes_[listener].error();
        failure.error.text =
            fmt::format("listener {}: {}", *steps_[listener].listener, failure.error.text);
        const Status removed = client_.delete_pool(name, true);
        failure.error.text += removed ? "; the pool was removed again"
                                      : "; the pool could not be removed: " + removed.error().text;
        outcomes_[pool] = tl::unexpected(std::move(failure));
        failed_.insert(name);
        for (std::size_t i = 0; i < listener; i++)
            if (steps_[i].pool == name && steps_[i].act == Act::add_listener)
                outcomes_[i] = not_done("removed again with pool " + name);
    }

    Client &client_;
    const std::vector<Step> &steps_;
    Outcomes outcomes_;
    std::set<std::string> failed_; // pools
};

} // namespace

Outcomes do_steps(Client &client, const std::vector<Step> &steps) {
    return Run(client, steps).all();
}

} // namespace srqctl
