// SPDX-License-Identifier: GPL-2.0
#include "config_read.h"

#include <gtest/gtest.h>

#include "fields.h"

namespace srqctl {
namespace {

constexpr const char *full = R"({
    "version": 1,
    "pools": [{
        "name": "web", "dev": "rxe0", "shards": 2, "poll": "hybrid:9", "budget": 1048576,
        "rnr_timer_us": 640, "refill": "immediate", "dedicated": 7, "quota": 3,
        "quota_policy": "disconnect", "reserve": 4, "copybreak": 5, "aging": 6, "keepalive": 8,
        "classes": [
            {"name": "small", "size": 512, "floor": 8, "ceiling": 16, "mark_spec": "12%"},
            {"name": "big", "size": 65536, "floor": 8, "ceiling": 8, "mark_spec": "auto"}
        ],
        "listeners": [
            {"class": "big", "addr": "10.7.0.1", "port": 7471, "transport": "rc",
             "mode": "echo", "max_conns": 10}
        ]
    }]
})";

std::string error_of(const std::string &text) {
    const auto config = read_config(text);
    return config ? "read" : config.error();
}

// A pool with one more member.
std::string pool_with(const std::string &more) {
    return R"({"version":1,"pools":[{"name":"web","dev":"rxe0",)" + more + "}]}";
}

constexpr const char *one_class = R"("classes":[{"name":"a","size":64,"floor":8,"ceiling":8}])";

std::string knob(const std::string &text) { return pool_with(one_class + (',' + text)); }

std::string with_class(const std::string &text) { return pool_with(R"("classes":[)" + text + "]"); }

TEST(ConfigRead, EveryKeyFillsItsOwnMember) {
    const auto config = read_config(full);
    ASSERT_TRUE(config) << config.error();
    ASSERT_EQ(config->pools.size(), 1U);

    srqpool::PoolSpec spec;
    spec.name = "web";
    spec.dev = "rxe0";
    spec.shards = 2;
    spec.poll = srqpool::Poll{SRQPOOL_POLL_HYBRID, 9};
    spec.budget = 1 << 20;
    spec.rnr_timer_us = 640;
    spec.refill = SRQPOOL_REFILL_IMMEDIATE;
    spec.dedicated = 7;
    spec.quota = 3;
    spec.quota_policy = SRQPOOL_QUOTA_DISCONNECT;
    spec.reserve = 4;
    spec.copybreak = 5;
    spec.aging = 6;
    spec.keepalive = 8;
    spec.classes.push_back({"small", 512, 8, 16, srqpool::Mark{SRQPOOL_MARK_PERCENT, 12}});
    spec.classes.push_back({"big", 65536, 8, 8, srqpool::Mark{SRQPOOL_MARK_AUTO}});
    EXPECT_EQ(config->pools[0].spec, spec);

    ASSERT_TRUE(config->pools[0].listeners);
    const srqpool::ListenerSpec &listener = config->pools[0].listeners->at(0);
    EXPECT_EQ(listener.pool, "web");
    EXPECT_EQ(listener.class_name, "big");
    EXPECT_EQ(with_port(listener.addr, listener.port), "10.7.0.1:7471");
    EXPECT_EQ(listener.transport, std::uint32_t{SRQPOOL_TRANSPORT_RC});
    EXPECT_EQ(listener.mode, std::uint32_t{SRQPOOL_MODE_ECHO});
    EXPECT_EQ(listener.max_conns, 10U);
}

TEST(ConfigRead, WhatIsReadIsWrittenTheSame) {
    const auto config = read_config(full);
    ASSERT_TRUE(config) << config.error();
    EXPECT_EQ(to_json(*config), Json::parse(full));
}

TEST(ConfigRead, WhatIsNotSaidStaysUnsaid) {
    const auto config = read_config(pool_with(one_class));
    ASSERT_TRUE(config) << config.error();
    EXPECT_FALSE(config->pools[0].listeners);
    EXPECT_FALSE(config->pools[0].spec.quota);
    EXPECT_FALSE(config->pools[0].spec.classes[0].mark);
}

TEST(ConfigRead, TextsOfTheCommandLineWhereItHasThem) {
    const auto config = read_config(
        knob(R"("shards":"auto","budget":"1G","copybreak":"1K","quota":"auto","reserve":"auto")"));
    ASSERT_TRUE(config) << config.error();
    const srqpool::PoolSpec &spec = config->pools[0].spec;
    EXPECT_EQ(spec.shards, 0U);
    EXPECT_EQ(spec.budget, std::uint64_t{1} << 30);
    EXPECT_EQ(spec.copybreak, 1024U);
    EXPECT_EQ(spec.quota, automatic_quota);
    EXPECT_EQ(spec.reserve, automatic_reserve);
}

TEST(ConfigRead, UnknownKeysAreNamedWithTheirPath) {
    EXPECT_EQ(error_of(R"({"version":1,"pools":[],"pool":1})"),
              "pool: unknown key; there are: version, pools");
    EXPECT_EQ(error_of(knob(R"("colour":"red")")).substr(0, 29), "pools[0].colour: unknown key;");
    EXPECT_EQ(error_of(with_class(R"({"name":"a","size":64,"floor":8,"ceiling":8},
                                     {"name":"b","mark":12})")),
              "pools[0].classes[1].mark: unknown key; there are: name, size, floor, ceiling, "
              "mark_spec");
    EXPECT_EQ(error_of(knob(R"("listeners":[{"id":3}])")),
              "pools[0].listeners[0].id: unknown key; there are: class, addr, port, transport, "
              "mode, max_conns");
}

TEST(ConfigRead, MissingKeysAreNamed) {
    EXPECT_EQ(error_of("{}"), "version: is missing");
    EXPECT_EQ(error_of(R"({"version":1})"), "pools: is missing");
    EXPECT_EQ(error_of(R"({"version":1,"pools":[{}]})"), "pools[0].name: is missing");
    EXPECT_EQ(error_of(R"({"version":1,"pools":[{"name":"web"}]})"), "pools[0].dev: is missing");
    EXPECT_EQ(error_of(pool_with(R"("quota":3)")), "pools[0].classes: is missing");
    EXPECT_EQ(error_of(with_class(R"({"name":"a","size":64,"floor":8})")),
              "pools[0].classes[0].ceiling: is missing");
    EXPECT_EQ(error_of(knob(R"("listeners":[{"port":1}])")),
              "pools[0].listeners[0].addr: is missing");
}

TEST(ConfigRead, TypesAreStrict) {
    EXPECT_EQ(error_of("[]"), "a configuration is an object");
    EXPECT_EQ(error_of(R"({"version":1e999})"), "number overflow parsing '1e999'");
    EXPECT_EQ(error_of(R"({"version":1,"pools":{}})"), "pools: must be an array");
    EXPECT_EQ(error_of(R"({"version":1,"pools":[1]})"), "pools[0]: must be an object");
    EXPECT_EQ(error_of(with_class("[]")), "pools[0].classes[0]: must be an object");
    EXPECT_EQ(error_of(knob(R"("listeners":null)")), "pools[0].listeners: must be an array");
    for (const char *value : {"\"3\"", "-3", "3.0", "true", "null", "[3]", "{}", "1e3"})
        EXPECT_EQ(error_of(knob(std::string(R"("aging":)") + value)),
                  "pools[0].aging: must be a whole number from 0")
            << value;
    for (const char *value : {"3", "null", "[\"busy\"]", "false"})
        EXPECT_EQ(error_of(knob(std::string(R"("poll":)") + value)),
                  "pools[0].poll: must be a text")
            << value;
    EXPECT_EQ(error_of(knob(R"("quota":-1)")),
              "pools[0].quota: must be a whole number from 0, or a text");
}

TEST(ConfigRead, RangesAreThoseOfTheCommandLine) {
    EXPECT_EQ(error_of(knob(R"("quota":0)")), "pools[0].quota: must be at least 1");
    EXPECT_EQ(error_of(knob(R"("shards":0)")), "pools[0].shards: must be at least 1");
    EXPECT_EQ(error_of(knob(R"("budget":0)")), "pools[0].budget: must be at least 1 byte");
    EXPECT_EQ(error_of(knob(R"("budget":18446744073709551616)")),
              "pools[0].budget: must be a whole number from 0, or a text");
    EXPECT_EQ(error_of(knob(R"("aging":4294967296)")), "pools[0].aging: '4294967296' is too large");
    EXPECT_EQ(error_of(knob(R"("poll":"hybrid:10001")")),
              "pools[0].poll: USEC: '10001' is more than 10000");
    EXPECT_EQ(error_of(knob(R"("refill":"never")")),
              "pools[0].refill: 'never' is not a way to refill; there are: watermark, immediate");
    EXPECT_EQ(error_of(with_class(R"({"name":"a","size":64,"floor":9,"ceiling":8})")),
              "pools[0].classes[0]: the floor 9 is above the ceiling 8");
    EXPECT_EQ(
        error_of(with_class(R"({"name":"a","size":64,"floor":8,"ceiling":8,"mark_spec":"9"})")),
        "pools[0].classes[0].mark_spec: the mark 9 is above the ceiling 8");
    EXPECT_EQ(error_of(knob(R"("listeners":[{"addr":"web","port":1}])")),
              "pools[0].listeners[0].addr: 'web' is not an IPv4 or IPv6 address");
    EXPECT_EQ(error_of(knob(R"("listeners":[{"addr":"10.7.0.1","port":65536}])")),
              "pools[0].listeners[0].port: '65536' is not a port from 1 to 65535");
}

TEST(ConfigRead, NothingIsThereTwice) {
    const std::string a = R"({"name":"a","size":64,"floor":8,"ceiling":8})";
    EXPECT_EQ(error_of(with_class(a + "," + a)), "pools[0].classes[1].name: a is there twice");

    const std::string pool = R"({"name":"web","dev":"rxe0",)" + std::string(one_class) + "}";
    EXPECT_EQ(error_of(R"({"version":1,"pools":[)" + pool + "," + pool + "]}"),
              "pools[1].name: web is there twice");

    const std::string listener = R"({"addr":"10.7.0.1","port":1})";
    EXPECT_EQ(error_of(knob(R"("listeners":[)" + listener + "," + listener + "]")),
              "pools[0].listeners[1]: 10.7.0.1:1 is there twice");
    EXPECT_EQ(error_of(knob(R"("quota":1,"quota":2)")),
              "the key quota is there twice in one object");
}

TEST(ConfigRead, WhatDoesNotBelongTogether) {
    EXPECT_EQ(error_of(R"({"version":2,"pools":[],"new":1})"), "version: 2 is not known, only 1");
    EXPECT_EQ(error_of(R"({"version":"1","pools":[]})"), "version: \"1\" is not known, only 1");
    EXPECT_EQ(error_of(with_class("")), "pools[0].classes: a pool has at least one class");
    EXPECT_EQ(error_of(knob(R"("listeners":[{"addr":"10.7.0.1","port":1,"class":"b"}])")),
              "pools[0].listeners[0].class: the pool has no class b");
}

TEST(ConfigRead, SyntaxErrorsSayWhere) {
    EXPECT_EQ(error_of("").substr(0, 16), "line 1, column 1");
    EXPECT_EQ(error_of("{\n\"version\": 1,\n}").substr(0, 16), "line 3, column 1");
    EXPECT_EQ(error_of("\xff").substr(0, 16), "line 1, column 1");
    EXPECT_NE(error_of(std::string(1, '\0')), "read");
    EXPECT_NE(error_of(std::string(100000, '[')), "read");
}

srqpool::Pool pool_of(std::vector<srqpool::Class> classes) {
    srqpool::Pool pool;
    pool.name = "web";
    pool.quota = 512;
    pool.reserve = 16;
    pool.classes = std::move(classes);
    return pool;
}

srqpool::Class class_of(const std::string &name, std::uint32_t floor, std::uint32_t ceiling) {
    srqpool::Class one;
    one.name = name;
    one.floor = floor;
    one.ceiling = ceiling;
    return one;
}

Json saved(const srqpool::Pool &pool) { return to_json(config_of({pool}, {})).at("pools").at(0); }

// The kernel tells the numbers of the first class: those of the others may not be the same.
TEST(ConfigSave, OneNumberUnlessEachClassHasItsOwn) {
    const Json one = saved(pool_of({class_of("a", 128, 4096)}));
    EXPECT_EQ(one.at("quota"), 512);
    EXPECT_EQ(one.at("reserve"), 16);

    const Json same = saved(pool_of({class_of("a", 128, 4096), class_of("b", 128, 4096)}));
    EXPECT_EQ(same.at("quota"), 512);

    const Json two = saved(pool_of({class_of("a", 128, 4096), class_of("b", 8, 8)}));
    EXPECT_EQ(two.at("quota"), "auto");
    EXPECT_EQ(two.at("reserve"), "auto");

    srqpool::Pool pool = pool_of({class_of("a", 128, 4096), class_of("b", 8, 8)});
    pool.quota = 511;
    pool.reserve = 3;
    EXPECT_EQ(saved(pool).at("quota"), 511);
    EXPECT_EQ(saved(pool).at("reserve"), 3);
}

TEST(ConfigSave, WhatAnOlderModuleDoesNotTellIsLeftOut) {
    EXPECT_FALSE(saved(pool_of({})).contains("keepalive"));
}

TEST(ConfigSave, APoolThatIsBeingDeletedIsGone) {
    srqpool::Pool pool;
    pool.state = SRQPOOL_POOL_DELETING;
    EXPECT_TRUE(to_json(config_of({pool}, {})).at("pools").empty());
}

} // namespace
} // namespace srqctl
