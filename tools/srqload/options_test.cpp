// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include "options.h"

#include <gtest/gtest.h>
#include <sstream>

using namespace srqload;

namespace {

tl::expected<Options, EarlyExit> parse(const std::string &line) {
    std::istringstream words(line);
    return parse_options({std::istream_iterator<std::string>(words), {}});
}

class Refused : public testing::TestWithParam<const char *> {};

TEST_P(Refused, ExitsTwoWithAReason) {
    auto options = parse(GetParam());
    ASSERT_FALSE(options.has_value());
    EXPECT_EQ(options.error().status, 2);
    EXPECT_NE(options.error().text.find("try: srqload --help"), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Positionals, Refused,
                         testing::Values("", "10.7.0.1", "10.7.0.1 0", "10.7.0.1 65536",
                                         "10.7.0.1 -1", "10.7.0.1 x", "10.7.0.1 7000x",
                                         "10.7.0.1 7000 8000", "10.7.0.999 7000", "10.7.0 7000",
                                         "fe80::zz 7000", "1.2.3.4.5 7000",
                                         "10.7.0.1 99999999999999999999999"));

INSTANTIATE_TEST_SUITE_P(
    Numbers, Refused,
    testing::Values("10.7.0.1 7000 --connections 0", "10.7.0.1 7000 --connections -1",
                    "10.7.0.1 7000 --connections=-1", "10.7.0.1 7000 --connections 1e3",
                    "10.7.0.1 7000 --connections +5", "10.7.0.1 7000 --connections 4294967297",
                    "10.7.0.1 7000 --connections", "10.7.0.1 7000 --connecting 0",
                    "10.7.0.1 7000 --messages 0", "10.7.0.1 7000 --messages 18446744073709551616",
                    "10.7.0.1 7000 --rate 0", "10.7.0.1 7000 --rate fast",
                    "10.7.0.1 7000 --burst 0", "10.7.0.1 7000 --burst 99999999999",
                    "10.7.0.1 7000 --threads 0", "10.7.0.1 7000 --threads 2000",
                    "10.7.0.1 7000 --signal-every 0", "10.7.0.1 7000 --rnr-retry 8",
                    "10.7.0.1 7000 --rnr-retry -1", "10.7.0.1 7000 --hold -1",
                    "10.7.0.1 7000 --hold 1.5", "10.7.0.1 7000 --seed x",
                    "10.7.0.1 7000 --seed 18446744073709551616"));

INSTANTIATE_TEST_SUITE_P(
    Sizes, Refused,
    testing::Values("10.7.0.1 7000 --size 0", "10.7.0.1 7000 --size -5",
                    "10.7.0.1 7000 --size 4096-64", "10.7.0.1 7000 --size 64-",
                    "10.7.0.1 7000 --size -", "10.7.0.1 7000 --size ,",
                    "10.7.0.1 7000 --size 64,,128", "10.7.0.1 7000 --size 64,",
                    "10.7.0.1 7000 --size 64-128-256", "10.7.0.1 7000 --size 0-64",
                    "10.7.0.1 7000 --size 2G", "10.7.0.1 7000 --size 64X", "10.7.0.1 7000 --size K",
                    "10.7.0.1 7000 --size 99999999999G", "10.7.0.1 7000 --size 23 --verify",
                    "10.7.0.1 7000 --size 8-64 --verify", "10.7.0.1 7000 --size 64,23 --verify",
                    "10.7.0.1 7000 --verify --one-way"));

INSTANTIATE_TEST_SUITE_P(Words, Refused,
                         testing::Values("10.7.0.1 7000 --poll sleepy", "10.7.0.1 7000 --poll",
                                         "10.7.0.1 7000 --bogus", "10.7.0.1 7000 --transport rc",
                                         "10.7.0.1 7000 --rendezvous",
                                         "10.7.0.1 7000 --burst 1 --burst 2", "10.7.0.1 7000 -x"));

TEST(Options, DefaultsAreTheDocumentedOnes) {
    auto options = parse("10.7.0.1 7000");
    ASSERT_TRUE(options.has_value());
    EXPECT_EQ(options->address, "10.7.0.1");
    EXPECT_EQ(options->port, 7000);
    EXPECT_EQ(options->connections, 1U);
    EXPECT_EQ(options->connecting, 128U);
    EXPECT_EQ(options->messages, 100U);
    EXPECT_EQ(options->sizes.lo, 64U);
    EXPECT_EQ(options->sizes.hi, 64U);
    EXPECT_EQ(options->burst, 1U);
    EXPECT_EQ(options->threads, 1U);
    EXPECT_EQ(options->poll, PollMode::event);
    EXPECT_EQ(options->rnr_retry, 7);
    EXPECT_FALSE(options->one_way || options->verify || options->json);
}

TEST(Options, EveryOptionArrives) {
    auto options =
        parse("--connections 10000 --connecting 64 --messages 50 --size 24-4K --rate 500 "
              "--burst 8 --verify --threads 2 --poll hybrid --signal-every 4 "
              "--rnr-retry 0 --hold 3 --seed 42 -j fe80::1%rxe0 65535");
    ASSERT_TRUE(options.has_value()) << options.error().text;
    EXPECT_EQ(options->address, "fe80::1%rxe0");
    EXPECT_EQ(options->port, 65535);
    EXPECT_EQ(options->connections, 10000U);
    EXPECT_EQ(options->connecting, 64U);
    EXPECT_EQ(options->messages, 50U);
    EXPECT_EQ(options->sizes.lo, 24U);
    EXPECT_EQ(options->sizes.hi, 4096U);
    EXPECT_EQ(options->rate, 500U);
    EXPECT_EQ(options->burst, 8U);
    EXPECT_TRUE(options->verify);
    EXPECT_EQ(options->threads, 2U);
    EXPECT_EQ(options->poll, PollMode::hybrid);
    EXPECT_EQ(options->signal_every, 4U);
    EXPECT_EQ(options->rnr_retry, 0);
    EXPECT_EQ(options->hold_seconds, 3U);
    EXPECT_EQ(options->seed, 42U);
    EXPECT_TRUE(options->json);
}

TEST(Options, HelpAndVersionExitZero) {
    for (const char *line : {"-h", "--help", "10.7.0.1 7000 --help", "-V", "--version"}) {
        auto options = parse(line);
        ASSERT_FALSE(options.has_value()) << line;
        EXPECT_EQ(options.error().status, 0) << line;
    }
    EXPECT_NE(parse("-h").error().text.find("Examples:"), std::string::npos);
    EXPECT_EQ(parse("-V").error().text.rfind("srqload ", 0), 0U);
}

} // namespace
