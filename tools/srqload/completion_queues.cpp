// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include "completion_queues.h"

#include <fcntl.h>

namespace srqload {

tl::expected<CompletionQueues, std::string> CompletionQueues::create(ibv_context *verbs) {
    CompletionQueues queues;
    queues.channel_.reset(ibv_create_comp_channel(verbs));
    if (!queues.channel_)
        return tl::unexpected(failure("create completion channel"));
    fcntl(queues.fd(), F_SETFL, fcntl(queues.fd(), F_GETFL) | O_NONBLOCK);
    return queues;
}

tl::expected<void, std::string> CompletionQueues::add(std::uint32_t cqe, int vector) {
    auto *context = reinterpret_cast<void *>(queues_.size()); // an event carries its queue's number
    Owned<ibv_cq> cq(
        ibv_create_cq(channel_->context, static_cast<int>(cqe), context, channel_.get(), vector));
    if (!cq)
        return tl::unexpected(failure(fmt::format("create completion queue of {}", cqe)));
    queues_.push_back({std::move(cq), false});
    return {};
}

void CompletionQueues::arm() {
    for (Queue &queue : queues_) {
        if (!queue.armed && ibv_req_notify_cq(queue.cq.get(), 0) == 0)
            queue.armed = true;
    }
}

void CompletionQueues::disarm() {
    for (Queue &queue : queues_)
        queue.armed = false;
}

void CompletionQueues::take_events() {
    ibv_cq *cq = nullptr;
    void *context = nullptr;
    while (ibv_get_cq_event(channel_.get(), &cq, &context) == 0) {
        ibv_ack_cq_events(cq, 1);
        queues_[reinterpret_cast<std::uintptr_t>(context)].armed = false;
    }
}

} // namespace srqload
