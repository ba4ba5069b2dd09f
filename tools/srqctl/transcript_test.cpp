// SPDX-License-Identifier: GPL-2.0
//
// Runs transcripts/*.txt. A file has lines that begin with
//   #  a comment            @  the kernel from here on (scenario.h)
//   $  a command            !  a line that it prints on stderr
//   ?  its exit code, unless it is 0
// and every other line the command prints on stdout. UPDATE_TRANSCRIPTS=1 writes what came out
// into the files instead: read the difference.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "app.h"
#include "scenario.h"

namespace srqctl {
namespace {

using Path = std::filesystem::path;

std::vector<Path> transcripts() {
    std::vector<Path> paths;
    for (const auto &entry : std::filesystem::directory_iterator(TRANSCRIPTS))
        if (entry.path().extension() == ".txt")
            paths.push_back(entry.path());
    std::sort(paths.begin(), paths.end());
    return paths;
}

// At blanks, except between single quotes.
std::vector<std::string> split(const std::string &line) {
    std::vector<std::string> words;
    bool quoted = false;
    bool open = false;
    for (const char c : line) {
        if (c == '\'')
            quoted = !quoted;
        if (c == ' ' && !quoted) {
            open = false;
            continue;
        }
        if (!open)
            words.emplace_back();
        open = true;
        if (c != '\'')
            words.back() += c;
    }
    return words;
}

std::string prefixed(const std::string &text, const std::string &prefix) {
    std::istringstream lines(text);
    std::string result;
    for (std::string line; std::getline(lines, line);)
        result += line.empty() ? prefix.substr(0, prefix.find(' ')) + "\n" : prefix + line + "\n";
    return result;
}

// What the tool does with a command, as a transcript has it.
std::string perform(const std::string &command, const std::string &scenario) {
    srqpool::fake::FakeKernel kernel;
    EXPECT_TRUE(set_up(kernel, scenario)) << "unknown scenario: " << scenario;

    std::ostringstream out;
    std::ostringstream err;
    Seconds clock{0};
    const Environment environment{
        .out = out,
        .err = err,
        .terminal = false,
        .no_color = false,
        .open_transport = [&] { return kernel.open(); },
        .now = [&] { return clock; },
        .sleep = [&](Seconds duration) { clock += duration; },
        .wall_clock_ns = [] { return std::uint64_t{1764504000000000000}; },
    };
    std::vector<std::string> words = split(command);
    words.erase(words.begin());
    const int code = run_app(words, environment);

    std::string result = out.str() + prefixed(err.str(), "! ");
    if (code != 0)
        result += "? " + std::to_string(code) + "\n";
    return result;
}

// Output can have empty lines, so that only the prefixes tell where a command begins.
std::string replay(std::istream &file) {
    std::string scenario = "standard";
    std::string result;
    bool after_output = false;
    for (std::string line; std::getline(file, line);) {
        if (!line.starts_with("# ") && !line.starts_with("@ ") && !line.starts_with("$ "))
            continue;
        result += (after_output ? "\n" : "") + line + "\n";
        after_output = line.starts_with("$ ");
        if (line.starts_with("@ "))
            scenario = line.substr(2);
        if (after_output)
            result += perform(line.substr(2), scenario);
    }
    return result;
}

std::string contents(const Path &path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
}

class Transcript : public testing::TestWithParam<Path> {};

TEST_P(Transcript, IsWhatHappens) {
    setenv("TZ", "UTC", 1);
    std::ifstream file(GetParam());
    const std::string happened = replay(file);
    if (std::getenv("UPDATE_TRANSCRIPTS"))
        std::ofstream(GetParam()) << happened;
    EXPECT_EQ(happened, contents(GetParam()));
}

INSTANTIATE_TEST_SUITE_P(Srqctl, Transcript, testing::ValuesIn(transcripts()),
                         [](const testing::TestParamInfo<Path> &transcript) {
                             return transcript.param.stem().string();
                         });

} // namespace
} // namespace srqctl
