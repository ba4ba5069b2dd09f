// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#pragma once

#include <memory>
#include <string>

#include "source.h"

struct srqpool_reader;

namespace srqpool {

/// Reads a pool through the device, by libsrqpool.
class PoolSource : public Source {
  public:
    /// Refused with ENOENT without such a pool, with EBUSY while its device is gone.
    static Result<std::unique_ptr<Source>> attach(const std::string &pool);

    ~PoolSource() override;
    PoolSource(const PoolSource &) = delete;
    PoolSource &operator=(const PoolSource &) = delete;

    Result<std::optional<Record>> next() override;

  private:
    PoolSource(srqpool_reader *reader, std::string pool);

    srqpool_reader *reader_;
    std::string pool_;
    std::uint64_t message_ = 0; // what the last record is, if it is a message
};

} // namespace srqpool
