// SPDX-License-Identifier: GPL-2.0
#include "batch.h"

#include <gtest/gtest.h>

namespace srqctl {
namespace {

using Words = std::vector<std::string>;

Words words(std::string_view line) {
    const auto result = split_words(line);
    EXPECT_TRUE(result) << line;
    return result.value_or(Words{"failed"});
}

std::string error_of(std::string_view line) {
    const auto result = split_words(line);
    return result ? "split" : result.error();
}

TEST(Batch, WordsAreApartAtBlanks) {
    EXPECT_EQ(words("pool show web"), (Words{"pool", "show", "web"}));
    EXPECT_EQ(words(" \tpool   show\t\r"), (Words{"pool", "show"}));
    EXPECT_EQ(words(""), Words{});
    EXPECT_EQ(words("  \t"), Words{});
}

TEST(Batch, QuotesKeepBlanks) {
    EXPECT_EQ(words("a 'b c' d"), (Words{"a", "b c", "d"}));
    EXPECT_EQ(words(R"(a "b c" d)"), (Words{"a", "b c", "d"}));
    EXPECT_EQ(words(R"(a'b "c"'d)"), (Words{R"(ab "c"d)"}));
    EXPECT_EQ(words("'' \"\""), (Words{"", ""}));
}

TEST(Batch, Backslashes) {
    EXPECT_EQ(words(R"(a\ b \'c\" \\)"), (Words{"a b", "'c\"", "\\"}));
    EXPECT_EQ(words(R"("a\"b\\c\d")"), (Words{R"(a"b\c\d)"}));
    EXPECT_EQ(words(R"('a\b')"), (Words{R"(a\b)"}));
}

TEST(Batch, CommentsBeginWithAWord) {
    EXPECT_EQ(words("# pool show"), Words{});
    EXPECT_EQ(words("pool show # all"), (Words{"pool", "show"}));
    EXPECT_EQ(words("pool show a#b '#c' \\#d"), (Words{"pool", "show", "a#b", "#c", "#d"}));
}

TEST(Batch, WhatIsNotClosed) {
    EXPECT_EQ(error_of("pool 'show"), "a ' is not closed");
    EXPECT_EQ(error_of("pool \"show"), "a \" is not closed");
    EXPECT_EQ(error_of(R"(pool "show\")"), "a \" is not closed");
    EXPECT_EQ(error_of("pool \\"), "nothing follows the backslash");
}

} // namespace
} // namespace srqctl
