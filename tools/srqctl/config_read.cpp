// SPDX-License-Identifier: GPL-2.0
#include "config_read.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "fields.h"

namespace srqctl {

namespace {

using srqpool::ClassSpec;
using srqpool::ListenerSpec;

using Keys = std::vector<std::string_view>;

tl::unexpected<std::string> wrong(std::string text) { return tl::unexpected(std::move(text)); }

tl::unexpected<std::string> wrong_at(const std::string &path, const std::string &text) {
    return wrong(path.empty() ? text : path + ": " + text);
}

std::string member(const std::string &path, std::string_view key) {
    return path.empty() ? std::string(key) : fmt::format("{}.{}", path, key);
}

std::string element(const std::string &path, std::size_t index) {
    return fmt::format("{}[{}]", path, index);
}

// The library keeps the last of two values under one key, and says nothing.
class UniqueKeys {
  public:
    bool operator()(int /*depth*/, Json::parse_event_t event, const Json &parsed) {
        if (event == Json::parse_event_t::object_start)
            keys_.emplace_back();
        else if (event == Json::parse_event_t::object_end)
            keys_.pop_back();
        else if (event == Json::parse_event_t::key && !keys_.back().insert(parsed).second)
            twice_ = twice_.value_or(parsed.get<std::string>());
        return true;
    }

    const std::optional<std::string> &twice() const { return twice_; }

  private:
    std::vector<std::set<std::string>> keys_;
    std::optional<std::string> twice_;
};

// "line 3, column 5: ...", without the library's own words before it.
std::string syntax_text(const std::string &what) {
    for (const std::string_view before : {"parse error at ", "] "})
        if (const std::size_t at = what.find(before); at != std::string::npos)
            return what.substr(at + before.size());
    return what;
}

Parsed<Json> parse_json(std::string_view text) {
    UniqueKeys keys;
    try {
        Json json = Json::parse(text, std::ref(keys));
        if (keys.twice())
            return wrong(fmt::format("the key {} is there twice in one object", *keys.twice()));
        return json;
    } catch (const Json::exception &error) { // of a number that is too large, too
        return wrong(syntax_text(error.what()));
    }
}

Parsed<void> check_keys(const Json &json, const std::string &path, const Keys &known) {
    if (!json.is_object())
        return wrong_at(path, "must be an object");
    for (const auto &[key, value] : json.items())
        if (std::find(known.begin(), known.end(), key) == known.end())
            return wrong_at(member(path, key),
                            fmt::format("unknown key; there are: {}", fmt::join(known, ", ")));
    return {};
}

// The elements of the array under a key, which must be there.
Parsed<const Json *> array_at(const Json &json, const std::string &path, std::string_view key) {
    const auto found = json.find(std::string(key));
    if (found == json.end())
        return wrong_at(member(path, key), "is missing");
    if (!found->is_array())
        return wrong_at(member(path, key), "must be an array");
    return &*found;
}

template <typename Spec, typename Object>
Parsed<Spec> read_object(const Json &json, const std::string &path,
                         std::span<const Field<Spec, Object>> fields, Keys others = {}) {
    Keys known;
    for (const auto &field : fields)
        known.push_back(field.key);
    known.insert(known.end(), others.begin(), others.end());
    if (const auto checked = check_keys(json, path, known); !checked)
        return wrong(checked.error());

    Spec spec;
    for (const auto &field : fields) {
        const auto found = json.find(std::string(field.key));
        if (found == json.end()) {
            if (field.need == Field<Spec, Object>::Need::required)
                return wrong_at(member(path, field.key), "is missing");
            continue;
        }
        if (const auto read = field.read(*found, spec); !read)
            return wrong_at(member(path, field.key), read.error());
    }
    return spec;
}

bool has_class(const std::vector<ClassSpec> &classes, const std::string &name) {
    return std::any_of(classes.begin(), classes.end(),
                       [&](const ClassSpec &one) { return one.name == name; });
}

Parsed<ClassSpec> read_class(const Json &json, const std::string &path) {
    auto spec = read_object(json, path, class_fields());
    if (!spec)
        return spec;
    if (const auto fits = check_range(*spec->floor, *spec->ceiling); !fits)
        return wrong_at(path, fits.error());
    if (!spec->mark)
        return spec;
    if (const auto fits = check_mark(*spec->mark, *spec->ceiling); !fits)
        return wrong_at(member(path, "mark_spec"), fits.error());
    return spec;
}

Parsed<std::vector<ClassSpec>> read_classes(const Json &pool, const std::string &path) {
    const auto array = array_at(pool, path, "classes");
    if (!array)
        return wrong(array.error());
    const std::string here = member(path, "classes");
    if ((*array)->empty())
        return wrong_at(here, "a pool has at least one class");

    std::vector<ClassSpec> classes;
    for (const Json &json : **array) {
        const std::string at = element(here, classes.size());
        auto spec = read_class(json, at);
        if (!spec)
            return wrong(spec.error());
        if (has_class(classes, spec->name))
            return wrong_at(member(at, "name"), fmt::format("{} is there twice", spec->name));
        classes.push_back(std::move(*spec));
    }
    return classes;
}

Parsed<std::vector<ListenerSpec>> read_listeners(const Json &pool, const std::string &path,
                                                 const srqpool::PoolSpec &owner) {
    const auto array = array_at(pool, path, "listeners");
    if (!array)
        return wrong(array.error());

    std::vector<ListenerSpec> listeners;
    for (const Json &json : **array) {
        const std::string at = element(member(path, "listeners"), listeners.size());
        auto spec = read_object(json, at, listener_fields());
        if (!spec)
            return wrong(spec.error());
        if (spec->class_name && !has_class(owner.classes, *spec->class_name))
            return wrong_at(member(at, "class"),
                            fmt::format("the pool has no class {}", *spec->class_name));
        spec->pool = owner.name;
        listeners.push_back(std::move(*spec));
    }
    return listeners;
}

Parsed<PoolConfig> read_pool(const Json &json, const std::string &path) {
    auto spec = read_object(json, path, pool_fields(), {"classes", "listeners"});
    if (!spec)
        return wrong(spec.error());
    auto classes = read_classes(json, path);
    if (!classes)
        return wrong(classes.error());

    PoolConfig pool{.spec = std::move(*spec)};
    pool.spec.classes = std::move(*classes);
    if (!json.contains("listeners"))
        return pool;
    auto listeners = read_listeners(json, path, pool.spec);
    if (!listeners)
        return wrong(listeners.error());
    pool.listeners = std::move(*listeners);
    return pool;
}

// An unknown version is said first: its keys may be unknown, too.
Parsed<void> check_version(const Json &json) {
    if (!json.is_object())
        return wrong("a configuration is an object");
    const auto version = json.find("version");
    if (version == json.end())
        return wrong_at("version", "is missing");
    if (*version != config_version)
        return wrong_at("version",
                        fmt::format("{} is not known, only {}", version->dump(), config_version));
    return {};
}

/// What may be there only once in a file.
class Names {
  public:
    Parsed<void> add(const PoolConfig &pool, const std::string &path) {
        if (!pools_.insert(pool.spec.name).second)
            return wrong_at(member(path, "name"), fmt::format("{} is there twice", pool.spec.name));
        if (!pool.listeners)
            return {};
        for (std::size_t i = 0; i < pool.listeners->size(); i++) {
            const ListenerSpec &one = (*pool.listeners)[i];
            const std::string where = with_port(one.addr, one.port);
            if (!endpoints_.insert(where).second)
                return wrong_at(element(member(path, "listeners"), i),
                                fmt::format("{} is there twice", where));
        }
        return {};
    }

  private:
    std::set<std::string> pools_;
    std::set<std::string> endpoints_;
};

} // namespace

Parsed<Config> read_config(std::string_view text) {
    const auto json = parse_json(text);
    if (!json)
        return wrong(json.error());
    if (const auto checked = check_version(*json); !checked)
        return wrong(checked.error());
    if (const auto checked = check_keys(*json, "", {"version", "pools"}); !checked)
        return wrong(checked.error());
    const auto array = array_at(*json, "", "pools");
    if (!array)
        return wrong(array.error());

    Config config;
    Names names;
    for (const Json &one : **array) {
        const std::string path = element("pools", config.pools.size());
        auto pool = read_pool(one, path);
        if (!pool)
            return wrong(pool.error());
        if (const auto added = names.add(*pool, path); !added)
            return wrong(added.error());
        config.pools.push_back(std::move(*pool));
    }
    return config;
}

} // namespace srqctl
