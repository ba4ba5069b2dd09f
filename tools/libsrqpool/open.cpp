// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include "open.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <new>

#include "read_reader.h"
#include "ring_reader.h"

namespace srqpool::device {

namespace {

constexpr std::uint32_t default_entries = 1024;
constexpr std::uint32_t default_spin_us = 50;

// Zeros at the end are options that are not used.
int copy(const srqpool_reader_options *given, srqpool_reader_options &options) {
    options = {};
    if (!given)
        return 0;
    if (given->size < sizeof(given->size))
        return -EINVAL;
    const auto *const bytes = reinterpret_cast<const char *>(given);
    const std::size_t known = std::min(given->size, sizeof(options));
    if (std::any_of(bytes + known, bytes + given->size, [](char byte) { return byte != 0; }))
        return -E2BIG;
    std::memcpy(&options, given, known);
    return 0;
}

int complete(srqpool_reader_options &options) {
    if (options.mode > SRQPOOL_READER_READ || options.waiting > SRQPOOL_READER_HYBRID)
        return -EINVAL;
    if (!options.entries && options.mode == SRQPOOL_READER_RING)
        options.entries = default_entries;
    if (!options.spin_us)
        options.spin_us = default_spin_us;
    return 0;
}

int attach(File &file, const char *pool, const srqpool_reader_options &options) {
    srqpool_attach request{};
    const std::size_t length = std::strlen(pool);
    if (length > SRQPOOL_NAME_MAX)
        return -ENOENT;
    std::memcpy(request.pool, pool, length);
    request.flags = options.mode == SRQPOOL_READER_RING ? SRQPOOL_ATTACH_RING : 0;
    request.entries = options.entries;
    return file.attach(request);
}

int make(File file, const srqpool_reader_options &options,
         std::unique_ptr<srqpool_reader> &reader) {
    if (options.mode == SRQPOOL_READER_RING)
        return RingReader::make(std::move(file), options, reader);
    reader = std::make_unique<ReadReader>(std::move(file), options);
    return 0;
}

int open_attached(System &system, const char *pool, const srqpool_reader_options &options,
                  std::unique_ptr<srqpool_reader> &reader) {
    const int fd = system.open();
    if (fd < 0)
        return fd == -ENOENT ? -ENXIO : fd;
    File file(system, fd);
    if (const int error = attach(file, pool, options))
        return error;
    return make(std::move(file), options, reader);
}

} // namespace

int open_reader(System &system, const char *pool, const srqpool_reader_options *options,
                srqpool_reader **reader) noexcept try {
    srqpool_reader_options all;
    if (const int error = copy(options, all))
        return error;
    if (const int error = complete(all))
        return error;
    std::unique_ptr<srqpool_reader> made;
    const int error = open_attached(system, pool, all, made);
    if (error == 0)
        *reader = made.release();
    return error;
} catch (const std::bad_alloc &) {
    return -ENOMEM;
}

} // namespace srqpool::device
