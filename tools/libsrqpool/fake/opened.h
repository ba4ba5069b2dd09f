// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#pragma once

#include <memory>
#include <string>

#include <srqpool/srqpool.h>

namespace srqpool::device {

struct Close {
    void operator()(srqpool_reader *reader) const { srqpool_reader_close(reader); }
};
using Opened = std::unique_ptr<srqpool_reader, Close>;

inline std::string text(const srqpool_event &event) {
    return {static_cast<const char *>(event.data), event.record.len};
}

/// The next event, which has to be there: its type is out of range if it is not.
inline srqpool_event next(const Opened &reader) {
    srqpool_event event{};
    if (srqpool_reader_next(reader.get(), &event) != 0)
        event.record.type = ~0U;
    return event;
}

/// What next() returns when there is nothing.
inline int no_next(const Opened &reader) {
    srqpool_event event{};
    return srqpool_reader_next(reader.get(), &event);
}

} // namespace srqpool::device
