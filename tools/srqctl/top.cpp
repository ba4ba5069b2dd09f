// SPDX-License-Identifier: GPL-2.0
#include "top.h"

#include <algorithm>
#include <array>
#include <cerrno>

#include "command.h"
#include "conn.h"
#include "top/layout.h"
#include "top/model.h"

namespace srqctl {

namespace {

using top::Input;

constexpr Seconds shortest{0.1};
constexpr Seconds clock_slack{0.001};
constexpr std::array<Seconds, 9> intervals = {shortest,    Seconds(0.2), Seconds(0.5),
                                              Seconds(1),  Seconds(2),   Seconds(5),
                                              Seconds(10), Seconds(30),  Seconds(60)};

constexpr const char *examples =
    R"(Each class has a bar of what is posted, with M, F, T and C where mark, floor, target and ceiling
are, and below it the lowest level of each interval. The screen has at least 80x24.
Keys: q quit, space pause, n p or arrows choose a pool, h holders, + - interval, r reset view.

Examples:
  srqctl top
  srqctl top --interval 0.2 --ascii)";

constexpr const char *other_ways = "try: srqctl pool stats --interval 1, or srqctl -j monitor";

// The kernel knows no number of a family that has gone.
srqpool::Error explained(srqpool::Error error) {
    if (error.kind == srqpool::ErrorKind::refused && error.code == ENOENT)
        return {srqpool::ErrorKind::no_family, ENOENT, "the kernel module srqpool was unloaded"};
    return error;
}

class Watch {
  public:
    Watch(const Environment &environment, srqpool::Client &client, const TopOptions &options)
        : environment_(environment), client_(client), options_(options) {
        model_.view().interval = options.interval;
        model_.view().holders_shown = true;
    }

    /// What is there before the first interval; its errors are told without a screen.
    Outcome begin() { return end_interval(); }

    Outcome run(top::Screen &screen);

  private:
    Outcome look();
    Outcome end_interval();
    void read_holders();
    Outcome pass_time(top::Screen &screen);
    void obey(Input input);
    void change_interval(int step);
    bool is_over() const { return quit_ || (options_.count && intervals_ > *options_.count); }
    Outcome tolerated(const srqpool::Error &error, const char *what);

    const Environment &environment_;
    srqpool::Client &client_;
    const TopOptions &options_;
    top::Model model_;
    Seconds due_{0};              // the end of this interval
    std::uint32_t intervals_ = 0; // begun
    bool quit_ = false;
};

// A list that changes while it is read is not the end: there is another interval.
Outcome Watch::tolerated(const srqpool::Error &error, const char *what) {
    if (error.kind != srqpool::ErrorKind::interrupted)
        return failed(explained(error));
    model_.view().note = std::string(what) + " changed while read";
    return {};
}

Outcome Watch::look() {
    const auto pools = client_.pools();
    if (!pools)
        return tolerated(pools.error(), "pools");
    model_.look(*pools);
    return {};
}

Outcome Watch::end_interval() {
    due_ = environment_.now() + model_.view().interval;
    model_.view().note.clear();
    intervals_++;
    const auto pools = client_.pools();
    if (!pools)
        return tolerated(pools.error(), "pools");
    auto stats = client_.stats();
    if (!stats)
        return tolerated(stats.error(), "statistics");
    model_.end_interval(environment_.now(), *pools, std::move(*stats));
    model_.view().time_ns = environment_.wall_clock_ns();
    read_holders();
    return {};
}

// The list can be long: it is read only where it is seen. A pool that went in between has none.
void Watch::read_holders() {
    const top::PoolView *pool = model_.chosen();
    if (!pool || !model_.view().holders_shown)
        return;
    auto conns = client_.conns(pool->name);
    if (conns)
        model_.set_holders(greatest_holders(std::move(*conns), top::most_holders));
    else
        model_.view().note = "connections changed while read";
}

Outcome Watch::run(top::Screen &screen) {
    while (!is_over()) {
        screen.draw(
            top::lay_out(model_.view(), screen.size(), screen.unicode() && !options_.ascii));
        if (auto passed = pass_time(screen); !passed)
            return passed;
    }
    return {};
}

// Until there is something else to show. The levels are looked at more often than that, to see
// how low they go.
Outcome Watch::pass_time(top::Screen &screen) {
    for (;;) {
        const bool paused = model_.view().paused;
        const Seconds left = std::max(due_ - environment_.now(), Seconds(0));
        const Input input = screen.wait(paused ? Seconds(60) : std::min(left, shortest));
        if (input != Input::none) {
            obey(input);
            return {};
        }
        if (paused)
            continue;
        if (environment_.now() + clock_slack >= due_)
            return end_interval();
        if (auto looked = look(); !looked)
            return looked;
    }
}

void Watch::obey(Input input) {
    top::View &view = model_.view();
    switch (input) {
    case Input::none:
    case Input::resized:
        break;
    case Input::quit:
        quit_ = true;
        break;
    case Input::pause:
        view.paused = !view.paused;
        due_ = environment_.now();
        break;
    case Input::next:
        model_.choose(1);
        break;
    case Input::previous:
        model_.choose(-1);
        break;
    case Input::holders:
        view.holders_shown = !view.holders_shown;
        view.holders.clear();
        break;
    case Input::longer:
        change_interval(1);
        break;
    case Input::shorter:
        change_interval(-1);
        break;
    case Input::reset:
        model_.reset();
        break;
    }
}

void Watch::change_interval(int step) {
    Seconds &interval = model_.view().interval;
    const auto above = std::upper_bound(intervals.begin(), intervals.end(), interval);
    const auto at_or_above = std::lower_bound(intervals.begin(), intervals.end(), interval);
    if (step > 0 && above != intervals.end())
        interval = *above;
    else if (step < 0 && at_or_above != intervals.begin())
        interval = *(at_or_above - 1);
    due_ = std::min(due_, environment_.now() + interval);
}

Parsed<Seconds> parse_interval(const std::string &text) {
    auto seconds = parse_seconds(text);
    if (seconds && *seconds < shortest)
        return tl::unexpected("'" + text + "' is less than 0.1");
    return seconds;
}

void refuse_json(const CLI::App &app) {
    if (app["--json"]->count() > 0 || app["--pretty"]->count() > 0)
        throw CLI::ValidationError("--json", "top draws on a terminal; there are -j pool stats "
                                             "--interval, and -j monitor");
}

} // namespace

Outcome run_top(Session &session, const TopOptions &options) {
    const Environment &environment = session.environment;
    if (!environment.interactive)
        return tl::unexpected(
            Failure{{srqpool::ErrorKind::system, 0, "top draws on a terminal, and this is none"},
                    other_ways});
    const auto client = session.client();
    if (!client)
        return tl::unexpected(client.error());

    Watch watch(environment, **client, options);
    if (auto begun = watch.begin(); !begun)
        return begun;
    const auto screen = environment.open_screen(session.writer.style().color);
    if (!screen)
        return tl::unexpected(Failure{screen.error(), other_ways});
    return watch.run(**screen);
}

void setup_top(CLI::App &app, Action &action) {
    CLI::App *command = add_command<TopOptions>(
        app, "top", "Watch levels, rates and holders on the whole screen", action, run_top,
        [](CLI::App &top, TopOptions &options) {
            add_value(top, "--interval", options.interval, parse_interval,
                      "Look each SEC seconds, from 0.1; 1 if not given")
                ->type_name("SEC");
            add_value(top, "--count", options.count, parse_count, "Quit after N intervals")
                ->type_name("N");
            top.add_flag("--ascii", options.ascii, "Draw with plain characters");
            top.footer(examples);
        });
    command->parse_complete_callback([&app] { refuse_json(app); });
}

} // namespace srqctl
