// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include "libsrqpool/open.h"

#include <cerrno>
#include <cstddef>
#include <cstring>

#include <gtest/gtest.h>
#include <sys/mman.h>

#include "libsrqpool/fake/fake_device.h"
#include "libsrqpool/fake/opened.h"
#include "libsrqpool/ring.h"

namespace srqpool::device {
namespace {

srqpool_reader_options with_size() {
    srqpool_reader_options options{};
    options.size = sizeof(options);
    return options;
}

int try_open(FakeDevice &device, const srqpool_reader_options *options, const char *pool = "p0") {
    srqpool_reader *reader = nullptr;
    const int error = open_reader(device, pool, options, &reader);
    EXPECT_EQ(error == 0, reader != nullptr);
    srqpool_reader_close(reader);
    EXPECT_EQ(device.opens, device.closes);
    EXPECT_EQ(device.mappings.size(), device.unmapped.size());
    return error;
}

TEST(Open, DefaultsAreRings) {
    FakeDevice device;
    EXPECT_EQ(try_open(device, nullptr, "web"), 0);
    EXPECT_STREQ(device.attached.pool, "web");
    EXPECT_EQ(device.attached.flags, SRQPOOL_ATTACH_RING);
    EXPECT_EQ(device.attached.entries, 1024U);
    EXPECT_EQ(device.opens, 1);
}

TEST(Open, ReadModeHasNoRings) {
    FakeDevice device;
    srqpool_reader_options options = with_size();
    options.mode = SRQPOOL_READER_READ;
    EXPECT_EQ(try_open(device, &options), 0);
    EXPECT_EQ(device.attached.flags, 0U);
    EXPECT_EQ(device.attached.entries, 0U);
    EXPECT_TRUE(device.mappings.empty());
}

TEST(Open, EntriesAreAskedFor) {
    FakeDevice device;
    srqpool_reader_options options = with_size();
    options.entries = 64;
    EXPECT_EQ(try_open(device, &options), 0);
    EXPECT_EQ(device.attached.entries, 64U);
}

TEST(Open, MapsEachRing) {
    FakeDevice device(3);
    EXPECT_EQ(try_open(device, nullptr), 0);
    ASSERT_EQ(device.mappings.size(), 3U);
    for (std::size_t i = 0; i < 3; i++) {
        EXPECT_EQ(device.mappings[i].offset, (1ULL << 62) + (i << 32));
        EXPECT_EQ(device.mappings[i].bytes, ring_bytes(64));
        EXPECT_EQ(device.mappings[i].protection, PROT_READ | PROT_WRITE);
        EXPECT_EQ(device.unmapped[i], ring_bytes(64));
    }
}

TEST(Open, OptionsOfAnOlderProgramAreKnown) {
    FakeDevice device;
    srqpool_reader_options options = with_size();
    options.size = offsetof(srqpool_reader_options, entries);
    options.entries = 3; // not part of them
    EXPECT_EQ(try_open(device, &options), 0);
    EXPECT_EQ(device.attached.entries, 1024U);
}

struct Newer {
    srqpool_reader_options known;
    std::uint64_t more;
};

TEST(Open, OptionsOfANewerProgramAreKnownIfUnused) {
    FakeDevice device;
    Newer options{};
    options.known.size = sizeof(options);
    EXPECT_EQ(try_open(device, &options.known), 0);
    options.more = 1ULL << 63;
    EXPECT_EQ(try_open(device, &options.known), -E2BIG);
    EXPECT_EQ(device.opens, 1);
}

TEST(Open, RefusesOptions) {
    FakeDevice device;
    srqpool_reader_options options{};
    EXPECT_EQ(try_open(device, &options), -EINVAL);
    options = with_size();
    options.mode = SRQPOOL_READER_READ + 1;
    EXPECT_EQ(try_open(device, &options), -EINVAL);
    options = with_size();
    options.waiting = SRQPOOL_READER_HYBRID + 1;
    EXPECT_EQ(try_open(device, &options), -EINVAL);
    EXPECT_EQ(device.opens, 0);
}

TEST(Open, TellsNoModuleFromNoPool) {
    FakeDevice device;
    device.open_error = -ENOENT;
    EXPECT_EQ(try_open(device, nullptr), -ENXIO);
    device.open_error = -EACCES;
    EXPECT_EQ(try_open(device, nullptr), -EACCES);
    device.open_error = 0;
    device.attach_error = -ENOENT;
    EXPECT_EQ(try_open(device, nullptr), -ENOENT);
    EXPECT_EQ(device.closes, 1);
}

TEST(Open, NoPoolHasALongName) {
    FakeDevice device;
    EXPECT_EQ(try_open(device, nullptr, std::string(SRQPOOL_NAME_MAX, 'x').c_str()), 0);
    EXPECT_EQ(try_open(device, nullptr, std::string(SRQPOOL_NAME_MAX + 1, 'x').c_str()), -ENOENT);
    EXPECT_EQ(device.attaches, 1);
}

TEST(Open, RefusesRingsThatItCannotUse) {
    for (const srqpool_ring_info info :
         {srqpool_ring_info{.rings = 0, .entries = 64, .ring_bytes = ring_bytes(64)},
          srqpool_ring_info{.rings = 1, .entries = 48, .ring_bytes = ring_bytes(64)},
          srqpool_ring_info{.rings = 1, .entries = 0, .ring_bytes = ring_bytes(64)},
          srqpool_ring_info{.rings = 1, .entries = 64, .ring_bytes = ring_bytes(64) - 1}}) {
        FakeDevice device;
        device.info = info;
        EXPECT_EQ(try_open(device, nullptr), -EPROTO);
        EXPECT_TRUE(device.mappings.empty());
    }
}

TEST(Open, LeavesNothingWhenARingCannotBeMapped) {
    FakeDevice device(2);
    device.map_error = [](std::uint64_t offset) {
        return offset == SRQPOOL_MMAP_RING(1) ? -ENODEV : 0;
    };
    EXPECT_EQ(try_open(device, nullptr), -ENODEV);
    EXPECT_EQ(device.mappings.size(), 1U);
    EXPECT_EQ(device.closes, 1);
}

} // namespace
} // namespace srqpool::device
