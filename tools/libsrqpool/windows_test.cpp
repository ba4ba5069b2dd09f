// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include "libsrqpool/windows.h"

#include <cerrno>

#include <gtest/gtest.h>
#include <sys/mman.h>

#include "libsrqpool/fake/fake_device.h"
#include "libsrqpool/fake/opened.h"

namespace srqpool::device {
namespace {

constexpr std::uint64_t stride = Windows::stride;

std::string read_at(FakeDevice &device, const Opened &reader, std::uint64_t offset,
                    std::uint32_t len) {
    device.ring().give_message(0, len, offset);
    const srqpool_event event = next(reader);
    std::string result = event.data ? text(event) : "";
    srqpool_reader_give_back(reader.get(), event.message);
    return result;
}

// Of the buffers, without the ring's.
std::size_t mapped(const FakeDevice &device) { return device.mappings.size() - 1; }

TEST(Windows, OneIsMappedOnce) {
    FakeDevice device;
    device.write_buffer(0, "one");
    device.write_buffer(stride - 4096, "two");
    const Opened reader(device.open_reader());
    EXPECT_EQ(mapped(device), 0U);
    EXPECT_EQ(read_at(device, reader, 0, 3), "one");
    EXPECT_EQ(read_at(device, reader, stride - 4096, 3), "two");
    ASSERT_EQ(mapped(device), 1U);
    EXPECT_EQ(device.mappings[1].offset, SRQPOOL_MMAP_BUFFERS);
    EXPECT_EQ(device.mappings[1].bytes, stride);
    EXPECT_EQ(device.mappings[1].protection, PROT_READ);
}

TEST(Windows, WhatIsBehindHasAnother) {
    FakeDevice device;
    device.write_buffer(3 * stride, "three");
    device.write_buffer(8, "zero");
    {
        const Opened reader(device.open_reader());
        EXPECT_EQ(read_at(device, reader, 3 * stride, 5), "three");
        EXPECT_EQ(read_at(device, reader, 8, 4), "zero");
        EXPECT_EQ(read_at(device, reader, 3 * stride, 5), "three");
        ASSERT_EQ(mapped(device), 2U);
        EXPECT_EQ(device.mappings[1].offset, 3 * stride);
    }
    EXPECT_EQ(device.unmapped.size(), 3U);
}

TEST(Windows, TheLastEndsWithTheBuffers) {
    FakeDevice device;
    device.write_buffer(SRQPOOL_MMAP_BUFFERS_END - 4096, "end");
    const Opened reader(device.open_reader());
    EXPECT_EQ(read_at(device, reader, SRQPOOL_MMAP_BUFFERS_END - 4096, 3), "end");
    EXPECT_EQ(device.mappings[1].offset + device.mappings[1].bytes, SRQPOOL_MMAP_BUFFERS_END);
}

TEST(Windows, AnIdleOneMakesRoom) {
    FakeDevice device;
    device.write_buffer(0, "kept");
    const Opened reader(device.open_reader());
    device.ring().give_message(0, 4, 0);
    const srqpool_event kept = next(reader);
    for (std::uint64_t i = 1; i < Windows::most; i++)
        read_at(device, reader, i * stride, 1);
    EXPECT_TRUE(device.unmapped.empty());
    read_at(device, reader, Windows::most * stride, 1);
    EXPECT_EQ(device.unmapped.size(), 1U);
    EXPECT_EQ(text(kept), "kept");
    // The oldest went.
    read_at(device, reader, 2 * stride, 1);
    EXPECT_EQ(mapped(device), Windows::most + 1);
    read_at(device, reader, 1 * stride, 1);
    EXPECT_EQ(mapped(device), Windows::most + 2);
}

TEST(Windows, WithoutAnIdleOneNothingIsLost) {
    FakeDevice device;
    device.write_buffer(Windows::most * stride, "late");
    const Opened reader(device.open_reader());
    std::uint64_t message = 0;
    for (std::uint64_t i = 0; i < Windows::most; i++) {
        device.ring().give_message(0, 1, i * stride);
        message = next(reader).message;
    }
    device.ring().give_message(0, 4, Windows::most * stride);
    EXPECT_EQ(no_next(reader), -ENOMEM);
    EXPECT_TRUE(device.unmapped.empty());
    srqpool_reader_give_back(reader.get(), message);
    EXPECT_EQ(text(next(reader)), "late");
    EXPECT_EQ(device.unmapped.size(), 1U);
}

TEST(Windows, OneThatCannotBeMappedIsTriedAgain) {
    FakeDevice device;
    device.write_buffer(0, "there");
    const Opened reader(device.open_reader());
    device.map_error = [](std::uint64_t) { return -ENODEV; };
    device.ring().give_message(0, 5, 0);
    EXPECT_EQ(no_next(reader), -ENODEV);
    device.map_error = [](std::uint64_t) { return 0; };
    EXPECT_EQ(text(next(reader)), "there");
}

} // namespace
} // namespace srqpool::device
