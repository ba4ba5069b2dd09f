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

namespace {

Record describe(const srqpool::Holder &holder) {
    Record record;
    record.add("pool", holder.pool)
        .add("pid", holder.pid)
        .add("comm", holder.comm)
        .add("module", holder.module);
    return record;
}

// Whose pool is on the device, and who has none: they hold the module all the same.
std::vector<Record> holders_of(const srqpool::Dev &dev,
                               const std::vector<srqpool::Holder> &holders) {
    std::vector<Record> records;
    for (const srqpool::Holder &holder : holders)
        if (!holder.dev || *holder.dev == dev.name)
            records.push_back(describe(holder));
    return records;
}

// A module of an earlier minor version does not tell.
srqpool::Result<std::vector<srqpool::Holder>> holders_if_told(srqpool::Client &client) {
    auto holders = client.holders();
    if (!holders && holders.error().code == EOPNOTSUPP)
        return std::vector<srqpool::Holder>{};
    return holders;
}

} // namespace

Record describe(const srqpool::Dev &dev, const std::vector<srqpool::Holder> &holders) {
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
        .add("pinned", dev.pinned, in(Unit::bytes))
        .add_children("holders", "dev", holders_of(dev, holders));
    return record;
}

Outcome run_dev_show(Session &session, const DevShowOptions &options) {
    const auto client = session.client();
    if (!client)
        return tl::unexpected(client.error());

    const auto devs = options.dev ? as_list((*client)->dev(*options.dev)) : (*client)->devs();
    if (!devs)
        return failed(devs.error(), {{ENODEV, "try: srqctl dev show"}});
    const auto holders = holders_if_told(**client);
    if (!holders)
        return failed(holders.error());
    std::vector<Record> records;
    for (const srqpool::Dev &dev : *devs)
        records.push_back(describe(dev, *holders));
    session.writer.table(records);
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
