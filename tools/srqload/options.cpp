// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include "options.h"

#include "message.h"
#include "number.h"

#include <CLI/CLI.hpp>
#include <arpa/inet.h>
#include <array>
#include <fmt/format.h>
#include <limits>
#include <type_traits>

namespace srqload {

namespace {

constexpr const char *help_text =
    R"(Usage: srqload ADDR PORT [OPTION]...

Opens RDMA connections to a server, sends messages and expects each of them back.

Traffic:
  --connections N      connections to open (1)
  --connecting N       most connects in progress at a time (128)
  --messages M         messages of each connection (100)
  --size SIZES         BYTES, LO-HI or A,B,C; K, M and G are powers of 1024 (64)
  --rate N             messages a second of all connections together (no limit)
  --burst B            messages posted at once; the next B when all came back (1)
  --one-way            expect nothing back: a burst is over when it has been acknowledged
  --verify             check number, length and CRC of each message (from 24 bytes)
  --hold SEC           keep the connections open and silent afterwards (0)
  --seed S             sizes and contents follow from it (1)

Verbs:
  --threads T          threads, each with its own completion queues (1)
  --poll MODE          busy, event, or hybrid: spin 50 us, then wait for an event (event)
  --signal-every K     ask for a completion of every K-th send (1)
  --rnr-retry 0..7     retries when the receiver has no buffer; 7 is for ever (7)

Output:
  -j, --json           report in JSON
  -h, --help           this text
  -V, --version        the version

Exit status: 0 all connected and every message came back once, in order and intact;
1 anything was missing or failed; 2 usage.

Examples:
  srqload 10.7.0.1 7000
  srqload 10.7.0.1 7000 --connections 500 --burst 32 --messages 320 --size 64-4K --verify
  srqload 10.7.0.1 7000 --connections 10000 --rate 5000 --poll hybrid -j
  srqload 10.7.0.1 7001 --one-way --burst 64 --signal-every 16 --messages 100000
)";

[[noreturn]] void refuse(const std::string &text) { throw CLI::ValidationError(text); }

/// Sets `target` to a number in [min, max], or leaves by CLI11's own error path.
template <typename T>
void add_number(CLI::App &app, const char *name, T &target, std::uint64_t min,
                std::uint64_t max = std::numeric_limits<T>::max()) {
    auto parse = [name, &target, min, max](const std::string &text) {
        auto value = parse_number(text, max);
        if (!value || *value < min)
            refuse(fmt::format("{}: '{}' is not a number from {} to {}", name, text, min, max));
        target = static_cast<T>(*value);
    };
    app.add_option_function<std::string>(name, parse);
}

void add_sizes(CLI::App &app, Sizes &target) {
    app.add_option_function<std::string>("--size", [&target](const std::string &text) {
        auto sizes = parse_sizes(text);
        if (!sizes)
            refuse("--size: " + sizes.error());
        target = std::move(*sizes);
    });
}

void add_poll(CLI::App &app, PollMode &target) {
    app.add_option_function<std::string>("--poll", [&target](const std::string &text) {
        if (text == "busy")
            target = PollMode::busy;
        else if (text == "event")
            target = PollMode::event;
        else if (text == "hybrid")
            target = PollMode::hybrid;
        else
            refuse(fmt::format("--poll: '{}' is none of busy, event, hybrid", text));
    });
}

/// What looks like a numeric address must be one; anything else is a host name, resolved later.
bool is_plausible_address(const std::string &text) {
    std::array<unsigned char, sizeof(in6_addr)> binary{};
    if (text.empty())
        return false;
    if (text.find(':') != std::string::npos)
        return inet_pton(AF_INET6, text.substr(0, text.find('%')).c_str(), binary.data()) == 1;
    if (text.find_first_not_of("0123456789.") == std::string::npos)
        return inet_pton(AF_INET, text.c_str(), binary.data()) == 1;
    return true;
}

void check(const Options &options) {
    if (!is_plausible_address(options.address))
        refuse(fmt::format("ADDR: '{}' is not an address", options.address));
    if (options.verify && options.one_way)
        refuse("--verify: nothing comes back with --one-way");
    if (options.verify && options.sizes.lo < header_size)
        refuse(fmt::format("--verify: needs messages of at least {} bytes, --size allows {}",
                           header_size, options.sizes.lo));
}

void describe(CLI::App &app, Options &options) {
    constexpr std::uint64_t million = 1'000'000;

    app.set_help_flag("-h,--help");
    app.set_version_flag("-V,--version", "srqload " SRQLOAD_VERSION);
    app.add_option("ADDR", options.address)->required();
    app.add_option_function<std::string>(
           "PORT",
           [&options](const std::string &text) {
               auto port = parse_number(text, 65535);
               if (!port || *port == 0)
                   refuse(fmt::format("PORT: '{}' is not a number from 1 to 65535", text));
               options.port = static_cast<std::uint16_t>(*port);
           })
        ->required();
    add_number(app, "--connections", options.connections, 1, million);
    add_number(app, "--connecting", options.connecting, 1, million);
    add_number(app, "--messages", options.messages, 1, million * million);
    add_number(app, "--rate", options.rate, 1, 1000 * million);
    add_number(app, "--burst", options.burst, 1, million);
    add_number(app, "--threads", options.threads, 1, 1024);
    add_number(app, "--signal-every", options.signal_every, 1, million);
    add_number(app, "--rnr-retry", options.rnr_retry, 0, 7);
    add_number(app, "--hold", options.hold_seconds, 0, million);
    add_number(app, "--seed", options.seed, 0);
    add_sizes(app, options.sizes);
    add_poll(app, options.poll);
    app.add_flag("--one-way", options.one_way);
    app.add_flag("--verify", options.verify);
    app.add_flag("-j,--json", options.json);
}

} // namespace

tl::expected<Options, EarlyExit> parse_options(std::vector<std::string> args) {
    Options options;
    CLI::App app;
    describe(app, options);
    std::reverse(args.begin(), args.end()); // CLI11 wants them so
    try {
        app.parse(std::move(args));
        check(options);
    } catch (const CLI::CallForHelp &) {
        return tl::unexpected(EarlyExit{0, help_text});
    } catch (const CLI::CallForVersion &version) {
        return tl::unexpected(EarlyExit{0, fmt::format("{}\n", version.what())});
    } catch (const CLI::ParseError &error) {
        return tl::unexpected(
            EarlyExit{2, fmt::format("srqload: {}\ntry: srqload --help\n", error.what())});
    }
    return options;
}

} // namespace srqload
