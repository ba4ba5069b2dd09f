// SPDX-License-Identifier: GPL-2.0
#include "top.h"

#include <cerrno>
#include <sstream>

#include <gtest/gtest.h>

#include "app.h"
#include "scenario.h"

namespace srqctl {
namespace {

using top::Input;

// What happens at a wait, before it returns; nothing is the end of its time.
using Step = std::function<Input()>;

struct Terminal {
    std::vector<Step> steps;
    std::size_t next = 0;
    std::vector<std::string> frames;
    top::Size size{80, 24};
    Seconds clock{0};
    bool taken = false;
};

std::string text_of(const top::Grid &grid) {
    std::string text;
    for (const std::string &line : grid.lines())
        text += line + '\n';
    return text;
}

class FakeScreen : public top::Screen {
  public:
    explicit FakeScreen(Terminal &terminal) : terminal_(terminal) { terminal_.taken = true; }
    FakeScreen(const FakeScreen &) = delete;
    FakeScreen &operator=(const FakeScreen &) = delete;
    ~FakeScreen() override { terminal_.taken = false; }

    top::Size size() const override { return terminal_.size; }
    bool unicode() const override { return true; }
    void draw(const top::Grid &grid) override { terminal_.frames.push_back(text_of(grid)); }

    top::Input wait(Seconds limit) override {
        if (terminal_.next == terminal_.steps.size())
            return Input::quit;
        const Input input = terminal_.steps[terminal_.next++]();
        if (input == Input::none)
            terminal_.clock += limit;
        return input;
    }

  private:
    Terminal &terminal_;
};

class Top : public testing::Test {
  protected:
    Top() { set_up(kernel, "standard"); }

    int run(std::vector<std::string> arguments = {}) {
        const Environment environment{
            .out = out,
            .err = err,
            .open_transport = [this] { return kernel.open(); },
            .now = [this] { return terminal.clock; },
            .sleep = {},
            .wall_clock_ns = [] { return std::uint64_t{1764504000000000000}; },
            .open_source = {},
            .stopped = {},
            .interactive = true,
            .open_screen = [this](bool) -> srqpool::Result<std::unique_ptr<top::Screen>> {
                return std::make_unique<FakeScreen>(terminal);
            },
        };
        arguments.insert(arguments.begin(), "top");
        return run_app(arguments, environment);
    }

    void then(Input input, std::size_t times = 1) {
        terminal.steps.insert(terminal.steps.end(), times, [input] { return input; });
    }

    void then(std::function<void()> happens) {
        terminal.steps.emplace_back([happens = std::move(happens)] {
            happens();
            return Input::none;
        });
    }

    std::size_t asked(std::uint8_t command) const {
        std::size_t count = 0;
        for (const auto &request : kernel.requests)
            count += request.command == command;
        return count;
    }

    bool shown(std::size_t frame, const std::string &text) const {
        return terminal.frames.at(frame).find(text) != std::string::npos;
    }

    srqpool::fake::FakeKernel kernel;
    Terminal terminal;
    std::ostringstream out;
    std::ostringstream err;
};

TEST_F(Top, DrawsAtOnceAndQuits) {
    EXPECT_EQ(run(), 0);
    ASSERT_EQ(terminal.frames.size(), 1U);
    EXPECT_TRUE(shown(0, "> web"));
    EXPECT_TRUE(shown(0, "250/256"));
    EXPECT_TRUE(shown(0, "[fe80::2]:40001"));
    EXPECT_FALSE(terminal.taken);
    EXPECT_EQ(out.str() + err.str(), "");
}

TEST_F(Top, LooksTenTimesAnIntervalAndDrawsOnce) {
    then(Input::none, 10);
    EXPECT_EQ(run(), 0);
    EXPECT_EQ(terminal.frames.size(), 2U);
    EXPECT_EQ(asked(SRQPOOL_CMD_POOL_GET), 11U);
    EXPECT_EQ(asked(SRQPOOL_CMD_STATS_GET), 2U);
    EXPECT_EQ(asked(SRQPOOL_CMD_CONN_GET), 2U);
    EXPECT_TRUE(shown(1, "0 msgs/s"));
}

TEST_F(Top, QuitsAfterAsManyIntervals) {
    then(Input::none, 1000);
    EXPECT_EQ(run({"--count", "3", "--interval", "2"}), 0);
    EXPECT_NEAR(terminal.clock.count(), 6, 0.01);
}

TEST_F(Top, TheConnectionsAreReadOnlyWhereTheyAreSeen) {
    then(Input::holders);
    then(Input::none, 30);
    EXPECT_EQ(run(), 0);
    EXPECT_EQ(asked(SRQPOOL_CMD_CONN_GET), 1U);
    EXPECT_FALSE(shown(2, "HELD/QUOTA"));
}

TEST_F(Top, KeysChooseThePool) {
    then(Input::next);
    then(Input::none, 10);
    then(Input::next);
    then(Input::previous);
    EXPECT_EQ(run(), 0);
    EXPECT_TRUE(shown(1, "> log"));
    EXPECT_TRUE(shown(2, "> log"));
    EXPECT_TRUE(shown(3, "> web"));
    EXPECT_TRUE(shown(4, "> log"));
}

TEST_F(Top, KeysChangeTheInterval) {
    then(Input::shorter, 5);
    then(Input::longer, 10);
    EXPECT_EQ(run({"--interval", "0.7"}), 0);
    EXPECT_TRUE(shown(0, "each 700 ms"));
    EXPECT_TRUE(shown(1, "each 500 ms"));
    EXPECT_TRUE(shown(5, "each 100 ms"));
    EXPECT_TRUE(shown(15, "each 60 s"));
}

TEST_F(Top, NothingIsReadWhilePaused) {
    then(Input::pause);
    then(Input::none, 5);
    then(Input::pause);
    then(Input::none);
    EXPECT_EQ(run(), 0);
    EXPECT_EQ(asked(SRQPOOL_CMD_POOL_GET), 2U);
    EXPECT_TRUE(shown(1, "PAUSED"));
    EXPECT_FALSE(shown(3, "PAUSED"));
}

TEST_F(Top, ANewSizeIsDrawn) {
    terminal.steps.emplace_back([this] {
        terminal.size = {70, 20};
        return Input::resized;
    });
    EXPECT_EQ(run(), 0);
    EXPECT_TRUE(shown(1, "srqctl top needs 80x24; this is 70x20"));
}

TEST_F(Top, AsciiIsAscii) {
    EXPECT_EQ(run({"--ascii"}), 0);
    for (const char c : terminal.frames.at(0))
        EXPECT_TRUE(c == '\n' || (c >= ' ' && c <= '~'));
}

TEST_F(Top, AListThatChangesIsReadAgain) {
    then([this] { kernel.interrupted_dumps = 5; });
    then(Input::none, 20);
    EXPECT_EQ(run({"--interval", "0.1"}), 0);
    EXPECT_TRUE(shown(1, "pools changed while read"));
    EXPECT_FALSE(shown(2, "changed while read"));
}

TEST_F(Top, AnUnloadedModuleIsToldWhenTheTerminalIsBack) {
    then(Input::none, 3);
    then([this] { kernel.verdicts[SRQPOOL_CMD_POOL_GET] = {ENOENT, ""}; });
    then(Input::none, 3);
    EXPECT_EQ(run(), 1);
    EXPECT_FALSE(terminal.taken);
    EXPECT_EQ(err.str(), "srqctl: the kernel module srqpool was unloaded\n"
                         "load it: modprobe srqpool, or insmod PATH/srqpool.ko\n");
}

TEST_F(Top, WithoutTheModuleNoTerminalIsTaken) {
    kernel.loaded = false;
    EXPECT_EQ(run(), 1);
    EXPECT_TRUE(terminal.frames.empty());
}

} // namespace
} // namespace srqctl
