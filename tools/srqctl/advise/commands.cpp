// SPDX-License-Identifier: GPL-2.0
#include <algorithm>

#include <fmt/format.h>

#include "advice.h"
#include "lib/names.h"

namespace srqctl::advice {

namespace {

using srqpool::Pool;

// What `pool add` and `listen add` take when they are told nothing.
constexpr std::uint64_t default_budget = 256 << 20;
constexpr std::uint32_t default_rnr_timer_us = 640;
constexpr std::uint32_t default_copybreak = 256;
constexpr std::uint32_t default_aging = 60;
constexpr std::uint32_t default_keepalive = 30;
constexpr std::uint32_t default_max_conns = 16384;

// A name can have what a shell takes for its own.
std::string quoted(const std::string &word) {
    const bool plain = std::all_of(word.begin(), word.end(), [](unsigned char c) {
        return std::isalnum(c) ||
               std::string_view("-_.:=@%+,").find(static_cast<char>(c)) != std::string_view::npos;
    });
    if (plain && !word.empty())
        return word;
    std::string text = "'";
    for (const char c : word)
        text += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return text + "'";
}

std::string class_word(const AdvisedClass &one) {
    const std::string size = std::to_string(one.size);
    const std::string name = one.name == size ? "" : one.name + '=';
    return quoted(
        fmt::format("{}{}:{}-{}@{}", name, size, one.floor, one.ceiling, to_string(one.mark)));
}

bool same_shape(const Settings &a, const Settings &b) {
    return a.shards == b.shards && a.dedicated == b.dedicated &&
           a.listener_classes == b.listener_classes &&
           std::equal(a.classes.begin(), a.classes.end(), b.classes.begin(), b.classes.end(),
                      [](const AdvisedClass &x, const AdvisedClass &y) {
                          return x.name == y.name && x.size == y.size;
                      });
}

// A ceiling comes with the SRQ, which connections keep as it is, and a higher one may need more
// of the completion queue than there is.
bool needs_other_queues(const AdvisedClass &now, const AdvisedClass &advised) {
    return advised.ceiling > now.ceiling || (advised.ceiling != now.ceiling && now.conns > 0);
}

std::uint32_t smallest_floor(const Settings &settings) {
    std::uint32_t floor = settings.classes.front().floor;
    for (const AdvisedClass &one : settings.classes)
        floor = std::min(floor, one.floor);
    return floor;
}

// The automatic ones of the first class, which are shown as if they had been asked for.
std::uint32_t auto_quota(const Settings &now) {
    return std::max(now.classes.front().ceiling / 8, 16U);
}

std::uint32_t auto_reserve(const Settings &now) {
    const std::uint32_t floor = now.classes.front().floor;
    return std::min(std::max(floor / 8, 8U), floor / 2);
}

template <typename T>
void add_unless(std::string &command, const char *option, const std::optional<T> &value, T usual) {
    if (value && *value != usual)
        command += fmt::format(" {} {}", option, *value);
}

// It has to stay under every floor.
void add_reserve(std::string &command, const Pool &pool, const Settings &now,
                 const Settings &advised) {
    const std::uint32_t reserve = pool.reserve.value_or(0);
    if (!pool.reserve || reserve == auto_reserve(now))
        return;
    command += fmt::format(" --reserve {}", std::min(reserve, smallest_floor(advised) / 2));
}

void add_knobs(std::string &command, const Pool &pool, const Settings &now,
               const Settings &advised) {
    if (pool.poll && pool.poll->kind != SRQPOOL_POLL_AUTO)
        command += " --poll " + to_string(*pool.poll);
    if (advised.budget != default_budget)
        command += fmt::format(" --budget {}", advised.budget);
    add_unless(command, "--rnr-timer", pool.rnr_timer_us, default_rnr_timer_us);
    if (pool.refill.value_or(SRQPOOL_REFILL_WATERMARK) != SRQPOOL_REFILL_WATERMARK)
        command += " --refill " + srqpool::refill_name(*pool.refill);
    add_unless(command, "--quota", pool.quota, auto_quota(now));
    if (pool.quota_policy.value_or(SRQPOOL_QUOTA_COPY) != SRQPOOL_QUOTA_COPY)
        command += " --quota-policy " + srqpool::quota_policy_name(*pool.quota_policy);
    add_reserve(command, pool, now, advised);
    add_unless(command, "--copybreak", pool.copybreak, default_copybreak);
    add_unless(command, "--aging", pool.aging, default_aging);
    add_unless(command, "--keepalive", pool.keepalive, default_keepalive);
}

std::string add_pool_command(const Pool &pool, const Settings &now, const Settings &advised) {
    std::string command =
        "srqctl pool add " + quoted(pool.name) + " --dev " + quoted(pool.dev.value_or("DEV"));
    for (const AdvisedClass &one : advised.classes)
        command += " --class " + class_word(one);
    command += fmt::format(" --shards {}", advised.shards);
    add_knobs(command, pool, now, advised);
    return command;
}

std::string add_listener_command(const srqpool::Listener &listener, const std::string &pool,
                                 const std::string &class_name) {
    std::string command =
        fmt::format("srqctl listen add {} --addr {} --port {} --class {}", quoted(pool),
                    listener.addr ? to_string(*listener.addr) : "ADDR", listener.port.value_or(0),
                    quoted(class_name));
    if (listener.mode.value_or(SRQPOOL_MODE_SINK) != SRQPOOL_MODE_SINK)
        command += " --mode " + srqpool::mode_name(*listener.mode);
    add_unless(command, "--max-conns", listener.max_conns, default_max_conns);
    return command;
}

std::vector<std::string> make_anew(const Seen &seen, const Settings &now, const Settings &advised) {
    std::vector<std::string> commands = {
        "srqctl pool del " + quoted(seen.pool.name) + " --force",
        add_pool_command(seen.pool, now, advised),
    };
    for (std::size_t i = 0; seen.listeners && i < seen.listeners->size(); i++)
        commands.push_back(add_listener_command((*seen.listeners)[i], seen.pool.name,
                                                advised.listener_classes[i]));
    return commands;
}

std::vector<std::string> set_live(const Pool &pool, const Settings &now, const Settings &advised) {
    std::string command = "srqctl pool set " + quoted(pool.name);
    const std::size_t plain = command.size();
    if (advised.budget != now.budget)
        command += fmt::format(" --budget {}", advised.budget);
    for (std::size_t i = 0; i < advised.classes.size(); i++)
        if (!(advised.classes[i] == now.classes[i]))
            command += " --class " + class_word(advised.classes[i]);
    if (command.size() == plain)
        return {};
    if (pool.reserve.value_or(0) >= smallest_floor(advised))
        add_reserve(command, pool, now, advised);
    return {command};
}

} // namespace

bool needs_new_pool(const Settings &now, const Settings &advised) {
    if (!same_shape(now, advised))
        return true;
    for (std::size_t i = 0; i < advised.classes.size(); i++)
        if (needs_other_queues(now.classes[i], advised.classes[i]))
            return true;
    return false;
}

std::vector<std::string> commands_for(const Seen &seen, const Settings &now,
                                      const Settings &advised) {
    if (needs_new_pool(now, advised))
        return make_anew(seen, now, advised);
    return set_live(seen.pool, now, advised);
}

} // namespace srqctl::advice
