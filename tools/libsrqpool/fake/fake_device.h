// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <srqpool/srqpool.h>

#include "libsrqpool/system.h"

namespace srqpool::device {

/// The kernel's side of a ring, in memory that both sides map.
class FakeRing {
  public:
    FakeRing(std::uint32_t entries, std::uint32_t start);
    ~FakeRing();
    FakeRing(const FakeRing &) = delete;
    FakeRing &operator=(const FakeRing &) = delete;

    int fd() const { return fd_; }
    void set_flags(std::uint32_t flags);
    void give(const srqpool_desc &desc);
    void give_message(std::uint32_t index, std::uint32_t len = 8, std::uint64_t offset = 0);

    /// Descriptors that the program told it took.
    std::uint32_t taken() const;
    /// What was returned since it was asked.
    std::vector<srqpool_return> returns();

  private:
    int fd_;
    std::uint32_t entries_;
    std::uint32_t start_;
    srqpool_ring *head_;
};

/// /dev/srqpool without a kernel module.
class FakeDevice final : public System {
  public:
    explicit FakeDevice(std::uint32_t rings = 1, std::uint32_t entries = 64,
                        std::uint32_t start = 0);
    ~FakeDevice() override;
    FakeDevice(const FakeDevice &) = delete;
    FakeDevice &operator=(const FakeDevice &) = delete;

    FakeRing &ring(std::size_t number = 0) { return *rings_[number]; }
    void write_buffer(std::uint64_t offset, const std::string &data) const;
    void add_record(std::uint32_t type, const std::string &data = {}, std::uint32_t flags = 0,
                    std::uint32_t imm = 0);

    /// A reader with the ring entries that it has; the test fails if there is none.
    srqpool_reader *open_reader(srqpool_reader_mode mode = SRQPOOL_READER_RING,
                                srqpool_reader_waiting waiting = SRQPOOL_READER_EVENT,
                                std::uint32_t spin_us = 0);

    struct Mapping {
        std::uint64_t offset;
        std::size_t bytes;
        int protection;
    };
    struct Poll {
        bool forever;
        std::int64_t ns;
        const sigset_t *mask;
    };

    // What fails.
    int open_error = 0;
    int attach_error = 0;
    int kick_error = 0;
    int write_error = 0;
    int interrupted_reads = 0;
    std::function<int(std::uint64_t offset)> map_error = [](std::uint64_t) { return 0; };
    /// Gives revents, or an error.
    std::function<int(const Poll &)> on_poll = [](const Poll &) { return 0; };

    // What it says, and what it was told.
    srqpool_ring_info info{};
    srqpool_attach attached{};
    int attaches = 0;
    int opens = 0;
    int closes = 0;
    std::vector<std::uint32_t> kicks;
    std::vector<Mapping> mappings;
    std::vector<std::size_t> unmapped;
    std::vector<std::string> written;
    std::vector<std::size_t> reads; // sizes of buffers
    std::vector<Poll> polls;
    std::vector<std::uint64_t> closed_conns;

    int open() noexcept override;
    void close(int fd) noexcept override;
    int ioctl(int fd, unsigned long request, void *argument) noexcept override;
    int kick(int fd, std::uint32_t ring) noexcept override;
    void *map(int fd, std::uint64_t offset, std::size_t bytes, int protection,
              int &error) noexcept override;
    void unmap(void *memory, std::size_t bytes) noexcept override;
    ssize_t read(int fd, void *data, std::size_t bytes) noexcept override;
    ssize_t writev(int fd, const iovec *parts, int count) noexcept override;
    int ppoll(pollfd &poll, const timespec *timeout, const sigset_t *mask) noexcept override;

  private:
    std::vector<std::unique_ptr<FakeRing>> rings_;
    std::deque<std::string> records_;
    int buffers_;
};

} // namespace srqpool::device
