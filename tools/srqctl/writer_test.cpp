// SPDX-License-Identifier: GPL-2.0
#include "writer.h"

#include <sstream>

#include <gtest/gtest.h>

namespace srqctl {
namespace {

Record sample(const std::string &name, std::uint64_t posted) {
    Record record;
    record.add("name", name)
        .add("state", std::string("active"), state_word)
        .add("posted", posted, out_of("target"))
        .add("target", std::uint64_t{128}, hidden)
        .add("pinned_bytes", std::uint64_t{4096}, in(Unit::bytes))
        .add("absent", std::optional<std::uint32_t>());
    return record;
}

std::string table(const std::vector<Record> &records, Style style) {
    std::ostringstream out;
    Writer(out, style).table(records);
    return out.str();
}

TEST(Writer, AlignsColumns) {
    EXPECT_EQ(table({sample("a", 7), sample("longer", 120)}, {}),
              "NAME    STATE   POSTED/TARGET  PINNED-BYTES  ABSENT\n"
              "a       active          7/128         4 KiB  -\n"
              "longer  active        120/128         4 KiB  -\n");
}

TEST(Writer, JsonHasEveryKeyAndPlainValues) {
    EXPECT_EQ(table({sample("a", 7)}, {.json = true}),
              R"([{"name":"a","state":"active","posted":7,"target":128,"pinned_bytes":4096,)"
              R"("absent":null}])"
              "\n");
}

TEST(Writer, NothingIsAnEmptyArrayOrNoText) {
    EXPECT_EQ(table({}, {}), "");
    EXPECT_EQ(table({}, {.json = true}), "[]\n");
}

TEST(Writer, PrettyIsTheSameJson) {
    const std::string pretty = table({sample("a", 7)}, {.json = true, .pretty = true});
    EXPECT_GT(std::count(pretty.begin(), pretty.end(), '\n'), 5);
    EXPECT_EQ(Json::parse(pretty), Json::parse(table({sample("a", 7)}, {.json = true})));
}

TEST(Writer, ColorChangesNoWidthAndNeverJson) {
    const std::string colored = table({sample("a", 7)}, {.color = true});
    EXPECT_NE(colored.find("\033[32mactive\033[0m  "), std::string::npos);
    EXPECT_EQ(table({sample("a", 7)}, {.json = true, .color = true}).find('\033'),
              std::string::npos);
}

TEST(Writer, DetailsHaveEveryFieldAndTablesOfTheChildren) {
    Record record = sample("a", 7);
    record.add("wait_us", std::uint64_t{640}, hidden_in(Unit::usec))
        .add_children("parts", "of", {sample("b", 1)});
    std::ostringstream out;
    Writer(out, {}).details(record);
    EXPECT_EQ(out.str(), "a\n"
                         "  state                 active\n"
                         "  posted                7/128\n"
                         "  target                128\n"
                         "  pinned bytes          4 KiB\n"
                         "  absent                -\n"
                         "  wait                  640 us\n"
                         "\n"
                         "OF  NAME  STATE   POSTED/TARGET  PINNED-BYTES  ABSENT\n"
                         "a   b     active          1/128         4 KiB  -\n");
}

TEST(Writer, DetailsInJsonAreAnArrayOfOne) {
    std::ostringstream out;
    Writer(out, {.json = true}).details(sample("a", 7));
    EXPECT_EQ(out.str(), table({sample("a", 7)}, {.json = true}));
}

TEST(Writer, DetailsPaintTheStateAlone) {
    std::ostringstream out;
    Writer(out, {.color = true}).details(sample("active", 7));
    EXPECT_NE(out.str().find("\033[32mactive\033[0m\n"), std::string::npos);
    EXPECT_EQ(out.str().find("\033[32m"), out.str().rfind("\033[32m"));
}

// A name of a state is painted only where a state stands.
TEST(Writer, PaintsOnlyStates) {
    const std::string colored = table({sample("error", 7)}, {.color = true});
    EXPECT_EQ(colored.find("\033[31m"), std::string::npos);
}

TEST(Writer, StrangeBytesDoNotEndTheOutput) {
    const std::string json = table({sample("\xff\xfe", 7)}, {.json = true});
    EXPECT_FALSE(Json::parse(json).empty());
}

TEST(Writer, ChildrenComeInATableOfTheirOwn) {
    Record owner;
    owner.add("name", std::string("web"));
    owner.add_children("classes", "pool", {sample("a", 7)});
    EXPECT_EQ(table({owner}, {}).substr(0, 36), "NAME\nweb\n\nPOOL  NAME  STATE   POSTED");
    EXPECT_EQ(Json::parse(table({owner}, {.json = true}))[0]["classes"][0]["posted"], 7);
}

TEST(Writer, ALineLeavesOutWhatIsAbsent) {
    Record event;
    event.add("event", std::string("low"))
        .add("shard", std::optional<std::uint32_t>(1), as("shard"))
        .add("conn", std::optional<std::uint64_t>(), as("conn"));
    std::ostringstream text;
    Writer(text, {}).line(event);
    EXPECT_EQ(text.str(), "low  shard 1\n");

    std::ostringstream json;
    Writer(json, {.json = true, .pretty = true}).line(event);
    EXPECT_EQ(json.str(), "{\"event\":\"low\",\"shard\":1,\"conn\":null}\n");
}

} // namespace
} // namespace srqctl
