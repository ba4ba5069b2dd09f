// SPDX-License-Identifier: GPL-2.0
#include "plan.h"

#include <algorithm>

#include <fmt/format.h>

#include "fields.h"

namespace srqctl {

namespace {

using srqpool::Class;
using srqpool::ClassSpec;
using srqpool::Listener;
using srqpool::ListenerSpec;
using srqpool::Pool;
using srqpool::PoolSpec;
using Act = Step::Act;

std::string value_text(const Json &value) {
    if (value.is_null())
        return "none";
    return value.is_string() ? value.get<std::string>() : value.dump();
}

template <typename T, typename Match>
const T *find(const std::vector<T> &objects, const Match &match) {
    const auto found = std::find_if(objects.begin(), objects.end(), match);
    return found == objects.end() ? nullptr : &*found;
}

template <typename T> const T *find_named(const std::vector<T> &objects, const std::string &name) {
    return find(objects, [&](const T &object) { return object.name == name; });
}

std::string endpoint(const ListenerSpec &spec) { return with_port(spec.addr, spec.port); }

// The step for a pool that exists: the changes, what of them to set, and whether that can be.
class PoolDifference {
  public:
    PoolDifference(const PoolSpec &asked, const Pool &pool) : asked_(asked), pool_(pool) {
        step_.pool = asked.name;
        step_.pool_spec.name = asked.name;
    }

    Step step() {
        compare_knobs();
        for (const ClassSpec &one : asked_.classes)
            compare_class(one);
        for (const Class &one : pool_.classes)
            if (!find_named(asked_.classes, one.name))
                add_class_change(one.name, taken(class_fields(), one), {});
        if (!step_.changes.empty())
            step_.act = all_possible() ? Act::set_pool : Act::refuse_pool;
        return step_;
    }

  private:
    bool all_possible() const {
        return std::all_of(step_.changes.begin(), step_.changes.end(),
                           [](const Change &change) { return change.possible; });
    }

    // A live pool's reserve can be a number only.
    bool can_change(const PoolField &field) const {
        const bool to_automatic = field.key == "reserve" && asked_.reserve == automatic_reserve;
        return field.change == PoolField::Change::live && !to_automatic;
    }

    void compare_knobs() {
        const PoolSpec present = taken(pool_fields(), pool_);
        for (const PoolField &field : pool_fields()) {
            if (agrees(field, asked_, pool_))
                continue;
            step_.changes.push_back({{},
                                     std::string(field.key),
                                     field.write(present),
                                     field.write(asked_),
                                     can_change(field)});
            field.carry(asked_, step_.pool_spec);
        }
    }

    void compare_class(const ClassSpec &asked) {
        const Class *present = find_named(pool_.classes, asked.name);
        if (!present)
            return add_class_change(asked.name, {}, asked);

        ClassSpec change;
        change.name = asked.name;
        const ClassSpec no_change = change;
        for (const ClassField &field : class_fields()) {
            if (agrees(field, asked, *present))
                continue;
            step_.changes.push_back({asked.name, std::string(field.key),
                                     field.write(taken(class_fields(), *present)),
                                     field.write(asked), field.change == ClassField::Change::live});
            field.carry(asked, change);
        }
        if (change == no_change)
            return;
        step_.pool_spec.classes.push_back(change);
        keep_numbers();
    }

    // A quota or reserve that the module chose would follow the class, away from what is asked.
    void keep_numbers() {
        if (asked_.quota && asked_.quota != automatic_quota)
            step_.pool_spec.quota = asked_.quota;
        if (asked_.reserve && asked_.reserve != automatic_reserve)
            step_.pool_spec.reserve = asked_.reserve;
    }

    // A class that only one of the two has is told by its size.
    void add_class_change(const std::string &name, const ClassSpec &from, const ClassSpec &to) {
        for (const ClassField &field : class_fields())
            if (field.key == "size")
                step_.changes.push_back(
                    {name, std::string(field.key), field.write(from), field.write(to), false});
    }

    const PoolSpec &asked_;
    const Pool &pool_;
    Step step_;
};

Step step_for_new(PoolSpec spec) {
    // For the module: what is not said is automatic.
    if (spec.reserve == automatic_reserve)
        spec.reserve.reset();
    return Step{.act = Act::add_pool, .pool = spec.name, .pool_spec = spec};
}

Step step_for(const PoolSpec &asked, const Pool *pool) {
    return pool ? PoolDifference(asked, *pool).step() : step_for_new(asked);
}

Step removal_of(const Listener &listener, const ListenerSpec &present) {
    return Step{
        .act = Act::remove_listener,
        .pool = present.pool,
        .listener = endpoint(present),
        .listener_id = listener.id,
        .conns = listener.conns.value_or(0),
    };
}

ListenerSpec spec_of(const Listener &listener) {
    ListenerSpec spec = taken(listener_fields(), listener);
    spec.pool = listener.pool.value_or("");
    return spec;
}

Step step_for_new(const ListenerSpec &asked) {
    return Step{
        .act = Act::add_listener,
        .pool = asked.pool,
        .listener = endpoint(asked),
        .listener_spec = asked,
    };
}

Step step_for(const ListenerSpec &asked, const Listener *listener) {
    if (!listener)
        return step_for_new(asked);

    const ListenerSpec present = spec_of(*listener);
    ListenerSpec to = present;
    Step step{.act = Act::keep, .pool = asked.pool, .listener = endpoint(asked)};
    for (const ListenerField &field : listener_fields()) {
        if (agrees(field, asked, *listener))
            continue;
        step.changes.push_back(
            {{}, std::string(field.key), field.write(present), field.write(asked)});
        field.carry(asked, to);
    }
    if (step.changes.empty())
        return step;

    step.act = Act::replace_listener;
    step.listener_spec = to;
    step.former = present;
    step.listener_id = listener->id;
    step.conns = listener->conns.value_or(0);
    return step;
}

// The listeners that go come first: one of them may have what another wants.
void add_listener_steps(std::vector<Step> &steps, const PoolConfig &config,
                        const std::vector<Listener> &listeners) {
    std::vector<Step> rest;
    for (const ListenerSpec &asked : *config.listeners)
        rest.push_back(step_for(asked, find(listeners, [&](const Listener &listener) {
                                    return listener.pool == config.spec.name &&
                                           endpoint(spec_of(listener)) == endpoint(asked);
                                })));
    for (const Listener &listener : listeners) {
        const ListenerSpec present = spec_of(listener);
        if (present.pool == config.spec.name &&
            !find(*config.listeners,
                  [&](const ListenerSpec &asked) { return endpoint(asked) == endpoint(present); }))
            steps.push_back(removal_of(listener, present));
    }
    steps.insert(steps.end(), rest.begin(), rest.end());
}

} // namespace

std::string to_string(const Change &change) {
    const std::string of = change.class_name ? fmt::format("class {} ", *change.class_name) : "";
    return fmt::format("{}{} {} -> {}", of, change.key, value_text(change.from),
                       value_text(change.to));
}

std::vector<Step> make_plan(const Config &config, const std::vector<Pool> &pools,
                            const std::vector<Listener> &listeners) {
    std::vector<Step> steps;
    for (const PoolConfig &pool : config.pools) {
        steps.push_back(step_for(pool.spec, find_named(pools, pool.spec.name)));
        if (pool.listeners)
            add_listener_steps(steps, pool, listeners);
    }
    return steps;
}

} // namespace srqctl
