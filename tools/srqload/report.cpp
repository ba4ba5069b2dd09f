// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include "report.h"

#include "format.h"

#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace srqload {

namespace {

struct Rates {
    double seconds = 0;
    double messages = 0;
    double bytes = 0;
};

double seconds_between(std::uint64_t begin_ns, std::uint64_t end_ns) {
    return end_ns > begin_ns ? static_cast<double>(end_ns - begin_ns) / 1e9 : 0;
}

double per_second(std::uint64_t count, double seconds) {
    return seconds > 0 ? static_cast<double>(count) / seconds : 0;
}

std::uint64_t messages_done(const Options &options, const Tally &tally) {
    return options.one_way ? tally.acknowledged : tally.received;
}

Rates rates_of(const Options &options, const Tally &tally) {
    double seconds = seconds_between(tally.traffic_begin_ns, tally.traffic_end_ns);
    return {seconds, per_second(messages_done(options, tally), seconds),
            per_second(tally.bytes, seconds)};
}

double quantile_us(const Tally &tally, double fraction) {
    return static_cast<double>(tally.latency_ns.quantile(fraction)) / 1e3;
}

double max_us(const Tally &tally) { return static_cast<double>(tally.latency_ns.max()) / 1e3; }

double rounded(double value, double steps) { return std::round(value * steps) / steps; }

std::string rate(double per_second) {
    return grouped(static_cast<std::uint64_t>(std::llround(per_second)));
}

std::string connections_line(const Options &options, const Tally &tally) {
    double seconds = seconds_between(tally.connect_begin_ns, tally.connect_end_ns);
    std::string line = fmt::format("connections  {} of {} in {:.2f} s, {}/s\n",
                                   grouped(tally.connected), grouped(options.connections), seconds,
                                   rate(per_second(tally.connected, seconds)));
    if (tally.connects_failed != 0)
        line += fmt::format("             {} failed\n", grouped(tally.connects_failed));
    return line;
}

std::string messages_line(const Options &options, const Tally &tally) {
    if (options.one_way)
        return fmt::format("messages     {} sent, {} completed, {} failed\n", grouped(tally.sent),
                           grouped(tally.acknowledged), grouped(tally.sends_failed));
    std::string line =
        fmt::format("messages     {} sent, {} received, {} lost", grouped(tally.sent),
                    grouped(tally.received), grouped(tally.lost));
    // Without --verify nothing can be told apart but a message too many.
    if (options.verify || tally.repeated != 0)
        line += fmt::format(", {} repeated", grouped(tally.repeated));
    if (options.verify)
        line += fmt::format(", {} reordered, {} corrupt", grouped(tally.reordered),
                            grouped(tally.corrupt));
    return line + "\n";
}

std::string latency_line(const Tally &tally) {
    return fmt::format("latency us   p50 {:.1f}   p90 {:.1f}   p99 {:.1f}   p99.9 {:.1f}   max "
                       "{:.1f}\n",
                       quantile_us(tally, 0.5), quantile_us(tally, 0.9), quantile_us(tally, 0.99),
                       quantile_us(tally, 0.999), max_us(tally));
}

std::string trouble_lines(const Tally &tally) {
    std::string lines;
    for (auto [status, count] : tally.wc_errors)
        lines += fmt::format("wc error     {} x {}\n", grouped(count), wc_status_name(status));
    for (const auto &[text, count] : tally.troubles)
        lines += fmt::format("trouble      {} x {}\n", grouped(count), text);
    return lines;
}

} // namespace

std::string text_report(const Options &options, const Tally &tally) {
    Rates rates = rates_of(options, tally);
    std::string text = connections_line(options, tally) + messages_line(options, tally);
    if (tally.latency_ns.count() != 0) {
        text += fmt::format("rate         {} messages/s, {}/s for {:.2f} s\n", rate(rates.messages),
                            human_bytes(rates.bytes), rates.seconds);
        text += latency_line(tally);
    }
    return text + trouble_lines(tally);
}

std::string json_report(const Options &options, const Tally &tally) {
    Rates rates = rates_of(options, tally);
    auto wc_errors = nlohmann::ordered_json::object();
    for (auto [status, count] : tally.wc_errors)
        wc_errors[wc_status_name(status)] = count;
    auto micros = [&](double fraction) { return rounded(quantile_us(tally, fraction), 1e3); };
    nlohmann::ordered_json report{
        {"connections", tally.connected},
        {"failed", tally.connects_failed + tally.sends_failed},
        {"sent", tally.sent},
        {"received", tally.received},
        {"lost", tally.lost},
        {"repeated", tally.repeated},
        {"reordered", tally.reordered},
        {"corrupt", tally.corrupt},
        {"seconds", rounded(rates.seconds, 1e6)},
        {"msgs_per_s", rounded(rates.messages, 10)},
        {"bytes_per_s", rounded(rates.bytes, 10)},
        {"latency_us",
         {{"p50", micros(0.5)},
          {"p90", micros(0.9)},
          {"p99", micros(0.99)},
          {"p999", micros(0.999)},
          {"max", rounded(max_us(tally), 1e3)}}},
        {"wc_errors", wc_errors},
    };
    return report.dump() + "\n";
}

} // namespace srqload
