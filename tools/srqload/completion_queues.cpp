// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include "completion_queues.h"

#include <fcntl.h>

namespace srqload {

tl::expected<CompletionQueues, std::string>
CompletionQueues::create(ibv_context *verbs, std::uint32_t count, std::uint32_t cqe, int vector) {
    CompletionQueues queues;
    queues.channel_.reset(ibv_create_comp_channel(verbs));
    if (!queues.channel_)
        return tl::unexpected(failure("create completion channel"));
    fcntl(queues.fd(), F_SETFL, fcntl(queues.fd(), F_GETFL) | O_NONBLOCK);
    for (std::uint32_t i = 0; i < count; i++) {
        // An event carries its queue's number.
        auto *context = reinterpret_cast<void *>(std::uintptr_t{i});
        Owned<ibv_cq> cq(
            ibv_create_cq(verbs, static_cast<int>(cqe), context, queues.channel_.get(), vector));
        if (!cq)
            return tl::unexpected(failure(fmt::format("create completion queue of {}", cqe)));
        queues.queues_.push_back({std::move(cq), false});
    }
    return queues;
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
