// SPDX-License-Identifier: GPL-2.0
#include "selftest.h"

#include <algorithm>
#include <cerrno>

#include <fmt/format.h>

#include "command.h"
#include "peer.h"

namespace srqctl {

namespace {

constexpr const char *examples =
    R"(Adds a pool selftest-PID of a few buffers on the device, connects to it over the device, and takes
it away again, whatever fails:
  address  the device has an address to listen on
  create   a pool and a listener
  post     its buffers are posted, and the limit is armed
  connect  a connection, from this process
  loop     one message comes back as it was sent
  limit    messages come until the device has raised a limit event
  drain    the connection ends, and every buffer is posted again
  destroy  the pool goes, and nothing of it is left

Examples:
  srqctl selftest rxe0
  srqctl -j selftest mlx5_0)";

constexpr std::uint32_t class_size = 4096;
constexpr std::uint32_t class_count = 32;
constexpr std::uint32_t class_mark = 28;
// Half of the buffers: where nobody can be told to wait, those of the messages before may be held.
constexpr std::uint32_t burst = class_count / 2;
constexpr Seconds step_limit{10};
constexpr Seconds look_interval{0.01};
constexpr int port_tries = 3;

using Detail = tl::expected<std::string, Failure>;

tl::unexpected<Failure> failed_words(std::string text, std::string hint = {}) {
    return tl::unexpected(
        Failure{{srqpool::ErrorKind::system, 0, std::move(text)}, std::move(hint)});
}

srqpool::PoolSpec pool_spec(const std::string &name, const std::string &dev) {
    srqpool::PoolSpec spec;
    spec.name = name;
    spec.dev = dev;
    spec.shards = 1;
    // A message that is copied takes no buffer, and does not lower the level.
    spec.quota = class_count;
    spec.copybreak = 0;
    spec.reserve = 0;
    spec.classes.push_back({.name = std::to_string(class_size),
                            .size = class_size,
                            .floor = class_count,
                            .ceiling = class_count,
                            .mark = srqpool::Mark{SRQPOOL_MARK_COUNT, class_mark}});
    return spec;
}

srqpool::ListenerSpec listener_spec(const std::string &pool, const Peer::Endpoint &at) {
    srqpool::ListenerSpec spec;
    spec.pool = pool;
    spec.addr = at.address;
    spec.port = at.port;
    spec.transport = SRQPOOL_TRANSPORT_RC;
    spec.mode = SRQPOOL_MODE_ECHO;
    spec.max_conns = 1;
    return spec;
}

bool is_posted(const srqpool::Pool &pool) {
    return !pool.classes.empty() &&
           std::all_of(pool.classes.begin(), pool.classes.end(), [](const srqpool::Class &one) {
               return one.armed.value_or(false) && one.held.value_or(0) == 0 &&
                      one.posted.value_or(0) >= class_count;
           });
}

std::string level(const srqpool::Pool &pool) {
    if (pool.classes.empty())
        return "no class";
    const srqpool::Class &one = pool.classes.front();
    return fmt::format("{} of {} posted, {} held, {}", one.posted.value_or(0), class_count,
                       one.held.value_or(0), one.armed.value_or(false) ? "armed" : "not armed");
}

class Selftest {
  public:
    Selftest(Session &session, srqpool::Client &client, Peer &peer, srqpool::Dev before)
        : session_(session), client_(client), peer_(peer), before_(std::move(before)),
          name_(fmt::format("selftest-{}", session.environment.pid)) {}

    /// All steps; the first that fails ends them, but for the last one.
    Outcome run();

  private:
    Detail find();
    Detail create();
    Detail post();
    Detail connect();
    Detail loop();
    Detail limit();
    Detail drain();
    Detail destroy();

    Outcome step(const char *name, Detail (Selftest::*work)());
    Outcome all_but_destroy();
    Outcome add_listener();
    tl::expected<std::uint64_t, Failure> limit_events();
    srqpool::Result<bool> as_before();
    template <typename Done> Outcome wait_for(Done done, bool whatever = false);

    Seconds now() const { return session_.environment.now(); }

    Session &session_;
    srqpool::Client &client_;
    Peer &peer_;
    srqpool::Dev before_;
    std::string name_;
    Peer::Endpoint at_;
    bool created_ = false;
    std::string seen_; // by the last look of wait_for
};

// Looks until it is done; `whatever` happens, an interruption too.
template <typename Done> Outcome Selftest::wait_for(Done done, bool whatever) {
    const Seconds end = now() + step_limit;
    for (;;) {
        const auto is_done = done();
        if (!is_done)
            return failed(is_done.error());
        if (*is_done)
            return {};
        if (peer_.interrupted() && !whatever)
            return failed_words("interrupted");
        if (now() >= end)
            return failed_words(fmt::format("not within {:g} s: {}", step_limit.count(), seen_));
        session_.environment.sleep(look_interval);
    }
}

Detail Selftest::find() {
    const auto found = peer_.find(before_.name);
    if (!found)
        return failed(found.error());
    if (!*found)
        return failed_words("no address of this machine is one of " + before_.name,
                            "try: rdma link show, ip address show; its interface needs an address, "
                            "and to be up");
    at_ = **found;
    return to_string(at_.address);
}

// The port was free a moment ago.
Outcome Selftest::add_listener() {
    for (int tries = 1;; tries++) {
        const auto listening = client_.add_listener(listener_spec(name_, at_));
        if (listening)
            return {};
        if (listening.error().code != EADDRINUSE || tries == port_tries)
            return failed(listening.error());
        if (const auto found = find(); !found)
            return tl::unexpected(found.error());
    }
}

Detail Selftest::create() {
    const auto added = client_.add_pool(pool_spec(name_, before_.name));
    // That so few buffers are shallow is known.
    client_.take_warnings();
    if (!added)
        return failed(
            added.error(),
            {{EEXIST, "a selftest that was killed left it: srqctl pool del " + name_ + " --force"},
             {EOPNOTSUPP, "try: srqctl dev show"},
             {ERANGE, "try: srqctl dev show " + before_.name}});
    created_ = true;
    if (auto listening = add_listener(); !listening)
        return tl::unexpected(listening.error());
    client_.take_warnings();
    return name_ + " on " + with_port(at_.address, at_.port);
}

Detail Selftest::post() {
    auto posted = wait_for([&]() -> srqpool::Result<bool> {
        const auto pool = client_.pool(name_);
        if (!pool)
            return tl::unexpected(pool.error());
        seen_ = level(*pool);
        return is_posted(*pool);
    });
    if (!posted)
        return tl::unexpected(posted.error());
    return seen_;
}

Detail Selftest::connect() {
    if (const auto connected = peer_.connect(at_, step_limit); !connected)
        return failed(connected.error());
    return "to " + with_port(at_.address, at_.port);
}

Detail Selftest::loop() {
    if (const auto back = peer_.echo(1, class_size, step_limit); !back)
        return failed(back.error());
    return fmt::format("{} bytes came back as they were", class_size);
}

tl::expected<std::uint64_t, Failure> Selftest::limit_events() {
    const auto stats = client_.stats(name_);
    if (!stats)
        return failed(stats.error());
    return stats->limit_events.value_or(0);
}

Detail Selftest::limit() {
    const auto before = limit_events();
    if (!before)
        return tl::unexpected(before.error());

    std::uint64_t messages = 0;
    for (const Seconds end = now() + step_limit; now() < end;) {
        if (const auto back = peer_.echo(burst, class_size, step_limit); !back)
            return failed(back.error());
        messages += burst;
        const auto events = limit_events();
        if (!events)
            return tl::unexpected(events.error());
        if (*events > *before)
            return fmt::format("{} limit events in {} messages", *events - *before, messages);
        session_.environment.sleep(look_interval);
    }
    return failed_words(fmt::format("no limit event within {:g} s, in {} messages of {} at once",
                                    step_limit.count(), messages, burst),
                        "without it only a watchdog refills: srqctl queue show");
}

Detail Selftest::drain() {
    peer_.disconnect();
    auto drained = wait_for([&]() -> srqpool::Result<bool> {
        const auto pool = client_.pool(name_);
        if (!pool)
            return tl::unexpected(pool.error());
        seen_ = fmt::format("{} connections, {}", pool->conns.value_or(0), level(*pool));
        return pool->conns.value_or(0) == 0 && is_posted(*pool);
    });
    if (!drained)
        return tl::unexpected(drained.error());
    return seen_;
}

// Other pools of the device may come and go, and pin what they like.
srqpool::Result<bool> Selftest::as_before() {
    const auto pools = client_.pools();
    if (!pools)
        return tl::unexpected(pools.error());
    if (std::any_of(pools->begin(), pools->end(),
                    [&](const srqpool::Pool &pool) { return pool.name == name_; })) {
        seen_ = "pool " + name_ + " is still there";
        return false;
    }
    const auto dev = client_.dev(before_.name);
    if (!dev)
        return tl::unexpected(dev.error());
    seen_ = fmt::format("{} bytes are pinned, {} before", dev->pinned.value_or(0),
                        before_.pinned.value_or(0));
    return before_.pools.value_or(0) > 0 || dev->pools.value_or(0) > 0 ||
           (dev->pinned == before_.pinned && dev->conns == before_.conns);
}

Detail Selftest::destroy() {
    peer_.disconnect();
    const std::string hint = "try: srqctl pool del " + name_ + " --force";
    if (const auto deleted = client_.delete_pool(name_, true); !deleted)
        return failed(deleted.error(), {{ENOENT, "somebody else deleted it"}, {EBUSY, hint}});
    auto gone = wait_for([&] { return as_before(); }, true);
    if (!gone)
        return failed_words(gone.error().error.text, hint);
    return seen_;
}

Outcome Selftest::step(const char *name, Detail (Selftest::*work)()) {
    const Seconds start = now();
    Detail detail = (this->*work)();
    const auto took = std::chrono::duration_cast<std::chrono::nanoseconds>(now() - start);
    Record record;
    record.add("step", std::string(name))
        .add("state", std::string(detail ? "ok" : "failed"), state_word)
        .add("took_ns", static_cast<std::uint64_t>(took.count()), in(Unit::nsec))
        .add("text", detail ? *detail : detail.error().error.text);
    session_.writer.line(record);
    if (detail)
        return {};
    Failure failure = std::move(detail.error());
    failure.error.text = fmt::format("{}: {}", name, failure.error.text);
    // What a step did not find, nobody named.
    failure.error.kind = srqpool::ErrorKind::system;
    return tl::unexpected(std::move(failure));
}

Outcome Selftest::all_but_destroy() {
    constexpr std::pair<const char *, Detail (Selftest::*)()> steps[] = {
        {"address", &Selftest::find},    {"create", &Selftest::create}, {"post", &Selftest::post},
        {"connect", &Selftest::connect}, {"loop", &Selftest::loop},     {"limit", &Selftest::limit},
        {"drain", &Selftest::drain},
    };
    for (const auto &[name, work] : steps) {
        if (peer_.interrupted())
            return failed_words(fmt::format("{}: interrupted", name));
        if (auto done = step(name, work); !done)
            return done;
    }
    return {};
}

Outcome Selftest::run() {
    Outcome outcome = all_but_destroy();
    if (!created_)
        return outcome;
    Outcome destroyed = step("destroy", &Selftest::destroy);
    return outcome ? destroyed : outcome;
}

} // namespace

Outcome run_selftest(Session &session, const SelftestOptions &options) {
    const auto client = session.client();
    if (!client)
        return tl::unexpected(client.error());
    auto dev = (*client)->dev(options.dev);
    if (!dev)
        return failed(dev.error(), {{ENODEV, "try: srqctl dev show"}});
    const auto peer = session.environment.open_peer();
    if (!peer)
        return failed(peer.error());
    return Selftest(session, **client, **peer, std::move(*dev)).run();
}

void setup_selftest(CLI::App &app, Action &action) {
    add_command<SelftestOptions>(
        app, "selftest", "Try a device with a pool that is then gone", action, run_selftest,
        [](CLI::App &command, SelftestOptions &options) {
            add_value(command, "DEV", options.dev, parse_dev_name, "Name of the device")
                ->required();
            command.footer(examples);
        });
}

} // namespace srqctl
