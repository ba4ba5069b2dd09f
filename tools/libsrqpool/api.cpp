// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include "open.h"
#include "reader.h"

// The C interface.

int srqpool_reader_open(const char *pool, const srqpool_reader_options *options,
                        srqpool_reader **reader) {
    return srqpool::device::open_reader(srqpool::device::linux_system(), pool, options, reader);
}

void srqpool_reader_close(srqpool_reader *reader) { delete reader; }

int srqpool_reader_fd(const srqpool_reader *reader) { return reader->file().fd(); }

int srqpool_reader_next(srqpool_reader *reader, srqpool_event *event) {
    return reader->next(*event);
}

int srqpool_reader_wait(srqpool_reader *reader, int timeout_ms, const sigset_t *mask) {
    return reader->wait(timeout_ms, mask);
}

int srqpool_reader_give_back(srqpool_reader *reader, std::uint64_t message) {
    return reader->give_back(message);
}

int srqpool_reader_reply(srqpool_reader *reader, std::uint64_t message, std::size_t len) {
    return reader->reply(message, len);
}

int srqpool_reader_send(srqpool_reader *reader, std::uint64_t conn, const void *data,
                        std::size_t len, const std::uint32_t *imm) {
    return reader->file().send(conn, data, len, imm);
}

int srqpool_reader_hang_up(srqpool_reader *reader, std::uint64_t conn) {
    return reader->file().hang_up(conn);
}

int srqpool_reader_get_stats(srqpool_reader *reader, srqpool_reader_stats *stats) {
    return reader->file().stats(*stats);
}

int srqpool_reader_flush(srqpool_reader *reader) { return reader->flush(); }
