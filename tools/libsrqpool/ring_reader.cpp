// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include "ring_reader.h"

#include <algorithm>
#include <bit>
#include <cerrno>

#include <sys/mman.h>

namespace srqpool::device {

namespace {

constexpr std::chrono::milliseconds poll_every{1};

bool known(const srqpool_ring_info &info) {
    return info.rings > 0 && std::has_single_bit(info.entries) &&
           info.ring_bytes >= ring_bytes(info.entries);
}

} // namespace

int RingReader::make(File file, const srqpool_reader_options &options,
                     std::unique_ptr<srqpool_reader> &reader) {
    srqpool_ring_info info{};
    if (const int error = file.rings(info))
        return error;
    if (!known(info))
        return -EPROTO;
    std::unique_ptr<RingReader> made(new RingReader(std::move(file), options, info));
    if (const int error = made->map_rings(info))
        return error;
    reader = std::move(made);
    return 0;
}

RingReader::RingReader(File file, const srqpool_reader_options &options,
                       const srqpool_ring_info &info) noexcept
    : srqpool_reader(std::move(file), options, poll_every),
      batch_(std::min(most_batch, info.entries / 2)), ring_bytes_(info.ring_bytes),
      windows_(this->file().system(), this->file().fd()) {}

int RingReader::map_rings(const srqpool_ring_info &info) {
    mappings_.reserve(info.rings);
    rings_.reserve(info.rings);
    for (std::uint32_t i = 0; i < info.rings; i++) {
        int error = 0;
        void *const memory = file().system().map(file().fd(), SRQPOOL_MMAP_RING(i), ring_bytes_,
                                                 PROT_READ | PROT_WRITE, error);
        if (!memory)
            return error;
        mappings_.push_back(memory);
        rings_.emplace_back(memory, info.entries);
    }
    return held_.add(std::size_t{info.rings} * info.entries) ? 0 : -ENOMEM;
}

RingReader::~RingReader() {
    held_.each_held([this](std::uint64_t message) { release(message, 0, 0); });
    flush();
    for (void *const memory : mappings_)
        file().system().unmap(memory, ring_bytes_);
}

int RingReader::next(srqpool_event &event) noexcept {
    for (std::size_t i = 0; i < rings_.size(); i++) {
        gone_ = gone_ || rings_[turn_].dead();
        if (gone_)
            return -ENODEV;
        if (rings_[turn_].ready())
            return take(event);
        next_turn();
    }
    const int error = flush();
    return error ? error : -EAGAIN;
}

int RingReader::take(srqpool_event &event) noexcept {
    const srqpool_desc desc = rings_[turn_].peek();
    event = {.record = desc.record, .data = nullptr, .message = 0};
    if (desc.record.type == SRQPOOL_RECORD_MESSAGE) {
        if (const int error = hold(desc, event))
            return error;
    }
    took_one();
    return 0;
}

int RingReader::hold(const srqpool_desc &desc, srqpool_event &event) noexcept {
    if (held_.full())
        return -ENOMEM;
    const Windows::Place place = windows_.hold(desc.offset);
    if (place.error)
        return place.error;
    held_.next() = {
        .ring = turn_, .index = desc.index, .len = desc.record.len, .window = place.window};
    event.data = place.data;
    event.message = held_.take();
    return 0;
}

void RingReader::took_one() noexcept {
    rings_[turn_].take();
    publish_batch(turn_);
    if (++taken_ >= batch_)
        next_turn();
}

void RingReader::next_turn() noexcept {
    turn_ = turn_ + 1 < rings_.size() ? turn_ + 1 : 0;
    taken_ = 0;
}

int RingReader::give_back(std::uint64_t message) noexcept {
    if (!held_.find(message))
        return -EINVAL;
    release(message, 0, 0);
    return 0;
}

int RingReader::reply(std::uint64_t message, std::size_t len) noexcept {
    const Held *const held = held_.find(message);
    if (!held || len > held->len)
        return -EINVAL;
    if (gone_)
        return -ENODEV;
    release(message, SRQPOOL_RETURN_SEND, static_cast<std::uint32_t>(len));
    return 0;
}

void RingReader::release(std::uint64_t message, std::uint32_t flags, std::uint32_t len) noexcept {
    const Held held = *held_.find(message);
    held_.release(message);
    windows_.release(held.window);
    rings_[held.ring].give_back({.index = held.index, .flags = flags, .len = len, .reserved = 0});
    publish_batch(held.ring);
}

void RingReader::publish_batch(std::uint32_t ring) noexcept {
    if (rings_[ring].pending() >= batch_)
        publish(ring);
}

void RingReader::publish(std::uint32_t ring) noexcept {
    const bool kick = rings_[ring].publish();
    if (kick && !gone_)
        gone_ = file().system().kick(file().fd(), ring) == -ENODEV;
}

int RingReader::flush() noexcept {
    for (std::uint32_t i = 0; i < rings_.size(); i++)
        publish(i);
    return gone_ ? -ENODEV : 0;
}

int RingReader::look() noexcept {
    for (const Ring &ring : rings_) {
        gone_ = gone_ || ring.dead();
        if (gone_)
            return -ENODEV;
        if (ring.ready())
            return 0;
    }
    return -EAGAIN;
}

} // namespace srqpool::device
