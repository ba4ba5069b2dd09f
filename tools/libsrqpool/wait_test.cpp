// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include <algorithm>
#include <cerrno>
#include <chrono>
#include <thread>

#include <gtest/gtest.h>

#include "libsrqpool/fake/fake_device.h"
#include "libsrqpool/fake/opened.h"

namespace srqpool::device {
namespace {

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

constexpr std::int64_t ms = 1'000'000;

Opened open_ring(FakeDevice &device, srqpool_reader_waiting waiting, std::uint32_t spin_us = 0) {
    return Opened(device.open_reader(SRQPOOL_READER_RING, waiting, spin_us));
}

bool slept(const FakeDevice &device) {
    return std::any_of(device.polls.begin(), device.polls.end(),
                       [](const FakeDevice::Poll &poll) { return poll.forever || poll.ns > 0; });
}

// Gives a message after a while.
std::jthread later(FakeDevice &device) {
    return std::jthread([&device] {
        std::this_thread::sleep_for(milliseconds(20));
        device.ring().give_message(0);
    });
}

TEST(Wait, DoesNotIfThereIsSomething) {
    for (const auto waiting : {SRQPOOL_READER_EVENT, SRQPOOL_READER_BUSY, SRQPOOL_READER_HYBRID}) {
        FakeDevice device(2);
        device.ring(1).give_message(0);
        const Opened reader = open_ring(device, waiting);
        EXPECT_EQ(srqpool_reader_wait(reader.get(), -1, nullptr), 0);
        EXPECT_TRUE(device.polls.empty());
    }
}

TEST(Wait, SleepsAsLongAsToldTo) {
    FakeDevice device;
    const Opened reader = open_ring(device, SRQPOOL_READER_EVENT);
    sigset_t mask;
    sigemptyset(&mask);
    EXPECT_EQ(srqpool_reader_wait(reader.get(), 0, nullptr), -ETIMEDOUT);
    EXPECT_EQ(srqpool_reader_wait(reader.get(), 3600500, &mask), -ETIMEDOUT);
    EXPECT_EQ(srqpool_reader_wait(reader.get(), -1, nullptr), -ETIMEDOUT);
    ASSERT_EQ(device.polls.size(), 3U);
    EXPECT_EQ(device.polls[0].ns, 0);
    EXPECT_EQ(device.polls[0].mask, nullptr);
    EXPECT_FALSE(device.polls[0].forever);
    EXPECT_GT(device.polls[1].ns, 3'000'000 * ms);
    EXPECT_LE(device.polls[1].ns, 3'600'500 * ms);
    EXPECT_EQ(device.polls[1].mask, &mask);
    EXPECT_TRUE(device.polls[2].forever);
}

int wait_for_poll(int result, srqpool_reader_waiting waiting,
                  srqpool_reader_mode mode = SRQPOOL_READER_RING) {
    FakeDevice device;
    device.on_poll = [result](const FakeDevice::Poll &) { return result; };
    const Opened reader(device.open_reader(mode, waiting));
    return srqpool_reader_wait(reader.get(), 1000, nullptr);
}

TEST(Wait, TellsWhatPollTold) {
    for (const auto mode : {SRQPOOL_READER_RING, SRQPOOL_READER_READ}) {
        for (const auto waiting :
             {SRQPOOL_READER_EVENT, SRQPOOL_READER_BUSY, SRQPOOL_READER_HYBRID}) {
            EXPECT_EQ(wait_for_poll(POLLIN, waiting, mode), 0);
            EXPECT_EQ(wait_for_poll(-EINTR, waiting, mode), -EINTR);
            EXPECT_EQ(wait_for_poll(POLLHUP, waiting, mode), -ENODEV);
            EXPECT_EQ(wait_for_poll(POLLHUP | POLLIN, waiting, mode), -ENODEV);
        }
    }
}

TEST(Wait, BusyNeverSleeps) {
    FakeDevice device;
    const Opened reader = open_ring(device, SRQPOOL_READER_BUSY);
    const std::jthread kernel = later(device);
    EXPECT_EQ(srqpool_reader_wait(reader.get(), -1, nullptr), 0);
    EXPECT_FALSE(slept(device));
    // Without the kernel, but for a look each millisecond.
    EXPECT_GT(device.polls.size(), 0U);
}

TEST(Wait, BusyEndsInTime) {
    FakeDevice device;
    const Opened reader = open_ring(device, SRQPOOL_READER_BUSY);
    const auto start = Clock::now();
    EXPECT_EQ(srqpool_reader_wait(reader.get(), 30, nullptr), -ETIMEDOUT);
    EXPECT_GE(Clock::now() - start, milliseconds(30));
    EXPECT_FALSE(slept(device));
    EXPECT_LE(device.polls.size(), 30U);
}

TEST(Wait, BusyFindsTheDeadPool) {
    FakeDevice device;
    const Opened reader = open_ring(device, SRQPOOL_READER_BUSY);
    const std::jthread kernel([&device] {
        std::this_thread::sleep_for(milliseconds(20));
        device.ring().set_flags(SRQPOOL_RING_DEAD);
    });
    EXPECT_EQ(srqpool_reader_wait(reader.get(), -1, nullptr), -ENODEV);
}

TEST(Wait, HybridSpinsFirst) {
    FakeDevice device;
    const Opened reader = open_ring(device, SRQPOOL_READER_HYBRID, 60'000'000);
    const std::jthread kernel = later(device);
    EXPECT_EQ(srqpool_reader_wait(reader.get(), -1, nullptr), 0);
    EXPECT_FALSE(slept(device));
}

TEST(Wait, HybridSleepsThen) {
    FakeDevice device;
    const Opened reader = open_ring(device, SRQPOOL_READER_HYBRID, 20'000);
    const auto start = Clock::now();
    Clock::time_point asleep;
    device.on_poll = [&asleep](const FakeDevice::Poll &poll) {
        if (poll.forever)
            asleep = Clock::now();
        return poll.forever ? POLLIN : 0;
    };
    EXPECT_EQ(srqpool_reader_wait(reader.get(), -1, nullptr), 0);
    EXPECT_GE(asleep - start, milliseconds(20));
}

TEST(Wait, HybridEndsInTime) {
    FakeDevice device;
    const Opened reader = open_ring(device, SRQPOOL_READER_HYBRID, 60'000'000);
    EXPECT_EQ(srqpool_reader_wait(reader.get(), 10, nullptr), -ETIMEDOUT);
    EXPECT_EQ(device.polls.back().ns, 0);
}

} // namespace
} // namespace srqpool::device
