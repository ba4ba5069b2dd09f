// SPDX-License-Identifier: GPL-2.0
#include "advice.h"

#include <numeric>

#include <fmt/format.h>

#include "sizes.h"

namespace srqctl::advice {

namespace {

Advice summary(const Seen &seen) {
    const srqpool::Hist hist = hist_of(seen.stats, SRQPOOL_HIST_MSG_BYTES);
    const Sizes sizes = sizes_of(hist);
    const std::vector<std::uint64_t> conns = conns_of_classes(seen);
    Advice advice;
    advice.pool = seen.pool.name;
    advice.msgs = sizes.count;
    advice.bytes = hist.sum;
    advice.below = sizes.below;
    advice.conns = std::accumulate(conns.begin(), conns.end(), std::uint64_t{0});
    advice.burst = burst_of(seen);
    advice.now = settings_now(seen);
    advice.memory_now = memory_of(advice.now, advice.burst, seen.pool.pinned);
    return advice;
}

} // namespace

Advice advise(const Seen &seen) {
    Advice advice = summary(seen);
    if (advice.msgs < messages_min) {
        advice.warnings.push_back(
            fmt::format("too little was seen: {} messages since the reset, advice needs {}",
                        advice.msgs, messages_min));
        return advice;
    }
    advice.settings = plan(seen, advice.reasons);
    advice.memory = memory_of(*advice.settings, advice.burst);
    advice.warnings = warnings_on(seen);
    if (const std::string text = refusal_of(*advice.settings, seen.dev); !text.empty()) {
        advice.warnings.push_back("the module would refuse the advice: " + text);
        return advice;
    }
    if (!seen.listeners && needs_new_pool(advice.now, *advice.settings))
        advice.warnings.emplace_back(
            "the listeners are not known: the commands do not add them again");
    advice.commands = commands_for(seen, advice.now, *advice.settings);
    return advice;
}

} // namespace srqctl::advice
