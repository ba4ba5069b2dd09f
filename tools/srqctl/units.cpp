// SPDX-License-Identifier: GPL-2.0
#include "units.h"

#include <array>
#include <ctime>
#include <span>
#include <string_view>

#include <fmt/chrono.h>
#include <fmt/format.h>

namespace srqctl {

namespace {

struct Step {
    double size;
    std::string_view name;
};

constexpr std::array<Step, 5> byte_steps = {{{1099511627776.0, "TiB"},
                                             {1073741824.0, "GiB"},
                                             {1048576.0, "MiB"},
                                             {1024.0, "KiB"},
                                             {1.0, "B"}}};
constexpr std::array<Step, 4> time_steps = {{{1e9, "s"}, {1e6, "ms"}, {1e3, "us"}, {1.0, "ns"}}};

// At most two decimals, and none that say nothing: 16, 1.5, 4.88.
std::string short_number(double value) {
    std::string text = fmt::format("{:.2f}", value);
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.')
        text.pop_back();
    return text;
}

std::string scaled(double value, std::span<const Step> steps) {
    for (const Step &step : steps)
        if (value >= step.size)
            return short_number(value / step.size) + ' ' + std::string(step.name);
    return short_number(value) + ' ' + std::string(steps.back().name);
}

std::string wall_clock(std::uint64_t nanoseconds) {
    const auto seconds = static_cast<std::time_t>(nanoseconds / 1000000000);
    std::tm local{};
    localtime_r(&seconds, &local);
    return fmt::format("{:%Y-%m-%d %H:%M:%S}.{:06}", local, nanoseconds / 1000 % 1000000);
}

} // namespace

std::string human(double value, Unit unit) {
    // Nothing is shown in the unit it was counted in.
    if (value == 0 && unit == Unit::msec)
        return "0 ms";
    if (value == 0 && unit == Unit::usec)
        return "0 us";
    if (value == 0 && unit == Unit::sec)
        return "0 s";
    switch (unit) {
    case Unit::bytes:
        return scaled(value, byte_steps);
    case Unit::nsec:
        return scaled(value, time_steps);
    case Unit::usec:
        return scaled(value * 1e3, time_steps);
    case Unit::msec:
        return scaled(value * 1e6, time_steps);
    case Unit::sec:
        return scaled(value * 1e9, time_steps);
    case Unit::none:
    case Unit::wall_clock_ns:
        break;
    }
    return short_number(value);
}

std::string human(std::uint64_t value, Unit unit) {
    if (unit == Unit::none)
        return std::to_string(value);
    if (unit == Unit::wall_clock_ns)
        return wall_clock(value);
    return human(static_cast<double>(value), unit);
}

} // namespace srqctl
