// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#pragma once

#include <memory>

#include "reader.h"
#include "slots.h"

namespace srqpool::device {

/// A reader by read(). Each message that the program has is in a buffer of its own.
class ReadReader final : public srqpool_reader {
  public:
    /// What the first buffers hold, record and message.
    static constexpr std::size_t first_bytes = sizeof(srqpool_record) + (64U << 10);
    static constexpr std::size_t most_bytes = sizeof(srqpool_record) + SRQPOOL_SIZE_MAX;

    ReadReader(File file, const srqpool_reader_options &options) noexcept;

    int next(srqpool_event &event) noexcept override;
    int give_back(std::uint64_t message) noexcept override;
    int reply(std::uint64_t message, std::size_t len) noexcept override;
    int flush() noexcept override { return 0; }

  private:
    struct Buffer {
        std::unique_ptr<std::byte[]> memory;
        std::size_t bytes = 0;

        srqpool_record record() const noexcept;
        const std::byte *data() const noexcept { return memory.get() + sizeof(srqpool_record); }
    };

    int look() noexcept override;
    int read_into(Buffer &buffer) noexcept;
    bool fit(Buffer &buffer) noexcept;

    std::size_t bytes_ = first_bytes; // that a record needed so far
    Slots<Buffer> buffers_;
};

} // namespace srqpool::device
