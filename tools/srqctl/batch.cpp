// SPDX-License-Identifier: GPL-2.0
#include "batch.h"

#include <cerrno>
#include <istream>

#include <fmt/format.h>

namespace srqctl {

namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

/// Takes a line apart, from the left.
class Splitter {
  public:
    explicit Splitter(std::string_view line) : rest_(line) {}

    Parsed<std::vector<std::string>> words() {
        for (skip_blanks(); !rest_.empty() && rest_.front() != '#'; skip_blanks()) {
            auto next = word();
            if (!next)
                return tl::unexpected(next.error());
            words_.push_back(std::move(*next));
        }
        return words_;
    }

  private:
    void skip_blanks() {
        while (!rest_.empty() && is_blank(rest_.front()))
            rest_.remove_prefix(1);
    }

    char take() {
        const char c = rest_.front();
        rest_.remove_prefix(1);
        return c;
    }

    Parsed<std::string> word() {
        std::string word;
        while (!rest_.empty() && !is_blank(rest_.front())) {
            const char c = take();
            const bool quoted = c == '\'' || c == '"';
            if (const auto added = quoted ? add_quoted(c, word) : add_plain(c, word); !added)
                return tl::unexpected(added.error());
        }
        return word;
    }

    Parsed<void> add_plain(char c, std::string &word) {
        if (c == '\\') {
            if (rest_.empty())
                return tl::unexpected(std::string("nothing follows the backslash"));
            word += take();
        } else {
            word += c;
        }
        return {};
    }

    // Between double quotes, a backslash is one unless a character follows that needs it.
    Parsed<void> add_quoted(char quote, std::string &word) {
        while (!rest_.empty()) {
            const char c = take();
            if (c == quote)
                return {};
            const bool escapes = quote == '"' && c == '\\' && !rest_.empty() &&
                                 (rest_.front() == '"' || rest_.front() == '\\');
            word += escapes ? take() : c;
        }
        return tl::unexpected(fmt::format("a {} is not closed", quote));
    }

    std::string_view rest_;
    std::vector<std::string> words_;
};

class Batch {
  public:
    Batch(Session &session, Input &input, bool force, const Runner &run)
        : session_(session), input_(input), force_(force), run_(run) {}

    int all() {
        for (std::string line; next(line);) {
            number_++;
            do_line(line);
            if (code_ != exit_done && !force_)
                return code_;
        }
        if (const Outcome read = input_.check(); !read)
            report({exit_failed, read.error().error.text}, "");
        return code_;
    }

  private:
    bool next(std::string &line) {
        errno = 0;
        return static_cast<bool>(std::getline(input_.stream(), line));
    }

    void do_line(const std::string &line) {
        const auto words = split_words(line);
        if (!words)
            return report({exit_usage, words.error()});
        if (words->empty())
            return;
        const std::size_t printed = session_.writer.printed();
        if (const auto done = run_(*words); !done)
            return report(done.error());
        // Whoever counts lines finds the one of each command.
        if (session_.writer.json() && session_.writer.printed() == printed)
            session_.writer.document(Json::object());
    }

    void report(const Refusal &refusal) {
        report(refusal, fmt::format("{}:{}: ", input_.name(), number_));
    }

    void report(const Refusal &refusal, const std::string &where) {
        if (code_ == exit_done)
            code_ = refusal.code;
        print_error(session_.environment, refusal.json || session_.writer.json(),
                    where + refusal.text, refusal.hint);
    }

    Session &session_;
    Input &input_;
    bool force_;
    const Runner &run_;
    std::size_t number_ = 0;
    int code_ = exit_done;
};

} // namespace

Parsed<std::vector<std::string>> split_words(std::string_view line) {
    return Splitter(line).words();
}

int run_batch(Session &session, Input &input, bool force, const Runner &run) {
    return Batch(session, input, force, run).all();
}

} // namespace srqctl
