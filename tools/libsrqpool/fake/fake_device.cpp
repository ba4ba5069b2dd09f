// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include "fake_device.h"

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include <sys/mman.h>
#include <unistd.h>

#include "libsrqpool/open.h"
#include "libsrqpool/ring.h"

namespace srqpool::device {

namespace {

constexpr int fake_fd = 1000;

void require(bool true_here) {
    if (!true_here)
        std::abort();
}

int memory_file(std::uint64_t bytes) {
    const int fd = memfd_create("srqpool", MFD_CLOEXEC);
    require(fd >= 0 && ftruncate(fd, static_cast<off_t>(bytes)) == 0);
    return fd;
}

std::uint32_t load(const std::uint32_t &word) {
    return std::atomic_ref(const_cast<std::uint32_t &>(word)).load();
}

} // namespace

FakeRing::FakeRing(std::uint32_t entries, std::uint32_t start)
    : fd_(memory_file(ring_bytes(entries))), entries_(entries), start_(start) {
    void *const memory =
        mmap(nullptr, ring_bytes(entries), PROT_READ | PROT_WRITE, MAP_SHARED, fd_, 0);
    require(memory != MAP_FAILED);
    head_ = static_cast<srqpool_ring *>(memory);
    head_->desc_head = head_->desc_tail = head_->return_head = head_->return_tail = start;
}

FakeRing::~FakeRing() {
    munmap(head_, ring_bytes(entries_));
    close(fd_);
}

void FakeRing::set_flags(std::uint32_t flags) { std::atomic_ref(head_->flags).store(flags); }

void FakeRing::give(const srqpool_desc &desc) {
    auto *const descs =
        reinterpret_cast<srqpool_desc *>(reinterpret_cast<std::byte *>(head_) + SRQPOOL_RING_DESCS);
    descs[head_->desc_head % entries_] = desc;
    std::atomic_ref(head_->desc_head)++;
}

void FakeRing::give_message(std::uint32_t index, std::uint32_t len, std::uint64_t offset) {
    srqpool_desc desc{};
    desc.record.type = SRQPOOL_RECORD_MESSAGE;
    desc.record.conn = 7;
    desc.record.len = len;
    desc.offset = offset;
    desc.index = index;
    give(desc);
}

std::uint32_t FakeRing::taken() const { return load(head_->desc_tail) - start_; }

std::vector<srqpool_return> FakeRing::returns() {
    const auto *const all = reinterpret_cast<const srqpool_return *>(
        reinterpret_cast<std::byte *>(head_) + SRQPOOL_RING_RETURNS(entries_));
    std::vector<srqpool_return> result;
    while (head_->return_tail != load(head_->return_head))
        result.push_back(all[head_->return_tail++ % entries_]);
    return result;
}

FakeDevice::FakeDevice(std::uint32_t rings, std::uint32_t entries, std::uint32_t start)
    : info{.rings = rings, .entries = entries, .ring_bytes = ring_bytes(entries)},
      buffers_(memory_file(SRQPOOL_MMAP_BUFFERS_END)) {
    for (std::uint32_t i = 0; i < rings; i++)
        rings_.push_back(std::make_unique<FakeRing>(entries, start));
}

FakeDevice::~FakeDevice() { ::close(buffers_); }

void FakeDevice::write_buffer(std::uint64_t offset, const std::string &data) const {
    require(pwrite(buffers_, data.data(), data.size(), static_cast<off_t>(offset)) ==
            static_cast<ssize_t>(data.size()));
}

void FakeDevice::add_record(std::uint32_t type, const std::string &data, std::uint32_t flags,
                            std::uint32_t imm) {
    srqpool_record record{};
    record.type = type;
    record.conn = 7;
    record.len = static_cast<std::uint32_t>(data.size());
    record.flags = flags;
    record.imm = imm;
    std::string bytes(sizeof(record), '\0');
    std::memcpy(bytes.data(), &record, sizeof(record));
    records_.push_back(bytes + data);
}

srqpool_reader *FakeDevice::open_reader(srqpool_reader_mode mode, srqpool_reader_waiting waiting,
                                        std::uint32_t spin_us) {
    srqpool_reader_options options{};
    options.size = sizeof(options);
    options.mode = mode;
    options.waiting = waiting;
    options.spin_us = spin_us;
    srqpool_reader *reader = nullptr;
    require(device::open_reader(*this, "p0", &options, &reader) == 0);
    return reader;
}

int FakeDevice::open() noexcept {
    if (open_error)
        return open_error;
    opens++;
    return fake_fd;
}

void FakeDevice::close(int fd) noexcept {
    require(fd == fake_fd);
    closes++;
}

int FakeDevice::ioctl(int /*fd*/, unsigned long request, void *argument) noexcept {
    switch (request) {
    case SRQPOOL_IOC_ATTACH:
        attaches++;
        std::memcpy(&attached, argument, sizeof(attached));
        return attach_error;
    case SRQPOOL_IOC_RING:
        std::memcpy(argument, &info, sizeof(info));
        return 0;
    case SRQPOOL_IOC_CLOSE:
        closed_conns.push_back(*static_cast<std::uint64_t *>(argument));
        return 0;
    case SRQPOOL_IOC_STATS:
        static_cast<srqpool_reader_stats *>(argument)->messages = 42;
        return 0;
    default:
        return -ENOTTY;
    }
}

int FakeDevice::kick(int /*fd*/, std::uint32_t ring) noexcept {
    kicks.push_back(ring);
    return kick_error;
}

void *FakeDevice::map(int /*fd*/, std::uint64_t offset, std::size_t bytes, int protection,
                      int &error) noexcept {
    error = map_error(offset);
    if (error)
        return nullptr;
    mappings.push_back({offset, bytes, protection});
    const bool is_ring = offset >= SRQPOOL_MMAP_RING(0);
    const int fd = is_ring ? rings_[(offset - SRQPOOL_MMAP_RING(0)) >> 32]->fd() : buffers_;
    const std::uint64_t at = is_ring ? 0 : offset - SRQPOOL_MMAP_BUFFERS;
    void *const memory =
        mmap(nullptr, bytes, protection, MAP_SHARED | MAP_NORESERVE, fd, static_cast<off_t>(at));
    require(memory != MAP_FAILED);
    return memory;
}

void FakeDevice::unmap(void *memory, std::size_t bytes) noexcept {
    require(munmap(memory, bytes) == 0);
    unmapped.push_back(bytes);
}

ssize_t FakeDevice::read(int /*fd*/, void *data, std::size_t bytes) noexcept {
    reads.push_back(bytes);
    if (interrupted_reads) {
        interrupted_reads--;
        return -EINTR;
    }
    if (records_.empty())
        return -EAGAIN;
    const std::string &record = records_.front();
    if (record.size() > bytes)
        return -EMSGSIZE;
    std::memcpy(data, record.data(), record.size());
    const auto done = static_cast<ssize_t>(record.size());
    records_.pop_front();
    return done;
}

ssize_t FakeDevice::writev(int /*fd*/, const iovec *parts, int count) noexcept {
    if (write_error)
        return write_error;
    std::string all;
    for (int i = 0; i < count; i++)
        all.append(static_cast<const char *>(parts[i].iov_base), parts[i].iov_len);
    written.push_back(all);
    return static_cast<ssize_t>(all.size());
}

int FakeDevice::ppoll(pollfd &poll, const timespec *timeout, const sigset_t *mask) noexcept {
    Poll call{.forever = !timeout, .ns = 0, .mask = mask};
    if (timeout)
        call.ns = timeout->tv_sec * 1'000'000'000 + timeout->tv_nsec;
    polls.push_back(call);
    const int result = on_poll(call);
    if (result < 0)
        return result;
    poll.revents = static_cast<short>(result);
    return result ? 1 : 0;
}

} // namespace srqpool::device
