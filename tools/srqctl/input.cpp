// SPDX-License-Identifier: GPL-2.0
#include "input.h"

#include <array>
#include <cerrno>
#include <fstream>
#include <istream>

namespace srqctl {

namespace {

tl::unexpected<Failure> unreadable(const std::string &name) {
    return failed(srqpool::system_error("cannot read " + name, errno));
}

} // namespace

Input::Input(std::string name, std::unique_ptr<std::istream> file, std::istream *stream)
    : name_(std::move(name)), file_(std::move(file)), stream_(stream) {}

tl::expected<Input, Failure> Input::open(const Environment &environment, const std::string &file) {
    if (file == "-" && environment.in)
        return Input("stdin", nullptr, environment.in);
    errno = 0;
    auto opened = std::make_unique<std::ifstream>(file, std::ios::binary);
    if (!*opened)
        return unreadable(file);
    std::istream *stream = opened.get();
    return Input(file, std::move(opened), stream);
}

Outcome Input::check() const {
    if (stream_->bad())
        return unreadable(name_);
    return {};
}

tl::expected<std::string, Failure> Input::text() {
    std::string text;
    std::array<char, 4096> part{};
    do {
        errno = 0;
        stream_->read(part.data(), part.size());
        text.append(part.data(), static_cast<std::size_t>(stream_->gcount()));
    } while (*stream_);
    if (const Outcome checked = check(); !checked)
        return tl::unexpected(checked.error());
    return text;
}

} // namespace srqctl
