// SPDX-License-Identifier: GPL-2.0
#include "fields.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "lib/names.h"

namespace srqctl {

namespace {

using srqpool::Class;
using srqpool::ClassSpec;
using srqpool::Listener;
using srqpool::ListenerSpec;
using srqpool::Pool;
using srqpool::PoolSpec;

enum class Form { number, text, number_or_text };

std::string_view form_name(Form form) {
    switch (form) {
    case Form::number:
        return "a whole number from 0";
    case Form::text:
        return "a text";
    case Form::number_or_text:
        break;
    }
    return "a whole number from 0, or a text";
}

// As the command line has it, so that the same parsers read it.
Parsed<std::string> text_of(const Json &value, Form form) {
    if (value.is_number_unsigned() && form != Form::text)
        return value.dump();
    if (value.is_string() && form != Form::number)
        return value.get<std::string>();
    return tl::unexpected(fmt::format("must be {}", form_name(form)));
}

Parsed<std::uint32_t> parse_quota(std::string_view text) {
    if (text == "auto")
        return automatic_quota;
    return parse_count(text);
}

Parsed<std::uint32_t> parse_reserve(std::string_view text) {
    if (text == "auto")
        return automatic_reserve;
    return parse_amount(text);
}

constexpr auto plain = [](const auto &value) { return Json(value); };
constexpr auto texted = [](const auto &value) { return Json(to_string(value)); };

template <std::uint32_t automatic>
constexpr auto number_or_auto =
    [](std::uint32_t value) { return value == automatic ? Json("auto") : Json(value); };

template <auto name> constexpr auto word = [](std::uint32_t value) { return Json(name(value)); };

template <typename T> const T *value_of(const std::optional<T> &value) {
    return value ? &*value : nullptr;
}

template <typename T> const T *value_of(const T &value) { return &value; }

template <auto asked, auto shown, Form form, auto parse, auto print, typename Spec, typename Object>
constexpr Field<Spec, Object> make_field(std::string_view key,
                                         typename Field<Spec, Object>::Need need,
                                         typename Field<Spec, Object>::Change change) {
    return {
        .key = key,
        .need = need,
        .change = change,
        .read = [](const Json &value, Spec &spec) -> Parsed<void> {
            const auto text = text_of(value, form);
            if (!text)
                return tl::unexpected(text.error());
            auto parsed = parse(*text);
            if (!parsed)
                return tl::unexpected(parsed.error());
            spec.*asked = std::move(*parsed);
            return {};
        },
        .write = [](const Spec &spec) -> Json {
            const auto *value = value_of(spec.*asked);
            return value ? print(*value) : Json(nullptr);
        },
        .take =
            [](const Object &object, Spec &spec) {
                if (const auto *value = value_of(object.*shown))
                    spec.*asked = *value;
            },
        .carry = [](const Spec &from, Spec &to) { to.*asked = from.*asked; },
    };
}

template <auto asked, auto shown, Form form, auto parse, auto print>
constexpr PoolField knob(std::string_view key, PoolField::Change change,
                         PoolField::Need need = PoolField::Need::optional) {
    return make_field<asked, shown, form, parse, print, PoolSpec, Pool>(key, need, change);
}

template <auto asked, auto shown, Form form, auto parse, auto print>
constexpr ClassField class_field(std::string_view key, ClassField::Change change,
                                 ClassField::Need need = ClassField::Need::required) {
    return make_field<asked, shown, form, parse, print, ClassSpec, Class>(key, need, change);
}

// A listener that exists changes nothing: it is replaced.
template <auto asked, auto shown, Form form, auto parse, auto print>
constexpr ListenerField listener_field(std::string_view key,
                                       ListenerField::Need need = ListenerField::Need::optional) {
    return make_field<asked, shown, form, parse, print, ListenerSpec, Listener>(
        key, need, ListenerField::Change::fixed);
}

// What the module chooses, as linux/srqpool.h says.

std::uint32_t chosen_quota(const Class &one) {
    return std::max<std::uint32_t>(16, one.ceiling.value_or(0) / 8);
}

std::uint32_t chosen_reserve(const Class &one) {
    const std::uint32_t floor = one.floor.value_or(0);
    return std::min(std::max<std::uint32_t>(8, floor / 8), floor / 2);
}

// The module shows what holds for the first class.
template <auto shown, auto chosen> bool is_chosen(const Pool &pool) {
    return !pool.classes.empty() && pool.*shown == chosen(pool.classes.front());
}

template <auto chosen> bool differs_by_class(const Pool &pool) {
    return std::any_of(pool.classes.begin(), pool.classes.end(), [&](const Class &one) {
        return chosen(one) != chosen(pool.classes.front());
    });
}

// A knob that the module can choose for each class. One number says it, unless it did.
template <auto asked, auto shown, auto chosen, std::uint32_t automatic>
constexpr PoolField chosen_by_class(PoolField field) {
    field.take = [](const Pool &pool, PoolSpec &spec) {
        spec.*asked = pool.*shown;
        if (is_chosen<shown, chosen>(pool) && differs_by_class<chosen>(pool))
            spec.*asked = automatic;
    };
    field.agrees = [](const PoolSpec &spec, const Pool &pool) {
        return spec.*asked == automatic ? is_chosen<shown, chosen>(pool)
                                        : spec.*asked == pool.*shown;
    };
    return field;
}

// Any number of shards is one that was chosen.
constexpr PoolField chosen_once(PoolField field) {
    constexpr auto take_any = [](const PoolSpec &spec, const Pool &pool) {
        return spec.shards == 0U || spec.shards == pool.shards;
    };
    field.agrees = take_any;
    return field;
}

constexpr auto live = PoolField::Change::live;
constexpr auto fixed = PoolField::Change::fixed;
constexpr auto required = PoolField::Need::required;

constexpr std::array the_pool_fields = {
    knob<&PoolSpec::name, &Pool::name, Form::text, parse_name, plain>("name", fixed, required),
    knob<&PoolSpec::dev, &Pool::dev, Form::text, parse_dev_name, plain>("dev", fixed, required),
    chosen_once(knob<&PoolSpec::shards, &Pool::shards, Form::number_or_text, parse_shards,
                     number_or_auto<0>>("shards", fixed)),
    knob<&PoolSpec::poll, &Pool::poll, Form::text, parse_poll, texted>("poll", live),
    knob<&PoolSpec::budget, &Pool::budget, Form::number_or_text, parse_bytes, plain>("budget",
                                                                                     live),
    knob<&PoolSpec::rnr_timer_us, &Pool::rnr_timer_us, Form::number, parse_count, plain>(
        "rnr_timer_us", live),
    knob<&PoolSpec::refill, &Pool::refill, Form::text, parse_refill, word<srqpool::refill_name>>(
        "refill", fixed),
    knob<&PoolSpec::dedicated, &Pool::dedicated, Form::number, parse_amount, plain>("dedicated",
                                                                                    fixed),
    chosen_by_class<&PoolSpec::quota, &Pool::quota, chosen_quota, automatic_quota>(
        knob<&PoolSpec::quota, &Pool::quota, Form::number_or_text, parse_quota,
             number_or_auto<automatic_quota>>("quota", live)),
    knob<&PoolSpec::quota_policy, &Pool::quota_policy, Form::text, parse_quota_policy,
         word<srqpool::quota_policy_name>>("quota_policy", live),
    chosen_by_class<&PoolSpec::reserve, &Pool::reserve, chosen_reserve, automatic_reserve>(
        knob<&PoolSpec::reserve, &Pool::reserve, Form::number_or_text, parse_reserve,
             number_or_auto<automatic_reserve>>("reserve", live)),
    knob<&PoolSpec::copybreak, &Pool::copybreak, Form::number_or_text, parse_copybreak, plain>(
        "copybreak", live),
    knob<&PoolSpec::aging, &Pool::aging, Form::number, parse_amount, plain>("aging", live),
    knob<&PoolSpec::keepalive, &Pool::keepalive, Form::number, parse_amount, plain>("keepalive",
                                                                                    live),
};

constexpr std::array the_class_fields = {
    class_field<&ClassSpec::name, &Class::name, Form::text, parse_name, plain>(
        "name", ClassField::Change::fixed),
    class_field<&ClassSpec::size, &Class::size, Form::number_or_text, parse_size, plain>(
        "size", ClassField::Change::fixed),
    class_field<&ClassSpec::floor, &Class::floor, Form::number, parse_count, plain>(
        "floor", ClassField::Change::live),
    class_field<&ClassSpec::ceiling, &Class::ceiling, Form::number, parse_count, plain>(
        "ceiling", ClassField::Change::live),
    class_field<&ClassSpec::mark, &Class::mark_spec, Form::number_or_text, parse_mark, texted>(
        "mark_spec", ClassField::Change::live, ClassField::Need::optional),
};

constexpr std::array the_listener_fields = {
    listener_field<&ListenerSpec::class_name, &Listener::class_name, Form::text, parse_name, plain>(
        "class"),
    listener_field<&ListenerSpec::addr, &Listener::addr, Form::text, parse_addr, texted>(
        "addr", ListenerField::Need::required),
    listener_field<&ListenerSpec::port, &Listener::port, Form::number, parse_port, plain>(
        "port", ListenerField::Need::required),
    listener_field<&ListenerSpec::transport, &Listener::transport, Form::text, parse_transport,
                   word<srqpool::transport_name>>("transport"),
    listener_field<&ListenerSpec::mode, &Listener::mode, Form::text, parse_mode,
                   word<srqpool::mode_name>>("mode"),
    listener_field<&ListenerSpec::max_conns, &Listener::max_conns, Form::number, parse_count,
                   plain>("max_conns"),
};

} // namespace

std::span<const PoolField> pool_fields() { return the_pool_fields; }

std::span<const ClassField> class_fields() { return the_class_fields; }

std::span<const ListenerField> listener_fields() { return the_listener_fields; }

} // namespace srqctl
