#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# kernels: 6.12 newest debug
# vm: --bare
# Pools as large as the device allows, every receive used at once, and devices that are small.
# shellcheck source=selftests/refill/refill.sh
. "$(dirname "$0")/refill.sh"

ktap_print_header
ktap_set_plan 27

check "the test build is loaded" insmod "$SRQPOOL_TEST_KO"
watch
errors() { gojq -s 'map(select(.event == "error")) | length' "$events"; }

# What 5/4 of is left of a CQ with 64 entries to spare.
cqe=$(dev .max_cqe)
most=$(((cqe - 64) * 4 / 5))
ktap_print_msg "max_cqe $cqe: $most buffers a shard"
check "one buffer a shard more than the CQ has room for is refused" refused 1 "max_cqe is $cqe" \
	srqctl pool add p0 --dev rxe0 --class 512:64-$((2 * most + 2)) --shards 2
check "nothing is pinned" is 0 dev .pinned
check "as many as it has room for are not" add 512:$((2 * most))-$((2 * most)) --shards 2
check "all are posted" is "[$most,$most]" eval 'srqctl -j queue show p0 | gojq -c "map(.posted)"'
# burst PORT ARGUMENT...: as many messages at once as there are buffers; fewer on a debug kernel.
peers=$((2 * most / 64))
[ "$slowness" = 1 ] || peers=100
burst() {
	burst_port=$1
	shift
	load "$burst_port" --connections $peers --burst 64 --messages 64 --size 64 "$@"
}
check "every buffer is used in one burst" burst 7472 --one-way
check "none was lost" is $((peers * 64)) stats p0 .rx_msgs
check "and in one that is echoed" burst 7471 --verify
check "every buffer is accounted for" balanced p0
check "all are posted again" wait_for 30 at_rest p0
check "no queue reported an error" is 0 errors
srqctl pool del p0 --force

# small NAME LIMIT: the device has no more of it.
small() { fault "$1" "$2" && is "$2" dev ".$1"; }
check "a device with CQs of 256 entries" small max_cqe 256
check "is shown as it is" is 256 dev .max_cqe
check "a class that it has no room for is refused" refused 1 "max_cqe is 256" \
	srqctl pool add p0 --dev rxe0 --class 4096:64-1024 --shards 1
check "one that fits is not" add 4096:64-152 --shards 1
check "one buffer more would not have" refused 1 "max_cqe is 256" \
	srqctl pool add p1 --dev rxe0 --class 4096:64-154 --shards 1
check "bursts of ten times as many are served" load 7471 --connections 100 --messages 64 \
	--burst 16 --size $sizes --verify
check "every buffer is accounted for" balanced p0
check "no queue reported an error" is 0 errors
srqctl pool del p0 --force
check "a device with SRQs of 100 entries" small max_srq_wr 100
check "a class that it has no room for is refused" refused 1 "max_srq_wr is 100" \
	srqctl pool add p0 --dev rxe0 --class 4096:64-100 --shards 1
check "one that fits is not" add 4096:64-80 --shards 1
check "bursts of twenty times as many are served" load 7471 --connections 100 --messages 64 \
	--burst 16 --size $sizes --verify
check "every buffer is accounted for" balanced p0
check "no queue reported an error" is 0 errors
srqctl pool del p0 --force
check "nothing is pinned" is 0 dev .pinned
kill "$monitor"
check "the module goes" rmmod srqpool

ktap_finished
