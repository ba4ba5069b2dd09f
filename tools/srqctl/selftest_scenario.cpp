// SPDX-License-Identifier: GPL-2.0
#include "selftest_scenario.h"

#include <cerrno>

#include <fmt/format.h>

#include <linux/srqpool.h>

namespace srqctl {

namespace {

using srqpool::fake::FakeKernel;
using srqpool::fake::Request;

constexpr std::uint32_t count = 32;
const std::string pool_name = fmt::format("selftest-{}", fake_pid);

struct State {
    std::uint32_t conns = 0;
    std::uint32_t held = 0;
    std::uint64_t limit_events = 0;
    bool armed = true;
};

void show(FakeKernel &kernel, const State &state) {
    kernel.clear(SRQPOOL_CMD_POOL_GET);
    kernel.clear(SRQPOOL_CMD_STATS_GET);
    srqpool::Message &pool = kernel.add(SRQPOOL_CMD_POOL_GET);
    pool.string(SRQPOOL_A_POOL_NAME, pool_name).u32(SRQPOOL_A_POOL_CONNS, state.conns);
    pool.nest(SRQPOOL_A_POOL_CLASS, [&] {
        pool.string(SRQPOOL_A_CLASS_NAME, "4096")
            .u8(SRQPOOL_A_CLASS_ARMED, state.armed)
            .u32(SRQPOOL_A_CLASS_POSTED, count - state.held)
            .u32(SRQPOOL_A_CLASS_HELD, state.held);
    });
    kernel.add(SRQPOOL_CMD_STATS_GET)
        .string(SRQPOOL_A_STATS_NAME, pool_name)
        .u64(SRQPOOL_A_STATS_LIMIT_EVENTS, state.limit_events);
}

void forget(FakeKernel &kernel) {
    kernel.clear(SRQPOOL_CMD_POOL_GET);
    kernel.clear(SRQPOOL_CMD_STATS_GET);
}

tl::unexpected<srqpool::Error> words(const std::string &text) {
    return tl::unexpected(srqpool::Error{srqpool::ErrorKind::system, 0, text});
}

class FakePeer final : public Peer {
  public:
    FakePeer(FakeKernel &kernel, std::string trouble)
        : kernel_(kernel), trouble_(std::move(trouble)) {
        state_.armed = trouble_ != "unarmed";
        kernel_.changed = [this](const Request &request) { changed(request); };
    }

    ~FakePeer() override { kernel_.changed = nullptr; }

    FakePeer(const FakePeer &) = delete;
    FakePeer &operator=(const FakePeer &) = delete;

    srqpool::Result<std::optional<Endpoint>> find(const std::string &dev) override {
        if (trouble_ == "no-address" || dev != "rxe0")
            return std::nullopt;
        return Endpoint{*srqpool::parse_address("10.7.0.1"), 45371};
    }

    srqpool::Status connect(const Endpoint & /*to*/, Seconds /*limit*/) override {
        if (trouble_ == "rejected")
            return words("rejected (consumer defined): the pool is not ready");
        state_.conns = 1;
        show(kernel_, state_);
        return {};
    }

    srqpool::Status echo(std::uint32_t messages, std::uint32_t size, Seconds /*limit*/) override {
        if (trouble_ == "changed")
            return words(
                fmt::format("message 1, of {} bytes, came back changed, with 4000 bytes", size));
        if (messages > 1 && bursts_++ > 0 && trouble_ != "silent")
            state_.limit_events = 3;
        show(kernel_, state_);
        return {};
    }

    void disconnect() override {
        state_.conns = 0;
        state_.held = trouble_ == "held" ? 2 : 0;
        show(kernel_, state_);
    }

    // Ctrl-C while it looks whether all is posted.
    bool interrupted() const override { return trouble_ == "interrupted" && created_; }

  private:
    void changed(const Request &request) {
        if (request.command == SRQPOOL_CMD_POOL_NEW) {
            created_ = true;
            state_.held = trouble_ == "interrupted" ? 1 : 0;
            show(kernel_, state_);
        }
        if (request.command == SRQPOOL_CMD_POOL_DEL && trouble_ != "left")
            forget(kernel_);
    }

    FakeKernel &kernel_;
    std::string trouble_;
    State state_;
    bool created_ = false;
    int bursts_ = 0;
};

} // namespace

srqpool::Result<std::unique_ptr<Peer>> fake_peer(FakeKernel &kernel, const std::string &scenario) {
    const std::string prefix = "selftest ";
    const std::string trouble =
        scenario.starts_with(prefix) ? scenario.substr(prefix.size()) : std::string();
    if (trouble == "no-rdma")
        return tl::unexpected(
            srqpool::system_error("no RDMA connection manager (try: modprobe rdma_ucm)", ENOENT));
    return std::make_unique<FakePeer>(kernel, trouble);
}

} // namespace srqctl
