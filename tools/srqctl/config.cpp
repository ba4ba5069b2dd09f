// SPDX-License-Identifier: GPL-2.0
#include "config.h"

#include "fields.h"

namespace srqctl {

namespace {

PoolConfig config_of(const srqpool::Pool &pool, const std::vector<srqpool::Listener> &listeners) {
    PoolConfig config{.spec = taken(pool_fields(), pool)};
    for (const srqpool::Class &one : pool.classes)
        config.spec.classes.push_back(taken(class_fields(), one));
    config.listeners.emplace();
    for (const srqpool::Listener &listener : listeners)
        if (listener.pool == pool.name)
            config.listeners->push_back(taken(listener_fields(), listener));
    return config;
}

template <typename Spec, typename Object>
Json object_of(std::span<const Field<Spec, Object>> fields, const Spec &spec) {
    Json object = Json::object();
    for (const auto &field : fields)
        if (Json value = field.write(spec); !value.is_null())
            object[std::string(field.key)] = std::move(value);
    return object;
}

template <typename Spec, typename Object>
Json array_of(std::span<const Field<Spec, Object>> fields, const std::vector<Spec> &specs) {
    Json array = Json::array();
    for (const Spec &spec : specs)
        array.push_back(object_of(fields, spec));
    return array;
}

Json to_json(const PoolConfig &pool) {
    Json object = object_of(pool_fields(), pool.spec);
    object["classes"] = array_of(class_fields(), pool.spec.classes);
    if (pool.listeners)
        object["listeners"] = array_of(listener_fields(), *pool.listeners);
    return object;
}

} // namespace

Config config_of(const std::vector<srqpool::Pool> &pools,
                 const std::vector<srqpool::Listener> &listeners) {
    Config config;
    for (const srqpool::Pool &pool : pools)
        if (pool.state != std::uint32_t{SRQPOOL_POOL_DELETING})
            config.pools.push_back(config_of(pool, listeners));
    return config;
}

Json to_json(const Config &config) {
    Json document;
    document["version"] = config_version;
    document["pools"] = Json::array();
    for (const PoolConfig &pool : config.pools)
        document["pools"].push_back(to_json(pool));
    return document;
}

} // namespace srqctl
