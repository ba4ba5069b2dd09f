// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include "report.h"

#include "format.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

using namespace srqload;

namespace {

Tally some_tally() {
    Tally tally;
    tally.connected = 9;
    tally.connects_failed = 1;
    tally.sent = 900;
    tally.received = 899;
    tally.lost = 1;
    tally.bytes = 57536;
    tally.latency_ns.record(2000, 899);
    tally.wc_errors[IBV_WC_RNR_RETRY_EXC_ERR] = 1;
    tally.troubles["rejected (consumer defined): full"] = 1;
    tally.traffic_begin_ns = 1'000'000'000;
    tally.traffic_end_ns = 3'000'000'000;
    return tally;
}

TEST(Report, JsonHasExactlyTheDocumentedKeysInOrder) {
    auto report = nlohmann::ordered_json::parse(json_report({}, some_tally()));
    std::vector<std::string> keys;
    for (const auto &item : report.items())
        keys.push_back(item.key());
    EXPECT_EQ(keys,
              (std::vector<std::string>{"connections", "failed", "sent", "received", "lost",
                                        "repeated", "reordered", "corrupt", "seconds", "msgs_per_s",
                                        "bytes_per_s", "latency_us", "wc_errors"}));
    keys.clear();
    for (const auto &item : report["latency_us"].items())
        keys.push_back(item.key());
    EXPECT_EQ(keys, (std::vector<std::string>{"p50", "p90", "p99", "p999", "max"}));
}

TEST(Report, JsonFigures) {
    auto report = nlohmann::json::parse(json_report({}, some_tally()));
    EXPECT_EQ(report["connections"], 9);
    EXPECT_EQ(report["failed"], 1);
    EXPECT_EQ(report["lost"], 1);
    EXPECT_DOUBLE_EQ(report["seconds"], 2.0);
    EXPECT_DOUBLE_EQ(report["msgs_per_s"], 449.5);
    EXPECT_DOUBLE_EQ(report["bytes_per_s"], 28768.0);
    EXPECT_DOUBLE_EQ(report["latency_us"]["p50"], 2.0);
    EXPECT_EQ(report["wc_errors"], (nlohmann::json{{"RNR_RETRY_EXC_ERR", 1}}));
}

TEST(Report, NothingDoneIsAllZero) {
    auto report = nlohmann::json::parse(json_report({}, {}));
    EXPECT_EQ(report["seconds"], 0);
    EXPECT_EQ(report["msgs_per_s"], 0);
    EXPECT_EQ(report["latency_us"]["max"], 0);
    EXPECT_TRUE(report["wc_errors"].is_object() && report["wc_errors"].empty());
}

TEST(Report, TextSaysWhatFailedAndWhy) {
    std::string text = text_report({}, some_tally());
    EXPECT_NE(text.find("1 failed"), std::string::npos);
    EXPECT_NE(text.find("1 x RNR_RETRY_EXC_ERR"), std::string::npos);
    EXPECT_NE(text.find("1 x rejected (consumer defined): full"), std::string::npos);
}

TEST(Tally, CleanOnlyIfNothingFailed) {
    EXPECT_TRUE(Tally{}.clean());
    for (auto field : {&Tally::connects_failed, &Tally::sends_failed, &Tally::lost,
                       &Tally::repeated, &Tally::reordered, &Tally::corrupt}) {
        Tally tally;
        tally.*field = 1;
        EXPECT_FALSE(tally.clean());
    }
}

TEST(Tally, MergeAddsUp) {
    Tally sum = some_tally();
    sum.merge(some_tally());
    EXPECT_EQ(sum.received, 1798U);
    EXPECT_EQ(sum.wc_errors[IBV_WC_RNR_RETRY_EXC_ERR], 2U);
    EXPECT_EQ(sum.traffic_begin_ns, 1'000'000'000U);
}

TEST(Format, Numbers) {
    EXPECT_EQ(grouped(0), "0");
    EXPECT_EQ(grouped(999), "999");
    EXPECT_EQ(grouped(1000), "1,000");
    EXPECT_EQ(grouped(1234567), "1,234,567");
    EXPECT_EQ(human_bytes(0), "0 B");
    EXPECT_EQ(human_bytes(1536), "1.5 KiB");
}

} // namespace
