// SPDX-License-Identifier: GPL-2.0
#include "knobs.h"

#include "command.h"

namespace srqctl {

namespace {

// One CLASS after each --class, which may be repeated.
void add_class_option(CLI::App &command, std::vector<srqpool::ClassSpec> &classes) {
    command
        .add_option_function<std::vector<std::string>>(
            "--class",
            [&classes](const std::vector<std::string> &texts) {
                for (const std::string &text : texts) {
                    auto spec = parse_class(text);
                    if (!spec)
                        throw CLI::ValidationError("--class", spec.error());
                    classes.push_back(std::move(*spec));
                }
            },
            "Class of buffers, once for each")
        ->type_name("CLASS")
        ->type_size(1)
        ->expected(1, CLI::detail::expected_max_vector_size)
        ->allow_extra_args(false);
}

// How the device is polled and filled.
void add_engine_knobs(CLI::App &command, srqpool::PoolSpec &spec) {
    add_value(command, "--shards", spec.shards, parse_shards,
              "Completion queues to spread over; auto by CPUs and vectors")
        ->type_name("N|auto");
    add_value(command, "--poll", spec.poll, parse_poll, "How these are polled; hybrid is hybrid:50")
        ->type_name(one_of(srqpool::poll_names()) + "[:USEC]");
    add_value(command, "--budget", spec.budget, parse_bytes,
              "Most bytes the pool may pin, or K, M, G")
        ->type_name("BYTES");
    add_value(command, "--rnr-timer", spec.rnr_timer_us, parse_count,
              "Microseconds a peer waits when nothing is posted")
        ->type_name("USEC");
    add_value(command, "--refill", spec.refill, parse_refill,
              "Post at the watermark, or each buffer at once")
        ->type_name(one_of(srqpool::refill_names()));
}

// Who holds how many buffers.
void add_share_knobs(CLI::App &command, srqpool::PoolSpec &spec) {
    add_value(command, "--quota", spec.quota, parse_count, "Most buffers a connection may hold")
        ->type_name("N");
    add_value(command, "--quota-policy", spec.quota_policy, parse_quota_policy,
              "Copy messages above the quota, or close the connection")
        ->type_name(one_of(srqpool::quota_policy_names()));
    add_value(command, "--reserve", spec.reserve, parse_amount,
              "Copy rather than hold below so many posted buffers; 0: never")
        ->type_name("N");
    add_value(command, "--copybreak", spec.copybreak, parse_copybreak,
              "Copy messages up to so many bytes, or K, M; 0: none")
        ->type_name("BYTES");
    add_value(command, "--aging", spec.aging, parse_amount,
              "Shrink a queue after so many seconds without need; 0: never")
        ->type_name("SEC");
    add_value(command, "--keepalive", spec.keepalive, parse_amount,
              "Ask a silent peer after so many seconds if it is there; 0: never")
        ->type_name("SEC");
    add_value(command, "--dedicated", spec.dedicated, parse_count,
              "Depth of a receive queue for each connection, none shared")
        ->type_name("DEPTH");
}

} // namespace

void add_knobs(CLI::App &command, srqpool::PoolSpec &spec) {
    add_class_option(command, spec.classes);
    add_engine_knobs(command, spec);
    add_share_knobs(command, spec);
}

} // namespace srqctl
