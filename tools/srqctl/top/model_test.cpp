// SPDX-License-Identifier: GPL-2.0
#include "model.h"

#include <gtest/gtest.h>

namespace srqctl::top {
namespace {

using History = std::vector<std::uint32_t>;

srqpool::Pool pool(std::uint64_t id, const std::string &name, std::uint32_t posted,
                   std::uint32_t low_water) {
    srqpool::Class one;
    one.name = "4096";
    one.mark = 32;
    one.ceiling = 256;
    one.posted = posted;
    one.low_water = low_water;
    srqpool::Pool result;
    result.id = id;
    result.name = name;
    result.classes = {one};
    return result;
}

srqpool::Stats stats(const std::string &name, std::uint64_t messages) {
    srqpool::Stats result;
    result.name = name;
    result.rx_msgs = messages;
    result.starved_ns = messages * 1000;
    return result;
}

// Intervals of two seconds, in which one pool is seen.
class ModelOfOne : public testing::Test {
  protected:
    void look(std::uint32_t posted, std::uint32_t low_water) {
        model.look({pool(1, "web", posted, low_water)});
    }

    void end(std::uint32_t posted, std::uint32_t low_water, std::uint64_t messages = 0) {
        now += Seconds(2);
        model.end_interval(now, {pool(1, "web", posted, low_water)}, {stats("web", messages)});
    }

    const ClassView &one() const { return model.view().pools.at(0).classes.at(0); }

    Model model;
    Seconds now{0};
};

TEST_F(ModelOfOne, HasNoRateBeforeTheSecondInterval) {
    end(100, 100, 10);
    EXPECT_EQ(model.view().pools.at(0).rates.rx_msgs, std::nullopt);
    end(100, 100, 30);
    EXPECT_EQ(model.view().pools.at(0).rates.rx_msgs, 10.0);
    EXPECT_EQ(model.view().pools.at(0).rates.starved_ns, 10000.0);
    EXPECT_EQ(model.view().pools.at(0).rates.rnr_naks, std::nullopt);
}

TEST_F(ModelOfOne, CountersThatWereResetDoNotRise) {
    end(100, 100, 30);
    end(100, 100, 10);
    EXPECT_EQ(model.view().pools.at(0).rates.rx_msgs, 0.0);
}

TEST_F(ModelOfOne, TheLowestLookOfAnIntervalIsShown) {
    end(100, 10);
    look(40, 10);
    look(90, 10);
    end(95, 10);
    EXPECT_EQ(one().posted, 95U);
    EXPECT_EQ(one().lowest, 40U);
    end(95, 10);
    EXPECT_EQ(one().lowest, 95U);
    EXPECT_EQ(one().history, (History{100, 40, 95}));
}

TEST_F(ModelOfOne, AFallOfLowWaterTellsWhatNoLookSaw) {
    end(100, 60);
    end(100, 7);
    EXPECT_EQ(one().lowest, 7U);
    EXPECT_EQ(one().low_water, 7U);
    end(100, 7);
    EXPECT_EQ(one().lowest, 100U);
}

TEST_F(ModelOfOne, AResetOfTheKernelsCountersIsNoFall) {
    end(100, 7);
    end(100, 100);
    EXPECT_EQ(one().lowest, 100U);
    end(100, 50);
    EXPECT_EQ(one().lowest, 50U);
}

TEST_F(ModelOfOne, ResetForgetsTheHistory) {
    end(100, 100);
    end(20, 20);
    model.reset();
    EXPECT_EQ(one().history, History{});
    end(30, 20);
    EXPECT_EQ(one().history, (History{20}));
}

TEST_F(ModelOfOne, HistoryIsBounded) {
    for (std::size_t i = 0; i < history_length + 10; i++)
        end(100, 100);
    EXPECT_EQ(one().history.size(), history_length);
}

TEST_F(ModelOfOne, APoolThatWasMadeAgainIsAnother) {
    end(100, 100);
    model.end_interval(now + Seconds(2), {pool(2, "web", 50, 50)}, {});
    EXPECT_EQ(one().history, (History{50}));
}

TEST(Model, TheChosenPoolStaysChosen) {
    Model model;
    EXPECT_EQ(model.chosen(), nullptr);
    model.choose(1);
    const auto a = pool(1, "a", 1, 1);
    const auto b = pool(2, "b", 1, 1);
    const auto c = pool(3, "c", 1, 1);
    model.end_interval(Seconds(1), {a, b, c}, {});
    EXPECT_EQ(model.chosen()->name, "a");
    model.choose(-1);
    EXPECT_EQ(model.chosen()->name, "c");
    model.set_holders({srqpool::Conn{}});
    model.end_interval(Seconds(2), {b, c}, {});
    EXPECT_EQ(model.chosen()->name, "c");
    EXPECT_EQ(model.view().holders.size(), 1U);
    model.end_interval(Seconds(3), {a, b}, {});
    EXPECT_EQ(model.chosen()->name, "a");
    EXPECT_TRUE(model.view().holders.empty());
    model.end_interval(Seconds(4), {}, {});
    EXPECT_EQ(model.chosen(), nullptr);
}

TEST(Level, IsLowBelowTheMark) {
    EXPECT_EQ(level_of(32, 32), Level::good);
    EXPECT_EQ(level_of(31, 32), Level::low);
    EXPECT_EQ(level_of(0, 32), Level::empty);
    EXPECT_EQ(level_of(1, 0), Level::good);
}

} // namespace
} // namespace srqctl::top
