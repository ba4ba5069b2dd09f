// SPDX-License-Identifier: GPL-2.0
#include "listen.h"

#include <cerrno>

#include "command.h"
#include "lib/names.h"
#include "show.h"

namespace srqctl {

namespace {

constexpr std::uint32_t default_max_conns = 16384;

constexpr const char *examples = R"(Examples:
  srqctl listen add web --addr 10.7.0.1 --port 7471
  srqctl listen add web --addr fe80::1%eth0 --port 7471 --mode echo --max-conns 1000
  srqctl listen show
  srqctl listen del 3)";

srqpool::ListenerSpec with_defaults(srqpool::ListenerSpec spec) {
    if (!spec.transport)
        spec.transport = SRQPOOL_TRANSPORT_RC;
    if (!spec.mode)
        spec.mode = SRQPOOL_MODE_SINK;
    if (!spec.max_conns)
        spec.max_conns = default_max_conns;
    return spec;
}

void setup_add(CLI::App &command, ListenAddOptions &options) {
    srqpool::ListenerSpec &spec = options.spec;
    add_value(command, "POOL", spec.pool, parse_name, "Name of the pool")->required();
    add_value(command, "--addr", spec.addr, parse_addr, "An address of the pool's device")
        ->type_name("ADDR")
        ->required();
    add_value(command, "--port", spec.port, parse_port, "1 to 65535")
        ->type_name("PORT")
        ->required();
    add_value(command, "--transport", spec.transport, parse_transport,
              "Transport of its connections")
        ->type_name(one_of(srqpool::transport_names()));
    add_value(command, "--class", spec.class_name, parse_name,
              "Class of its connections; the pool's first if none is given")
        ->type_name("CNAME");
    add_value(command, "--mode", spec.mode, parse_mode,
              "sink counts, echo sends back, deliver gives to programs; sink if none is given")
        ->type_name(one_of(srqpool::mode_names()));
    add_value(command, "--max-conns", spec.max_conns, parse_count,
              "Most pending and open connections; 16384 if none is given")
        ->type_name("N");
    command.footer(examples);
}

} // namespace

Record describe(const srqpool::Listener &listener) {
    std::optional<std::string> addr;
    if (listener.addr)
        addr = to_string(*listener.addr);

    Record record;
    record.add("id", listener.id)
        .add("pool", listener.pool)
        .add("class", listener.class_name)
        .add("addr", addr)
        .add("port", listener.port)
        .add("transport", named(listener.transport, srqpool::transport_name))
        .add("mode", named(listener.mode, srqpool::mode_name))
        .add("conns", listener.conns, out_of("max_conns"))
        .add("max_conns", listener.max_conns, hidden);
    return record;
}

Outcome run_listen_add(Session &session, const ListenAddOptions &options) {
    const auto client = session.client();
    if (!client)
        return tl::unexpected(client.error());

    const auto id = (*client)->add_listener(with_defaults(options.spec));
    if (!id)
        return failed(id.error(), {{ENOENT, "try: srqctl pool show"},
                                   {EADDRINUSE, "try: srqctl listen show"},
                                   {EADDRNOTAVAIL, "try: ip address show, rdma link show"}});
    Record record;
    record.add("id", *id);
    session.writer.bare(record);
    return {};
}

Outcome run_listen_show(Session &session, const ListenShowOptions &options) {
    const auto client = session.client();
    if (!client)
        return tl::unexpected(client.error());

    const auto listeners =
        options.id ? as_list((*client)->listener(*options.id)) : (*client)->listeners();
    if (!listeners)
        return failed(listeners.error(), {{ENOENT, "try: srqctl listen show"}});
    session.writer.table(describe_all(*listeners));
    return {};
}

Outcome run_listen_del(Session &session, const ListenDelOptions &options) {
    const auto client = session.client();
    if (!client)
        return tl::unexpected(client.error());

    const auto deleted = (*client)->delete_listener(options.id);
    if (!deleted)
        return failed(deleted.error(), {{ENOENT, "try: srqctl listen show"}});
    return {};
}

void setup_listen(CLI::App &app, Action &action) {
    CLI::App *listen = app.add_subcommand("listen", "Listeners: where clients connect");
    show_if_bare<ListenShowOptions>(*listen, action, run_listen_show);
    listen->footer(examples);

    add_command<ListenAddOptions>(*listen, "add", "Listen; prints the ID", action, run_listen_add,
                                  setup_add);
    add_command<ListenShowOptions>(
        *listen, "show", "Show all listeners, or one", action, run_listen_show,
        [](CLI::App &command, ListenShowOptions &options) {
            add_value(command, "ID", options.id, parse_number, "ID of a listener");
            command.footer(examples);
        });
    add_command<ListenDelOptions>(
        *listen, "del", "Stop listening and close the connections", action, run_listen_del,
        [](CLI::App &command, ListenDelOptions &options) {
            add_value(command, "ID", options.id, parse_number, "ID of the listener")->required();
            command.footer(examples);
        });
}

} // namespace srqctl
