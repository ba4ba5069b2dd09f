// SPDX-License-Identifier: GPL-2.0
#include "recv.h"

#include <algorithm>
#include <array>
#include <ostream>

#include <arpa/inet.h>
#include <fmt/format.h>

#include "command.h"

namespace srqctl {

namespace {

constexpr const char *examples =
    R"(hex: a line "CONN LEN HEX" for each message. raw: the bytes of the messages and nothing else.
json, also with -j: a line {"conn","class","len","imm","time_ns","data"} for each, data in hex.
Connections are shared with the other readers of the pool; those of this one are closed when it
ends.

Examples:
  srqctl listen add web --addr 10.7.0.1 --port 7471 --mode deliver
  srqctl recv web --count 10
  srqctl recv web --format raw >received)";

// In the order of RecvFormat.
constexpr std::array<std::string_view, 3> formats = {"hex", "raw", "json"};

tl::expected<RecvFormat, std::string> parse_format(const std::string &text) {
    const auto found = std::find(formats.begin(), formats.end(), text);
    if (found == formats.end())
        return tl::unexpected(
            fmt::format("'{}' is not a format; there are: {}", text, fmt::join(formats, ", ")));
    return static_cast<RecvFormat>(found - formats.begin());
}

std::string hex(std::span<const std::byte> data) {
    std::string text;
    text.reserve(data.size() * 2);
    for (const std::byte byte : data)
        fmt::format_to(std::back_inserter(text), "{:02x}", std::to_integer<unsigned>(byte));
    return text;
}

using Names = std::vector<std::string>;

void print_json(std::ostream &out, const srqpool::Record &message, const Names &classes) {
    const srqpool_record &head = message.head;
    Json object;
    object["conn"] = head.conn;
    object["class"] =
        head.class_index < classes.size() ? Json(classes[head.class_index]) : Json(nullptr);
    object["len"] = head.len;
    object["imm"] = head.flags & SRQPOOL_RECORD_IMM ? Json(ntohl(head.imm)) : Json(nullptr);
    object["time_ns"] = head.time_ns;
    object["data"] = hex(message.data);
    out << object.dump() << '\n';
}

void print(std::ostream &out, RecvFormat format, const srqpool::Record &message,
           const Names &classes) {
    switch (format) {
    case RecvFormat::hex:
        out << message.head.conn << ' ' << message.head.len << ' ' << hex(message.data) << '\n';
        break;
    case RecvFormat::raw:
        out.write(reinterpret_cast<const char *>(message.data.data()),
                  static_cast<std::streamsize>(message.data.size()));
        break;
    case RecvFormat::json:
        print_json(out, message, classes);
        break;
    }
    out.flush();
}

Names class_names(const srqpool::Pool &pool) {
    Names names;
    for (const srqpool::Class &one : pool.classes)
        names.push_back(one.name);
    return names;
}

Outcome receive(const Session &session, srqpool::Source &source, const RecvOptions &options,
                const Names &classes) {
    const RecvFormat format =
        options.format.value_or(session.writer.json() ? RecvFormat::json : RecvFormat::hex);
    std::ostream &out = session.environment.out;
    std::uint64_t received = 0;
    while (out && !session.environment.stopped() && received != options.count) {
        const auto next = source.next();
        if (!next)
            return failed(next.error());
        if (!*next || (*next)->head.type != SRQPOOL_RECORD_MESSAGE)
            continue;
        print(out, format, **next, classes);
        received++;
    }
    return {};
}

} // namespace

Outcome run_recv(Session &session, const RecvOptions &options) {
    const auto client = session.client();
    if (!client)
        return tl::unexpected(client.error());
    const auto pool = (*client)->pool(options.pool);
    if (!pool)
        return failed(pool.error());
    const auto source = session.environment.open_source(options.pool);
    if (!source)
        return failed(source.error());
    return receive(session, **source, options, class_names(*pool));
}

void setup_recv(CLI::App &app, Action &action) {
    add_command<RecvOptions>(
        app, "recv", "Receive the messages of a pool", action, run_recv,
        [](CLI::App &command, RecvOptions &options) {
            add_value(command, "POOL", options.pool, parse_name, "Name of the pool")->required();
            add_value(command, "--count", options.count, parse_count,
                      "End after so many messages; never if none is given")
                ->type_name("N");
            add_value(command, "--format", options.format, parse_format, "hex if none is given")
                ->type_name(one_of(formats));
            command.footer(examples);
        });
}

} // namespace srqctl
