// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include <linux/srqpool.h>

#include "error.h"

namespace srqpool {

/// What a reader of a pool is told.
struct Record {
    srqpool_record head;             // see linux/srqpool.h
    std::span<const std::byte> data; // the message; valid until the next call
};

/// Where records come from: the device, or a test.
class Source {
  public:
    virtual ~Source() = default;

    /// The next, or none after a wait for one or for a signal, a blocked one too.
    virtual Result<std::optional<Record>> next() = 0;
};

} // namespace srqpool
