// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include <linux/netlink.h>

namespace srqpool {

/// A row of netlink attributes, read where they lie. A getter answers nothing if the attribute is
/// absent or has another length than its type; nothing is ever read beyond the row.
class Attributes {
  public:
    explicit Attributes(std::span<const std::byte> row) : row_(row) {}

    /// Those behind the generic netlink header of a message.
    static Attributes of_message(const nlmsghdr &message);

    std::optional<std::uint8_t> u8(int type) const;
    std::optional<std::uint16_t> u16(int type) const;
    std::optional<std::uint32_t> u32(int type) const;
    std::optional<std::uint64_t> u64(int type) const;
    std::optional<bool> boolean(int type) const;
    std::optional<std::string> string(int type) const;
    std::optional<std::span<const std::byte>> binary(int type) const;
    std::optional<Attributes> nest(int type) const;

    /// Calls `visit(payload)` for each attribute of a type that can come several times.
    template <typename Visit> void each(int type, Visit visit) const {
        for (std::span<const std::byte> rest = row_; auto item = next(rest);)
            if (item->type == type)
                visit(item->payload);
    }

    /// Calls `visit(attributes)` for each nest of a type.
    template <typename Visit> void each_nest(int type, Visit visit) const {
        each(type, [&](std::span<const std::byte> payload) { visit(Attributes(payload)); });
    }

    /// Calls `visit(attributes)` for each nest, whatever its type: netlink's arrays.
    template <typename Visit> void each_element(Visit visit) const {
        for (std::span<const std::byte> rest = row_; auto item = next(rest);)
            visit(Attributes(item->payload));
    }

  private:
    struct Item {
        int type;
        std::span<const std::byte> payload;
    };

    /// Takes the first attribute off `rest`.
    static std::optional<Item> next(std::span<const std::byte> &rest);
    template <typename T> std::optional<T> number(int type) const;

    std::span<const std::byte> row_;
};

} // namespace srqpool
