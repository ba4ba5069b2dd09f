// SPDX-License-Identifier: GPL-2.0
//
// Runs transcripts/*.txt. A file has lines that begin with
//   #  a comment            @  the kernel from here on (scenario.h)
//   $  a command            !  a line that it prints on stderr
//   ?  its exit code, unless it is 0
// and every other line the command prints on stdout. A command ends in `< FILE` or in `<<< TEXT` if
// it reads its standard input; files are relative to transcripts/. UPDATE_TRANSCRIPTS=1 writes what
// came out into the files instead: read the difference.
#include <array>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <arpa/inet.h>
#include <gtest/gtest.h>

#include "app.h"
#include "scenario.h"
#include "selftest_scenario.h"

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

// A pool that gets the same four messages each time, and is then deleted.
class FakeSource : public srqpool::Source {
  public:
    srqpool::Result<std::optional<srqpool::Record>> next() override {
        const std::size_t at = next_++;
        if (at == records.size())
            return tl::unexpected(srqpool::Error{srqpool::ErrorKind::system, ENODEV,
                                                 "pool web was deleted, or its device went"});
        const auto &[type, conn, imm, text] = records[at];
        srqpool::Record record{.head = {}, .data = std::as_bytes(std::span(text))};
        record.head.conn = conn;
        record.head.time_ns = 1764504000000000000 + at;
        record.head.type = type;
        record.head.len = static_cast<std::uint32_t>(text.size());
        record.head.flags = imm ? SRQPOOL_RECORD_IMM : 0;
        record.head.imm = htonl(imm);
        return record;
    }

  private:
    struct Line {
        std::uint32_t type;
        std::uint64_t conn;
        std::uint32_t imm;
        std::string_view text;
    };
    static constexpr std::array<Line, 6> records = {{
        {SRQPOOL_RECORD_UP, 7, 0, ""},
        {SRQPOOL_RECORD_MESSAGE, 7, 0, "hello"},
        {SRQPOOL_RECORD_MESSAGE, 8, 0x1234, "\n"},
        {SRQPOOL_RECORD_MESSAGE, 7, 0, ""},
        {SRQPOOL_RECORD_MESSAGE, 7, 0, "bye"},
        {SRQPOOL_RECORD_DOWN, 7, 0, ""},
    }};
    std::size_t next_ = 0;
};

srqpool::Result<std::unique_ptr<srqpool::Source>> fake_source(const std::string & /*pool*/) {
    return std::make_unique<FakeSource>();
}

std::string contents(const Path &path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
}

// Takes `< FILE` or `<<< TEXT` off a command's end.
std::string take_input(std::vector<std::string> &words) {
    if (words.size() < 2)
        return {};
    const std::string how = words[words.size() - 2];
    if (how != "<" && how != "<<<")
        return {};
    const std::string last = words.back();
    words.resize(words.size() - 2);
    return how == "<" ? contents(last) : last + '\n';
}

// What the tool does with a command, as a transcript has it.
std::string perform(const std::string &command, const std::string &scenario) {
    srqpool::fake::FakeKernel kernel;
    EXPECT_TRUE(set_up(kernel, scenario)) << "unknown scenario: " << scenario;

    std::ostringstream out;
    std::ostringstream err;
    std::vector<std::string> words = split(command);
    words.erase(words.begin());
    std::istringstream in(take_input(words));
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
        .open_source = fake_source,
        .stopped = [] { return false; },
        .open_peer = [&] { return fake_peer(kernel, scenario); },
        .pid = fake_pid,
        .in = &in,
    };
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

class Transcript : public testing::TestWithParam<Path> {};

TEST_P(Transcript, IsWhatHappens) {
    setenv("TZ", "UTC", 1);
    std::filesystem::current_path(TRANSCRIPTS);
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
