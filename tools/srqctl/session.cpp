// SPDX-License-Identifier: GPL-2.0
#include "session.h"

#include <cerrno>
#include <ostream>

namespace srqctl {

namespace {

using srqpool::Error;
using srqpool::ErrorKind;

std::string general_hint(const Error &error) {
    switch (error.kind) {
    case ErrorKind::no_family:
        return "load it: modprobe srqpool, or insmod PATH/srqpool.ko";
    case ErrorKind::version:
        return "install the srqctl that belongs to the module";
    case ErrorKind::interrupted:
        return "try again, or ask for less: one pool instead of all";
    default:
        break;
    }
    if (error.code == EPERM || error.code == EACCES)
        return "a change needs root: CAP_NET_ADMIN in the initial user namespace, in the initial "
               "network namespace";
    return {};
}

} // namespace

tl::expected<srqpool::Client *, Failure> Session::client() {
    if (client_)
        return &*client_;
    auto transport = environment.open_transport();
    if (!transport)
        return failed(transport.error());
    auto connected = srqpool::Client::connect(std::move(*transport));
    if (!connected)
        return failed(connected.error());
    client_ = std::move(*connected);
    print_warnings();
    return &*client_;
}

void Session::print_warnings() {
    if (!client_)
        return;
    for (const std::string &warning : client_->take_warnings())
        environment.err << "srqctl: warning: " << warning << '\n';
}

tl::unexpected<Failure> failed(Error error, Hints hints) {
    std::string hint = general_hint(error);
    for (const auto &[code, text] : hints)
        if (error.kind == ErrorKind::refused && error.code == code)
            hint = text;
    return tl::unexpected(Failure{.error = std::move(error), .hint = std::move(hint)});
}

ExitCode exit_code(const Failure &failure) {
    const Error &error = failure.error;
    if (failure.code)
        return *failure.code;
    if (error.kind == ErrorKind::interrupted)
        return exit_interrupted;
    const bool missing = error.code == ENOENT || error.code == ENODEV;
    return error.kind == ErrorKind::refused && missing ? exit_missing : exit_failed;
}

void print_error(const Environment &environment, bool json, const std::string &text,
                 const std::string &hint) {
    if (json) {
        Json object;
        object["error"] = text;
        environment.out << object.dump(-1, ' ', false, Json::error_handler_t::replace) << '\n';
        environment.out.flush();
    }
    environment.err << "srqctl: " << text << '\n';
    if (!hint.empty())
        environment.err << hint << '\n';
    environment.err.flush();
}

} // namespace srqctl
