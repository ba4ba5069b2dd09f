// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "source.h"

namespace srqpool {

/// An open /dev/srqpool, attached to a pool.
class Reader : public Source {
  public:
    /// Refused with ENOENT without such a pool, with EBUSY while its device is gone.
    static Result<std::unique_ptr<Source>> attach(const std::string &pool);

    ~Reader() override;
    Reader(const Reader &) = delete;
    Reader &operator=(const Reader &) = delete;

    Result<std::optional<Record>> next() override;

  private:
    Reader(int fd, std::string pool);

    int fd_;
    std::string pool_;
    std::vector<std::byte> buffer_;
};

} // namespace srqpool
