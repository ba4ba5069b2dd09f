// SPDX-License-Identifier: GPL-2.0
#include "amounts.h"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "units.h"

namespace srqctl::advice {

namespace {

constexpr std::uint64_t count_max = std::uint64_t{1} << 31;
// Fewer in a queue can stall peers that wait for each other; the module warns of it.
constexpr std::uint64_t shallow = 128;
// Most buffers of a queue's handler reserve.
constexpr std::uint64_t reserve_max = 64;
// Memory that is not worth saving.
constexpr std::uint64_t cheap_bytes = 1 << 20;
// Messages so long take longer to arrive than to be taken: none wait in the completion queue.
constexpr std::uint32_t big_size = 64 << 10;
constexpr std::uint64_t big_floor_min = 16;
constexpr std::uint32_t mark_default = 12;
constexpr std::uint32_t mark_raised = 25;
constexpr std::uint32_t mark_dry = 50;

std::uint32_t power_of_two(std::uint64_t count) {
    return static_cast<std::uint32_t>(
        std::bit_ceil(std::clamp<std::uint64_t>(count, 1, count_max)));
}

std::uint32_t at_most(std::uint64_t value, std::uint64_t most) {
    return static_cast<std::uint32_t>(std::min({value, most, count_max}));
}

std::uint64_t product(std::uint64_t a, std::uint64_t b) {
    return b > 0 && a > count_max / b ? count_max : a * b;
}

std::string bytes(std::uint64_t count, const Basis &basis) {
    return human(count * basis.size, Unit::bytes);
}

bool is_cheap(const Basis &basis) {
    const std::uint64_t floor = std::max<std::uint64_t>(basis.floor, shallow * basis.shards);
    return (floor + reserve_max * basis.shards) * basis.size <= cheap_bytes;
}

bool is_big(const Basis &basis) { return basis.size >= big_size; }

// Everything that all connections can have under way at once.
std::uint64_t n_x_m(const Basis &basis) { return product(basis.conns, basis.burst); }

Choice<std::uint32_t> floor_of_dry(const Basis &basis) {
    const std::uint64_t wanted =
        power_of_two(std::max(std::uint64_t{basis.floor} * 2, std::uint64_t{basis.target} / 2));
    const std::uint64_t most = std::max<std::uint64_t>(basis.floor, basis.budget / 2 / basis.size);
    return {at_most(wanted, most),
            fmt::format("half of the {} to which it has grown, and at least twice what it had: "
                        "connections waited for buffers while it grew",
                        basis.target)};
}

Choice<std::uint32_t> floor_of_cheap(const Basis &basis) {
    const std::uint64_t least = shallow * basis.shards;
    if (basis.floor < least)
        return {at_most(least, count_max),
                fmt::format("a queue of fewer than {} can stall peers that wait for each other, "
                            "and so many are only {}",
                            shallow, bytes(least, basis))};
    return {basis.floor, fmt::format("so many are only {}", bytes(basis.floor, basis))};
}

Choice<std::uint32_t> floor_from_need(const Basis &basis) {
    const std::uint64_t held = product(basis.held, 2);
    const std::uint64_t need = is_big(basis)
                                   ? std::max(product(basis.conns, 2) + held, big_floor_min)
                                   : std::max({n_x_m(basis), held, shallow * basis.shards});
    const std::uint32_t wanted = power_of_two(need);
    if (std::uint64_t{wanted} * 2 > basis.floor)
        return {basis.floor, "it never fell under its mark, and needs more than half"};
    if (is_big(basis))
        return {wanted,
                fmt::format("twice one for each of {} connections to fill and the {} that were "
                            "held at once; such a message is taken sooner than the next is there",
                            basis.conns, basis.held)};
    return {wanted, fmt::format("{} connections x {} messages is the most that can be under way",
                                basis.conns, basis.burst)};
}

bool is_at_ceiling(const Basis &basis) {
    return basis.target + reserve_max * basis.shards >= basis.ceiling;
}

std::uint32_t raised_ceiling(const Basis &basis) {
    const std::uint64_t now = basis.ceiling;
    const std::uint64_t wanted =
        std::clamp<std::uint64_t>(power_of_two(n_x_m(basis)), now * 2, now * 4);
    const std::uint64_t most = std::min(basis.ceiling_max, basis.budget / basis.size);
    return at_most(wanted, std::max(now, most));
}

std::uint32_t percent_of(const Basis &basis) {
    if (basis.mark_spec.kind == SRQPOOL_MARK_PERCENT)
        return basis.mark_spec.value;
    return basis.target == 0
               ? 0
               : static_cast<std::uint32_t>(std::uint64_t{basis.mark} * 100 / basis.target);
}

// A burst can eat it before the event is served.
bool is_under_5_percent(const Basis &basis) {
    if (basis.mark_spec.kind == SRQPOOL_MARK_AUTO)
        return false;
    return std::uint64_t{basis.mark} * 20 < basis.target;
}

bool was_eaten(const Basis &basis) {
    return basis.low && !basis.dry && basis.low_water < basis.mark / 2;
}

srqpool::Mark percent(std::uint32_t value) { return {SRQPOOL_MARK_PERCENT, value}; }

bool suits(const srqpool::Mark &mark, std::uint32_t floor) {
    return mark.kind != SRQPOOL_MARK_COUNT ||
           (std::uint64_t{mark.value} * 20 >= floor && mark.value < floor);
}

} // namespace

Choice<std::uint32_t> floor_for(const Basis &basis) {
    if (basis.dry)
        return floor_of_dry(basis);
    if (basis.conns == 0)
        return {basis.floor, "without a connection nothing says how many it needs"};
    if (is_cheap(basis))
        return floor_of_cheap(basis);
    if (basis.low)
        return {basis.floor, "it fell under its mark and was refilled in time"};
    return floor_from_need(basis);
}

Choice<std::uint32_t> ceiling_for(const Basis &basis, std::uint32_t floor) {
    if (basis.dry && is_at_ceiling(basis))
        return {std::max(raised_ceiling(basis), floor),
                fmt::format("it has grown up to its ceiling, and connections waited; they can have "
                            "{} messages under way",
                            n_x_m(basis))};
    if (floor > basis.floor && floor > basis.ceiling / 2)
        return {
            at_most(std::uint64_t{floor} * 2, std::max<std::uint64_t>(floor, basis.ceiling_max)),
            "twice the floor, so that it can grow"};
    const std::uint64_t enough = std::max(std::uint64_t{floor} * 2, basis.conns);
    const bool grew = basis.low || basis.target > basis.floor;
    if (is_big(basis) && !basis.dry && !grew && enough * 2 <= basis.ceiling)
        return {static_cast<std::uint32_t>(enough),
                "it never grew, and what is kept ready for the limit event and for copies follows "
                "from the ceiling"};
    return {basis.ceiling, "what it does not need it does not pin"};
}

Choice<srqpool::Mark> mark_for(const Basis &basis, std::uint32_t floor) {
    if (!basis.armed)
        return {basis.mark_spec, "the pool refills at once, without a limit event"};
    if (basis.dry && percent_of(basis) < mark_dry)
        return {percent(mark_dry),
                "what was left at the limit event did not last until the refill"};
    if (is_under_5_percent(basis))
        return {percent(mark_default), "a burst can eat so few before the refill"};
    if (was_eaten(basis) && percent_of(basis) < mark_raised)
        return {percent(mark_raised),
                fmt::format("the level fell to {} before the refill", basis.low_water)};
    if (!suits(basis.mark_spec, floor))
        return {percent(mark_default), "a count does not follow the floor"};
    if (!basis.low)
        return {basis.mark_spec, "the level never fell under it"};
    return {basis.mark_spec, basis.dry ? "it is half already" : "the refill came in time"};
}

bool mark_is_low(const Basis &basis) {
    if (!basis.armed)
        return false;
    return is_under_5_percent(basis) || (basis.dry && percent_of(basis) < mark_dry) ||
           (was_eaten(basis) && percent_of(basis) < mark_raised);
}

} // namespace srqctl::advice
