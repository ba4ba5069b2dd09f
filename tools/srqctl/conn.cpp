// SPDX-License-Identifier: GPL-2.0
#include "conn.h"

#include <algorithm>
#include <cerrno>
#include <utility>

#include "command.h"
#include "lib/names.h"
#include "show.h"

namespace srqctl {

namespace {

constexpr std::uint32_t default_top = 10;

constexpr const char *examples = R"(Examples:
  srqctl conn show
  srqctl conn show --pool web --top 5
  srqctl conn kill 1234)";

std::optional<std::string> endpoint(const std::optional<srqpool::Address> &address,
                                    const std::optional<std::uint16_t> &port) {
    if (!address || !port)
        return std::nullopt;
    return with_port(*address, *port);
}

// What a connection has of the pool: buffers first, then copies.
std::pair<std::uint32_t, std::uint64_t> taken_by(const srqpool::Conn &conn) {
    return {conn.held.value_or(0), conn.copied.value_or(0)};
}

void setup_show(CLI::App &command, ConnShowOptions &options) {
    add_value(command, "--pool", options.pool, parse_name, "Only those of a pool")
        ->type_name("POOL");
    add_value(
        command, "--top", options.top,
        [](const std::string &text) -> Parsed<std::uint32_t> {
            if (text.empty())
                return default_top;
            return parse_count(text);
        },
        "Only the N that hold and copied most, 10 if no N is given")
        ->type_name("[N]")
        ->expected(0, 1);
    command.footer(examples);
}

} // namespace

std::vector<srqpool::Conn> greatest_holders(std::vector<srqpool::Conn> conns, std::size_t count) {
    std::stable_sort(
        conns.begin(), conns.end(),
        [](const srqpool::Conn &a, const srqpool::Conn &b) { return taken_by(a) > taken_by(b); });
    conns.resize(std::min(conns.size(), count));
    return conns;
}

Record describe(const srqpool::Conn &conn) {
    Record record;
    record.add("id", conn.id)
        .add("pool", conn.pool)
        .add("listener", conn.listener)
        .add("class", conn.class_name)
        .add("shard", conn.shard)
        .add("transport", named(conn.transport, srqpool::transport_name))
        .add("peer", endpoint(conn.peer_addr, conn.peer_port))
        .add("local", endpoint(conn.local_addr, conn.local_port))
        .add("state", named(conn.state, srqpool::conn_state_name), state_word)
        .add("held", conn.held)
        .add("copied", conn.copied)
        .add("rx_msgs", conn.rx_msgs)
        .add("rx_bytes", conn.rx_bytes, in(Unit::bytes))
        .add("tx_msgs", conn.tx_msgs)
        .add("tx_pending", conn.tx_pending)
        .add("idle_ms", conn.idle_ms, in(Unit::msec));
    return record;
}

Outcome run_conn_show(Session &session, const ConnShowOptions &options) {
    const auto client = session.client();
    if (!client)
        return tl::unexpected(client.error());

    auto conns = (*client)->conns(options.pool);
    if (!conns)
        return failed(conns.error(), {{ENOENT, "try: srqctl pool show"}});
    if (options.top)
        conns = greatest_holders(std::move(*conns), *options.top);
    session.writer.table(describe_all(*conns));
    return {};
}

Outcome run_conn_kill(Session &session, const ConnKillOptions &options) {
    const auto client = session.client();
    if (!client)
        return tl::unexpected(client.error());

    const auto closed = (*client)->close_conn(options.id);
    if (!closed)
        return failed(closed.error(), {{ENOENT, "try: srqctl conn show"}});
    return {};
}

void setup_conn(CLI::App &app, Action &action) {
    CLI::App *conn = app.add_subcommand("conn", "Connections");
    show_if_bare<ConnShowOptions>(*conn, action, run_conn_show);
    conn->footer(examples);

    add_command<ConnShowOptions>(*conn, "show", "Show connections", action, run_conn_show,
                                 setup_show);
    add_command<ConnKillOptions>(
        *conn, "kill", "Close a connection", action, run_conn_kill,
        [](CLI::App &command, ConnKillOptions &options) {
            add_value(command, "ID", options.id, parse_number, "ID of the connection")->required();
            command.footer(examples);
        });
}

} // namespace srqctl
