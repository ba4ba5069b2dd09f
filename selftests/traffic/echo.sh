#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# More traffic than the floor holds: limit events, refills, and every message back in order.
# shellcheck source=selftests/pool.sh
. "$(dirname "$0")/../pool.sh"

ktap_print_header
ktap_set_plan 21

srqctl pool add p0 --dev rxe0 --class 4096:64-4096@90%
srqctl listen add p0 --addr $addr --port 7471 --mode echo
check "200 connections, bursts of 16, verified" load 7471 --connections 200 --messages 64 \
	--burst 16 --size $sizes --verify --seed 1
check "every message came back" is 12800 gojq .received "$load_out"
check "limit events came" above 0 stats p0 .limit_events
check "and were answered by refills" above 0 stats p0 .refills
check "which posted" above 0 stats p0 .refill_posted
check "the time to answer was measured" above 0 stats p0 .hist.refill_latency_ns.count
check "every message was counted" is 12800 stats p0 .rx_msgs
check "and every reply" is 12800 stats p0 .tx_msgs
check "the pool grew" above 64 pool p0 '.classes[0].total'
check "it is armed again and at rest" wait_for 10 at_rest p0
check "every buffer is accounted for" balanced p0
check "nothing could not be posted" is 0 stats p0 .post_errors
check "no completion failed but by flushing" is 0 stats p0 \
	'.wc_errors | del(.WR_FLUSH_ERR) | length'

srqctl pool reset p0
check "a reset restarts the counters" is 0 stats p0 .rx_msgs
check "and the low-water mark" is true pool p0 '.classes | all(.low_water == .posted)'
srqctl listen add p0 --addr $addr --port 7472 --mode sink
check "one way into a sink" load 7472 --connections 100 --messages 100 --burst 8 --one-way
check "all were received" is 10000 stats p0 .rx_msgs
check "nothing was sent" is 0 stats p0 .tx_msgs
check "one-byte messages are echoed" load 7471 --connections 4 --messages 50 --size 1
check "full-size messages are echoed" load 7471 --connections 4 --messages 50 --size 4096 --burst 16
check "every buffer is back" wait_for 10 at_rest p0
srqctl pool del p0 --force

ktap_finished
