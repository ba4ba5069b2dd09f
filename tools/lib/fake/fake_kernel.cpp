// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include "fake_kernel.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <linux/genetlink.h>
#include <linux/srqpool.h>

namespace srqpool::fake {

namespace {

constexpr std::size_t datagram_size = 32 << 10;
constexpr std::uint32_t our_port = 4711;

const nlmsghdr &header_of(const Bytes &bytes) {
    return *reinterpret_cast<const nlmsghdr *>(bytes.data());
}

Request parse_request(std::span<const std::byte> message) {
    Request request;
    request.bytes.assign(message.begin(), message.end());
    request.type = header_of(request.bytes).nlmsg_type;
    request.flags = header_of(request.bytes).nlmsg_flags;
    request.command = static_cast<std::uint8_t>(request.bytes[NLMSG_HDRLEN]);
    return request;
}

void append(Bytes &bytes, const void *value, std::size_t size) {
    const auto *start = static_cast<const std::byte *>(value);
    bytes.insert(bytes.end(), start, start + size);
    bytes.resize(NLMSG_ALIGN(bytes.size()));
}

void append_text(Bytes &bytes, const std::string &text) {
    if (text.empty())
        return;
    nlattr attribute{};
    attribute.nla_type = NLMSGERR_ATTR_MSG;
    attribute.nla_len = static_cast<std::uint16_t>(NLA_HDRLEN + text.size() + 1);
    append(bytes, &attribute, sizeof(attribute));
    append(bytes, text.c_str(), text.size() + 1);
}

Bytes start_message(const Request &request, std::uint16_t type, std::uint16_t flags) {
    nlmsghdr header{};
    header.nlmsg_type = type;
    header.nlmsg_flags = flags;
    header.nlmsg_seq = header_of(request.bytes).nlmsg_seq;
    header.nlmsg_pid = our_port;
    Bytes bytes;
    append(bytes, &header, sizeof(header));
    return bytes;
}

Bytes finish_message(Bytes bytes) {
    const auto length = static_cast<std::uint32_t>(bytes.size());
    std::memcpy(bytes.data(), &length, sizeof(length));
    return bytes;
}

// An object as the answer to a request.
Bytes addressed(const Message &object, const Request &request, std::uint16_t flags) {
    Bytes bytes(object.bytes().begin(), object.bytes().end());
    auto &header = *reinterpret_cast<nlmsghdr *>(bytes.data());
    header.nlmsg_flags = flags;
    header.nlmsg_seq = header_of(request.bytes).nlmsg_seq;
    header.nlmsg_pid = our_port;
    return bytes;
}

// Whether an object has the attributes that a request names it by.
bool matches(const Message &object, const Request &request) {
    const auto &header = *reinterpret_cast<const nlmsghdr *>(object.bytes().data());
    const Attributes have = Attributes::of_message(header);
    const Attributes want = request.attributes();
    for (int type = 0; type < 32; type++) {
        const auto wanted = want.binary(type);
        const auto value = have.binary(type);
        if (wanted &&
            !(value && std::equal(value->begin(), value->end(), wanted->begin(), wanted->end())))
            return false;
    }
    return true;
}

bool is_get(std::uint8_t command) {
    return command == SRQPOOL_CMD_DEV_GET || command == SRQPOOL_CMD_POOL_GET ||
           command == SRQPOOL_CMD_LISTENER_GET || command == SRQPOOL_CMD_STATS_GET;
}

} // namespace

Attributes Request::attributes() const { return Attributes::of_message(header_of(bytes)); }

Bytes make_ack(const Request &request, const Verdict &verdict, bool capped) {
    const bool cut = capped || verdict.code == 0;
    const auto flags = static_cast<std::uint16_t>((cut ? NLM_F_CAPPED : 0) |
                                                  (verdict.text.empty() ? 0 : NLM_F_ACK_TLVS));
    Bytes bytes = start_message(request, NLMSG_ERROR, flags);
    const int result = -verdict.code;
    append(bytes, &result, sizeof(result));
    append(bytes, request.bytes.data(), cut ? sizeof(nlmsghdr) : request.bytes.size());
    append_text(bytes, verdict.text);
    return finish_message(std::move(bytes));
}

Bytes make_done(const Request &request, const Verdict &verdict, std::uint16_t flags) {
    const auto all = static_cast<std::uint16_t>(flags | NLM_F_MULTI |
                                                (verdict.text.empty() ? 0 : NLM_F_ACK_TLVS));
    Bytes bytes = start_message(request, NLMSG_DONE, all);
    const int result = -verdict.code;
    append(bytes, &result, sizeof(result));
    append_text(bytes, verdict.text);
    return finish_message(std::move(bytes));
}

Message &FakeKernel::add(std::uint8_t command) {
    return objects_[command].emplace_back(family_id, std::uint16_t{0}, command);
}

Message &FakeKernel::add_event() {
    return *events_.emplace_back(Message(family_id, std::uint16_t{0}, SRQPOOL_CMD_EVENT_NTF));
}

void FakeKernel::add_overrun() { events_.emplace_back(std::nullopt); }

FakeKernel::Datagrams FakeKernel::answer_controller(const Request &request) const {
    if (!loaded)
        return {make_ack(request, {ENOENT}, capping)};

    Message family(GENL_ID_CTRL, 0, CTRL_CMD_NEWFAMILY);
    family.u16(CTRL_ATTR_FAMILY_ID, family_id);
    family.string(CTRL_ATTR_FAMILY_NAME, SRQPOOL_GENL_NAME);
    family.u32(CTRL_ATTR_VERSION, version);
    family.nest(CTRL_ATTR_MCAST_GROUPS, [&] {
        family.nest(1, [&] {
            family.u32(CTRL_ATTR_MCAST_GRP_ID, events_group);
            family.string(CTRL_ATTR_MCAST_GRP_NAME, SRQPOOL_MCGRP_EVENTS);
        });
    });
    return {addressed(family, request, 0), make_ack(request, {}, capping)};
}

FakeKernel::Datagrams FakeKernel::answer_get(const Request &request) const {
    const auto known = objects_.find(request.command);
    if (known != objects_.end())
        for (const Message &object : known->second)
            if (matches(object, request))
                return {addressed(object, request, 0), make_ack(request, {}, capping)};

    if (request.command == SRQPOOL_CMD_DEV_GET)
        return {make_ack(request, {ENODEV, "there is no such RDMA device"}, capping)};
    return {make_ack(request, {ENOENT, "there is nothing of this name"}, capping)};
}

// Packs the objects into datagrams as large as the real ones.
FakeKernel::Datagrams FakeKernel::answer_dump(const Request &request) {
    const bool interrupted = interrupted_dumps > 0;
    if (interrupted)
        interrupted_dumps--;
    const auto flags = static_cast<std::uint16_t>(interrupted ? NLM_F_DUMP_INTR : 0);

    Datagrams datagrams(1);
    for (const Message &object : objects_[request.command]) {
        if (!matches(object, request))
            continue;
        if (datagrams.back().size() + object.bytes().size() > datagram_size)
            datagrams.emplace_back();
        const Bytes bytes =
            addressed(object, request, static_cast<std::uint16_t>(flags | NLM_F_MULTI));
        datagrams.back().insert(datagrams.back().end(), bytes.begin(), bytes.end());
    }
    const Bytes done = make_done(request, {}, flags);
    datagrams.back().insert(datagrams.back().end(), done.begin(), done.end());
    return datagrams;
}

FakeKernel::Datagrams FakeKernel::answer(const Request &request) {
    if (request.type == GENL_ID_CTRL)
        return answer_controller(request);

    requests.push_back(request);
    const bool dumping = (request.flags & NLM_F_DUMP) == NLM_F_DUMP;
    const Verdict verdict = verdicts[request.command];
    if (verdict.code != 0)
        return {dumping ? make_done(request, verdict, 0) : make_ack(request, verdict, capping)};
    if (dumping)
        return answer_dump(request);
    if (is_get(request.command))
        return answer_get(request);

    if (changed)
        changed(request);
    Datagrams datagrams;
    if (request.command == SRQPOOL_CMD_LISTENER_NEW) {
        Message listener(family_id, 0, request.command);
        listener.u64(SRQPOOL_A_LISTENER_ID, new_listener_id);
        datagrams.push_back(addressed(listener, request, 0));
    }
    datagrams.push_back(make_ack(request, verdict, capping));
    return datagrams;
}

class FakeTransport final : public Transport {
  public:
    explicit FakeTransport(FakeKernel &kernel) : kernel_(kernel) {}

    Status send(std::span<const std::byte> message) override {
        const auto answers = kernel_.answer(parse_request(message));
        waiting_.insert(waiting_.end(), answers.begin(), answers.end());
        return {};
    }

    Result<std::span<const std::byte>> receive() override {
        if (kernel_.truncating && !waiting_.empty())
            return tl::unexpected(
                Error{ErrorKind::truncated, 0, "a message of the kernel was truncated"});
        if (waiting_.empty() && subscribed_)
            return receive_event();
        if (waiting_.empty())
            return tl::unexpected(system_error("nothing to receive", EAGAIN));
        current_ = std::move(waiting_.front());
        waiting_.pop_front();
        return std::span<const std::byte>(current_);
    }

    Status join(std::uint32_t group) override {
        subscribed_ = subscribed_ || group == FakeKernel::events_group;
        return {};
    }

    std::uint32_t port() const override { return our_port; }

  private:
    Result<std::span<const std::byte>> receive_event() {
        Message next(GENL_ID_CTRL, 0, CTRL_CMD_DELFAMILY);
        next.u16(CTRL_ATTR_FAMILY_ID, FakeKernel::family_id);
        if (!kernel_.events_.empty()) {
            const auto event = std::move(kernel_.events_.front());
            kernel_.events_.pop_front();
            if (!event)
                return tl::unexpected(system_error("cannot receive from the kernel", ENOBUFS));
            next = *event;
        }
        current_.assign(next.bytes().begin(), next.bytes().end());
        return std::span<const std::byte>(current_);
    }

    FakeKernel &kernel_;
    std::deque<Bytes> waiting_;
    Bytes current_;
    bool subscribed_ = false;
};

std::unique_ptr<Transport> FakeKernel::open() { return std::make_unique<FakeTransport>(*this); }

} // namespace srqpool::fake
