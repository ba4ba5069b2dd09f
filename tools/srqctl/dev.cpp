// SPDX-License-Identifier: GPL-2.0
#include "dev.h"

#include <cerrno>

#include <fmt/format.h>

#include "command.h"
#include "show.h"

namespace srqctl {

namespace {

constexpr const char *examples = R"(Examples:
  srqctl dev show
  srqctl -j dev show rxe0)";

std::string guid_text(std::uint64_t guid) {
    return fmt::format("{:04x}:{:04x}:{:04x}:{:04x}", guid >> 48, guid >> 32 & 0xffff,
                       guid >> 16 & 0xffff, guid & 0xffff);
}

std::optional<std::string> guid_text(const std::optional<std::uint64_t> &guid) {
    if (!guid)
        return std::nullopt;
    return guid_text(*guid);
}

} // namespace

Record describe(const srqpool::Dev &dev) {
    Record record;
    record.add("name", dev.name)
        .add("guid", guid_text(dev.guid))
        .add("srq", dev.srq)
        .add("max_srq", dev.max_srq)
        .add("max_srq_wr", dev.max_srq_wr)
        .add("max_cqe", dev.max_cqe)
        .add("vectors", dev.vectors)
        .add("pools", dev.pools)
        .add("conns", dev.conns)
        .add("pinned", dev.pinned, in(Unit::bytes));
    return record;
}

Outcome run_dev_show(Session &session, const DevShowOptions &options) {
    const auto client = session.client();
    if (!client)
        return tl::unexpected(client.error());

    const auto devs = options.dev ? as_list((*client)->dev(*options.dev)) : (*client)->devs();
    if (!devs)
        return failed(devs.error(), {{ENODEV, "try: srqctl dev show"}});
    session.writer.table(describe_all(*devs));
    return {};
}

void setup_dev(CLI::App &app, Action &action) {
    CLI::App *dev = app.add_subcommand("dev", "RDMA devices and their limits");
    show_if_bare<DevShowOptions>(*dev, action, run_dev_show);
    dev->footer(examples);
    add_command<DevShowOptions>(*dev, "show", "Show all devices, or one", action, run_dev_show,
                                [](CLI::App &command, DevShowOptions &options) {
                                    add_value(command, "DEV", options.dev, parse_dev_name,
                                              "Name of a device");
                                    command.footer(examples);
                                });
}

} // namespace srqctl
