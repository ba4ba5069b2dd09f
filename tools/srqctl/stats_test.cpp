// SPDX-License-Identifier: GPL-2.0
#include "stats.h"

#include <gtest/gtest.h>

#include "conn.h"

namespace srqctl {
namespace {

TEST(Rates, AreTheRiseOverTheTime) {
    srqpool::Stats before;
    before.rx_msgs = 100;
    before.tx_msgs = 50;
    srqpool::Stats now;
    now.rx_msgs = 300;
    now.tx_msgs = 10; // reset in between

    const Json json = describe_rates(before, now, Seconds(2)).json();
    EXPECT_EQ(json["rx_msgs_per_s"], 100.0);
    EXPECT_EQ(json["tx_msgs_per_s"], 0.0);
    EXPECT_EQ(json["rx_msgs"], 300);
    EXPECT_TRUE(json["rnr_naks_per_s"].is_null());
}

srqpool::Conn holder(std::uint64_t id, std::uint32_t held, std::uint64_t copied = 0) {
    srqpool::Conn conn;
    conn.id = id;
    conn.held = held;
    conn.copied = copied;
    return conn;
}

std::vector<std::uint64_t> ids(const std::vector<srqpool::Conn> &conns) {
    std::vector<std::uint64_t> result;
    for (const srqpool::Conn &conn : conns)
        result.push_back(conn.id);
    return result;
}

TEST(Conn, TheGreatestHoldersComeFirst) {
    const std::vector<srqpool::Conn> conns = {holder(1, 5), holder(2, 9), holder(3, 5),
                                              holder(4, 0)};
    EXPECT_EQ(ids(greatest_holders(conns, 3)), (std::vector<std::uint64_t>{2, 1, 3}));
    EXPECT_EQ(ids(greatest_holders(conns, 10)).size(), 4U);
}

TEST(Conn, CopiesDecideBetweenEqualHolders) {
    const std::vector<srqpool::Conn> conns = {holder(1, 5, 1), holder(2, 0, 99), holder(3, 5, 7),
                                              holder(4, 9)};
    EXPECT_EQ(ids(greatest_holders(conns, 10)), (std::vector<std::uint64_t>{4, 3, 1, 2}));
}

} // namespace
} // namespace srqctl
