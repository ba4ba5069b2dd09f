// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include "exchange.h"

#include <algorithm>
#include <utility>

#include "ack.h"

namespace srqpool {

namespace {

constexpr int dump_attempts = 5;

} // namespace

Status each_message(std::span<const std::byte> datagram,
                    const std::function<Status(const nlmsghdr &)> &visit) {
    while (datagram.size() >= sizeof(nlmsghdr)) {
        const auto &message = *reinterpret_cast<const nlmsghdr *>(datagram.data());
        if (message.nlmsg_len < sizeof(nlmsghdr) || message.nlmsg_len > datagram.size())
            return tl::unexpected(
                Error{ErrorKind::malformed, 0, "the kernel's answer is malformed"});
        if (auto status = visit(message); !status)
            return status;
        datagram = datagram.subspan(
            std::min<std::size_t>(NLMSG_ALIGN(message.nlmsg_len), datagram.size()));
    }
    return {};
}

Status Exchange::request(Message message, const Visitor &visit) {
    message.address(++sequence_, transport_.port());
    if (auto sent = transport_.send(message.bytes()); !sent)
        return sent;
    Progress progress;
    return receive_until_done(sequence_, progress, visit);
}

Status Exchange::dump(const Message &message, const std::function<void()> &restart,
                      const Visitor &visit) {
    for (int attempt = 0; attempt < dump_attempts; attempt++) {
        restart();
        Message again = message;
        again.address(++sequence_, transport_.port());
        if (auto sent = transport_.send(again.bytes()); !sent)
            return sent;

        Progress progress;
        if (auto status = receive_until_done(sequence_, progress, visit); !status)
            return status;
        if (!progress.interrupted)
            return {};
    }
    return tl::unexpected(Error{ErrorKind::interrupted, 0,
                                "the list changed each time it was read; it is not complete"});
}

Status Exchange::receive_until_done(std::uint32_t sequence, Progress &progress,
                                    const Visitor &visit) {
    while (!progress.done) {
        const auto datagram = transport_.receive();
        if (!datagram)
            return tl::unexpected(datagram.error());
        auto status = each_message(*datagram, [&](const nlmsghdr &message) -> Status {
            if (message.nlmsg_seq != sequence || progress.done)
                return {}; // left over from a request that failed half-way
            return take(message, progress, visit);
        });
        if (!status)
            return status;
    }
    return {};
}

Status Exchange::take(const nlmsghdr &message, Progress &progress, const Visitor &visit) {
    if (message.nlmsg_flags & NLM_F_DUMP_INTR && message.nlmsg_type != NLMSG_ERROR)
        progress.interrupted = true;

    switch (message.nlmsg_type) {
    case NLMSG_NOOP:
        return {};
    case NLMSG_OVERRUN:
        return tl::unexpected(Error{ErrorKind::truncated, 0, "messages of the kernel were lost"});
    case NLMSG_ERROR:
    case NLMSG_DONE:
        return finish(message, progress);
    default:
        visit(message);
        return {};
    }
}

Status Exchange::finish(const nlmsghdr &message, Progress &progress) {
    auto ack = parse_ack(message);
    progress.done = true;
    if (!ack)
        return tl::unexpected(Error{ErrorKind::malformed, 0, "the kernel's answer is too short"});
    if (ack->code != 0) {
        std::string text = ack->text.empty() ? errno_text(ack->code) : std::move(ack->text);
        return tl::unexpected(Error{ErrorKind::refused, ack->code, std::move(text)});
    }
    if (!ack->text.empty())
        warn(std::move(ack->text));
    return {};
}

std::vector<std::string> Exchange::take_warnings() { return std::exchange(warnings_, {}); }

} // namespace srqpool
