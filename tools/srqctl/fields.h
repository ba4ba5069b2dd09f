// SPDX-License-Identifier: GPL-2.0
#pragma once

#include <span>
#include <string_view>

#include "record.h"
#include "values.h"

namespace srqctl {

/// What a configuration says of an object under one key. save, apply and diff know the keys from
/// here alone.
template <typename Spec, typename Object> struct Field {
    enum class Need { optional, required };
    enum class Change { live, fixed }; // whether an object that exists can change it

    std::string_view key;
    Need need;
    Change change;
    Parsed<void> (*read)(const Json &value, Spec &spec);
    Json (*write)(const Spec &spec); // null if nothing is said
    void (*take)(const Object &object, Spec &spec);
    void (*carry)(const Spec &from, Spec &to);

    // Whether an object is as it is asked for, where that is more than the same value.
    bool (*agrees)(const Spec &asked, const Object &object) = nullptr;
};

using PoolField = Field<srqpool::PoolSpec, srqpool::Pool>;
using ClassField = Field<srqpool::ClassSpec, srqpool::Class>;
using ListenerField = Field<srqpool::ListenerSpec, srqpool::Listener>;

/// All but the classes and the listeners.
std::span<const PoolField> pool_fields();
std::span<const ClassField> class_fields();
std::span<const ListenerField> listener_fields();

/// A quota and a reserve that each class has its own of, which only the module can choose.
constexpr std::uint32_t automatic_quota = 0;
constexpr std::uint32_t automatic_reserve = ~std::uint32_t{0};

template <typename Spec, typename Object>
Spec taken(std::span<const Field<Spec, Object>> fields, const Object &object) {
    Spec spec;
    for (const auto &field : fields)
        field.take(object, spec);
    return spec;
}

template <typename Spec, typename Object>
bool agrees(const Field<Spec, Object> &field, const Spec &asked, const Object &object) {
    const Json value = field.write(asked);
    if (value.is_null())
        return true;
    if (field.agrees)
        return field.agrees(asked, object);
    Spec present;
    field.take(object, present);
    return field.write(present) == value;
}

} // namespace srqctl
