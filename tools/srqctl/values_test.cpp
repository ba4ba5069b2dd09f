// SPDX-License-Identifier: GPL-2.0
#include "values.h"

#include <gtest/gtest.h>

namespace srqctl {
namespace {

TEST(Values, Bytes) {
    EXPECT_EQ(parse_bytes("1"), 1U);
    EXPECT_EQ(parse_bytes("4096"), 4096U);
    EXPECT_EQ(parse_bytes("4K"), 4096U);
    EXPECT_EQ(parse_bytes("64KiB"), 65536U);
    EXPECT_EQ(parse_bytes("512M"), 512U << 20);
    EXPECT_EQ(parse_bytes("1G"), 1U << 30);
    EXPECT_EQ(parse_bytes("18446744073709551615"), ~std::uint64_t{0});
    EXPECT_EQ(parse_bytes("17179869183G"), 17179869183ULL << 30);
}

TEST(Values, BadBytes) {
    for (const char *text : {"", "0", "0K", "K", "-1", "+1", " 1", "1 ", "1.5K", "0x10", "1KB",
                             "1k", "1T", "1KK", "abc", "17179869184G", "18446744073709551616"})
        EXPECT_FALSE(parse_bytes(text)) << text;
}

TEST(Values, Count) {
    EXPECT_EQ(parse_count("1"), 1U);
    EXPECT_EQ(parse_count("4294967295"), 4294967295U);
    for (const char *text : {"", "0", "-1", "+1", "1.0", "1K", "ten", "4294967296", "1 2"})
        EXPECT_FALSE(parse_count(text)) << text;
}

TEST(Values, Amount) {
    EXPECT_EQ(parse_amount("0"), 0U);
    EXPECT_EQ(parse_amount("4294967295"), 4294967295U);
    for (const char *text : {"", "-1", "+1", "1K", "none", "4294967296"})
        EXPECT_FALSE(parse_amount(text)) << text;
}

TEST(Values, Copybreak) {
    EXPECT_EQ(parse_copybreak("0"), 0U);
    EXPECT_EQ(parse_copybreak("256"), 256U);
    EXPECT_EQ(parse_copybreak("4K"), 4096U);
    for (const char *text : {"", "-1", "4k", "K", "4G", "none"})
        EXPECT_FALSE(parse_copybreak(text)) << text;
}

TEST(Values, Poll) {
    using srqpool::Poll;
    EXPECT_EQ(parse_poll("auto"), Poll{SRQPOOL_POLL_AUTO});
    EXPECT_EQ(parse_poll("event"), Poll{SRQPOOL_POLL_EVENT});
    EXPECT_EQ(parse_poll("busy"), Poll{SRQPOOL_POLL_BUSY});
    EXPECT_EQ(parse_poll("hybrid"), (Poll{SRQPOOL_POLL_HYBRID, 50}));
    EXPECT_EQ(parse_poll("hybrid:1"), (Poll{SRQPOOL_POLL_HYBRID, 1}));
    EXPECT_EQ(parse_poll("hybrid:10000"), (Poll{SRQPOOL_POLL_HYBRID, 10000}));
    for (const char *text :
         {"", ":", "Auto", "auto:5", "busy:50", "event:", "hybrid:", "hybrid:0", "hybrid:-1",
          "hybrid:10001", "hybrid:5us", "hybrid:5:6", "hybrid 5", "3", "hybrid:4294967297"})
        EXPECT_FALSE(parse_poll(text)) << text;
}

TEST(Values, Number) {
    EXPECT_EQ(parse_number("0"), 0U);
    EXPECT_EQ(parse_number("18446744073709551615"), ~std::uint64_t{0});
    for (const char *text : {"", "-1", "1a", "0x1", "18446744073709551616"})
        EXPECT_FALSE(parse_number(text)) << text;
}

TEST(Values, Port) {
    EXPECT_EQ(parse_port("1"), 1);
    EXPECT_EQ(parse_port("65535"), 65535);
    for (const char *text : {"", "0", "65536", "-1", "http"})
        EXPECT_FALSE(parse_port(text)) << text;
}

TEST(Values, Name) {
    for (const char *text :
         {"a", "web-1", "x=y", "4096", "show", "abcdefghijklmnopqrstuvwxyz01234"})
        EXPECT_TRUE(parse_name(text)) << text;
    for (const char *text : {"", "a b", "a/b", "a\tb", "a\n", "caf\xc3\xa9", "\x7f",
                             "abcdefghijklmnopqrstuvwxyz012345"})
        EXPECT_FALSE(parse_name(text)) << text;
}

TEST(Values, Mark) {
    EXPECT_EQ(to_string(*parse_mark("12%")), "12%");
    EXPECT_EQ(to_string(*parse_mark("0")), "0");
    EXPECT_EQ(to_string(*parse_mark("100%")), "100%");
    EXPECT_EQ(to_string(*parse_mark("4294967295")), "4294967295");
    EXPECT_EQ(to_string(*parse_mark("auto")), "auto");
    for (const char *text :
         {"", "%", "101%", "-1", "auto%", "Auto", "auto1", "1.5%", "12%%", "4294967296"})
        EXPECT_FALSE(parse_mark(text)) << text;
}

TEST(Values, Class) {
    const auto whole = parse_class("small=512:64-128@16");
    ASSERT_TRUE(whole);
    EXPECT_EQ(whole->name, "small");
    EXPECT_EQ(whole->size, 512U);
    EXPECT_EQ(whole->floor, 64U);
    EXPECT_EQ(whole->ceiling, 128U);
    EXPECT_EQ(to_string(*whole->mark), "16");
    EXPECT_EQ(parse_class("4096:8@auto")->mark, srqpool::Mark{SRQPOOL_MARK_AUTO});
}

TEST(Values, ClassDefaults) {
    const auto bare = parse_class("64K:8");
    ASSERT_TRUE(bare);
    EXPECT_EQ(bare->name, "65536");
    EXPECT_EQ(bare->size, 65536U);
    EXPECT_EQ(bare->floor, 8U);
    EXPECT_EQ(bare->ceiling, 8U);
    EXPECT_FALSE(bare->mark);
}

TEST(Values, ClassNameWithSeparators) {
    const auto spec = parse_class("a:b@c-d=512:8@50%");
    ASSERT_TRUE(spec);
    EXPECT_EQ(spec->name, "a:b@c-d");
    EXPECT_EQ(spec->size, 512U);
}

TEST(Values, BadClass) {
    for (const char *text : {"",
                             "4096",
                             "4096:",
                             ":128",
                             "0:128",
                             "-1:128",
                             "4096:0",
                             "4096:-5",
                             "4096:128-",
                             "4096:128-64",
                             "4096:128-0",
                             "4096:128-256-512",
                             "4096:128@",
                             "4096:128@x",
                             "4096:128@129",
                             "4096:128-256@257",
                             "4096:128@101%",
                             "4096:128@auto%",
                             "4096:128-auto",
                             "4096:128@-1",
                             "=4096:128",
                             "a b=4096:128",
                             "a/b=4096:128",
                             "a=",
                             "8G:1",
                             "4096:4294967296",
                             "4096:128 ",
                             "4096:128@12%x",
                             "4096;128"})
        EXPECT_FALSE(parse_class(text)) << text;
}

TEST(Values, AMarkAtTheCeilingIsFine) {
    EXPECT_TRUE(parse_class("4096:128-256@256"));
    EXPECT_TRUE(parse_class("4096:128-256@0"));
}

TEST(Values, Shards) {
    EXPECT_EQ(parse_shards("auto"), 0U);
    EXPECT_EQ(parse_shards("4"), 4U);
    for (const char *text : {"", "0", "-1", "Auto", "4x"})
        EXPECT_FALSE(parse_shards(text)) << text;
}

TEST(Values, Words) {
    EXPECT_EQ(parse_transport("rc"), SRQPOOL_TRANSPORT_RC);
    EXPECT_EQ(parse_mode("echo"), SRQPOOL_MODE_ECHO);
    EXPECT_EQ(parse_mode("deliver"), SRQPOOL_MODE_DELIVER);
    EXPECT_EQ(parse_refill("immediate"), SRQPOOL_REFILL_IMMEDIATE);
    EXPECT_EQ(parse_quota_policy("disconnect"), SRQPOOL_QUOTA_DISCONNECT);
    EXPECT_FALSE(parse_refill("auto"));
    EXPECT_FALSE(parse_quota_policy("kill"));
    EXPECT_FALSE(parse_transport("ud"));
    EXPECT_FALSE(parse_mode("relay"));
    EXPECT_FALSE(parse_mode(""));
}

TEST(Values, SecondsOfATime) {
    EXPECT_EQ(parse_seconds("1")->count(), 1.0);
    EXPECT_EQ(parse_seconds("0.25")->count(), 0.25);
    for (const char *text : {"", "0", "-1", "1e3", "nan", "inf", "1s", "86401"})
        EXPECT_FALSE(parse_seconds(text)) << text;
}

TEST(Values, Device) {
    EXPECT_TRUE(parse_dev_name("mlx5_0"));
    EXPECT_FALSE(parse_dev_name(""));
    EXPECT_FALSE(parse_dev_name("a/b"));
    EXPECT_FALSE(parse_dev_name(std::string(64, 'x')));
}

} // namespace
} // namespace srqctl
