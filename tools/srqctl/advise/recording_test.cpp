// SPDX-License-Identifier: GPL-2.0
#include "recording.h"

#include <gtest/gtest.h>

namespace srqctl::advice {
namespace {

Json zeros() { return std::vector<std::uint64_t>(SRQPOOL_HIST_BUCKETS); }

Json some_hist() { return {{"count", 0}, {"sum", 0}, {"buckets", zeros()}}; }

// What somebody may put together by hand.
Json small_file() {
    const Json one = {{"name", "4096"},     {"size", 4096},     {"floor", 128},
                      {"ceiling", 4096},    {"target", 128},    {"mark", 15},
                      {"mark_spec", "12%"}, {"low_water", 100}, {"max_in_use", 7}};
    const Json pool = {{"name", "web"},
                       {"dev", "rxe0"},
                       {"shards", 2},
                       {"budget", 1 << 28},
                       {"pinned", 1 << 20},
                       {"conns", 3},
                       {"classes", Json::array({one})}};
    const Json stats = {{"name", "web"},
                        {"rx_msgs", 0},
                        {"limit_events", 0},
                        {"watchdog_refills", 0},
                        {"starved_events", 0},
                        {"oversize", 0},
                        {"hist", {{"msg_bytes", some_hist()}, {"batch", some_hist()}}}};
    return {{"pools", Json::array({pool})}, {"stats", Json::array({stats})}};
}

std::string error_of(const Json &file) {
    const auto seen = read_recording(file.dump());
    return seen ? "" : seen.error();
}

TEST(Recording, NeedsPoolsAndStatistics) {
    const auto seen = read_recording(small_file().dump());
    ASSERT_TRUE(seen) << seen.error();
    ASSERT_EQ(seen->size(), 1U);
    EXPECT_EQ(seen->front().pool.classes.at(0).ceiling, 4096U);
    EXPECT_FALSE(seen->front().listeners);
    EXPECT_FALSE(seen->front().conns);

    EXPECT_EQ(error_of({{"pools", Json::array()}}), "stats: is missing");
    EXPECT_EQ(error_of({{"stats", Json::array()}}), "pools: is missing");
    EXPECT_EQ(error_of(Json::array()), "is not a JSON object of pools and stats");
    EXPECT_EQ(read_recording("{").error(), "is not JSON");
    EXPECT_EQ(read_recording("").error(), "is not JSON");
}

TEST(Recording, NamesWhatIsWrong) {
    const auto with = [](const char *pointer, const Json &value) {
        Json file = small_file();
        file[Json::json_pointer(pointer)] = value;
        return error_of(file);
    };
    EXPECT_EQ(with("/pools", 1), "pools: is not an array");
    EXPECT_EQ(with("/pools/0", 1), "pools[0]: is not an object");
    EXPECT_EQ(with("/pools/0/shards", 0), "pools[0].shards: 0 is not from 1 to 256");
    EXPECT_EQ(with("/pools/0/budget", -1),
              "pools[0].budget: is not a number from 0 to 18446744073709551615");
    EXPECT_EQ(with("/pools/0/budget", 1.5),
              "pools[0].budget: is not a number from 0 to 18446744073709551615");
    EXPECT_EQ(with("/pools/0/budget", nullptr), "pools[0].budget: is missing");
    EXPECT_EQ(with("/pools/0/name", "a b"),
              "pools[0].name: 'a b': a name is printable ASCII without '/' or blank");
    EXPECT_EQ(with("/pools/0/classes", Json::array()), "pools[0].classes: has not 1 to 8 classes");
    EXPECT_EQ(with("/pools/0/classes/0/size", 63),
              "pools[0].classes[0].size: 63 is not from 64 to 4194304");
    EXPECT_EQ(with("/pools/0/classes/0/floor", 5000),
              "pools[0].classes[0].floor: is above the ceiling");
    EXPECT_EQ(with("/pools/0/classes/0/mark_spec", "much"),
              "pools[0].classes[0].mark_spec: 'much' is not a count, a percentage or auto");
    EXPECT_EQ(with("/stats/0/name", "log"), "stats: has none of pool web");
    EXPECT_EQ(with("/stats/0/hist/batch/buckets", Json::array({1})),
              "stats[0].hist.batch.buckets: is not an array of 64 numbers");
    EXPECT_EQ(with("/stats/0/hist/batch/buckets/3", "x"),
              "stats[0].hist.batch.buckets[3]: is not a number from 0 to 18446744073709551615");
    EXPECT_EQ(with("/queues", Json::array()),
              "queues: is not known; there are: pools, stats, listeners, conns, devs");
}

TEST(Recording, IsReadAsItWasWritten) {
    const auto seen = read_recording(small_file().dump());
    ASSERT_TRUE(seen);
    const Json written = recording_of(*seen);
    const auto again = read_recording(written.dump());
    ASSERT_TRUE(again) << again.error();
    EXPECT_EQ(recording_of(*again), written);
}

} // namespace
} // namespace srqctl::advice
