#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# kernels: 6.12 newest
# Every way to poll, to refill and to share gives every message back.
# shellcheck source=selftests/refill/refill.sh
. "$(dirname "$0")/refill.sh"

ktap_print_header
ktap_set_plan 78

full() { [ "$(pool p0 '.classes | all(.held == 0 and .posted == .target)')" = true ]; }

for mode in event busy hybrid:50 auto; do
	check "polled by $mode: a pool is added" add 4096:64-1024@25% --poll $mode
	check "polled by $mode: shown" is $mode pool p0 .poll
	check "polled by $mode: traffic" served
	check "polled by $mode: at rest" wait_for 10 at_rest p0
	check "polled by $mode: every buffer is accounted for" balanced p0
	srqctl pool del p0 --force
done

add 4096:64-1024@25%
srqload $addr 7471 --connections 4 --messages 100000 --burst 8 --size $sizes --verify --seed 1 \
	-j >"$load_out" &
client=$!
# Each mode has to move messages before it is left.
switch() {
	srqctl pool set p0 --poll "$1" && is "$1" pool p0 .poll &&
		wait_for 20 above $(($(stats p0 .rx_msgs) + 100)) stats p0 .rx_msgs
}
for mode in busy event hybrid:50 busy auto busy hybrid:10 event; do
	check "under traffic to $mode" switch $mode
done
check "it has not failed" kill -0 $client
kill -9 $client
wait $client 2>/dev/null
check "all comes back" wait_for 20 at_rest p0
check "every buffer is accounted for" balanced p0
check "no completion failed but by flushing" is 0 stats p0 '.wc_errors | del(.WR_FLUSH_ERR) | length'
srqctl pool del p0 --force

check "refilled at once: a pool is added" add 4096:64-1024@25% --shards 1 --refill immediate
unarmed() { is '0 false 0' queue '| "\(.mark) \(.armed) \(.device_limit)"'; }
check "nothing is armed" unarmed
check "traffic" served
check "bursts of many" load 7471 --connections 16 --messages 64 --burst 16 --verify --size $sizes
check "nothing is armed after it" unarmed
check "no event came" is 0 stats p0 .limit_events
check "everything is posted" wait_for 10 full
check "every buffer is accounted for" balanced p0
check "buffers are held" hold 60
check "and come back" release
check "everything is posted" wait_for 10 full
check "every buffer is accounted for" balanced p0
srqctl pool del p0 --force

# own N: N connections have 16 buffers each.
own() { is $(($1 * 16)) pool p0 '.classes[0].total'; }
check "a queue for each connection: a pool is added" add 4096:64-1024 --shards 2 --dedicated 16
check "nothing is pinned" is 0 pool p0 .pinned
check "there is no limit" is null queue .device_limit
srqload $addr 7471 --connections 8 --messages 100 --burst 16 --size $sizes --verify --hold 600 \
	-j >"$load_out" 2>&1 &
client=$!
check "each of 8 connections has its buffers" wait_for 20 own 8
check "all messages are received" wait_for 60 is 800 stats p0 .tx_msgs
check "all buffers are posted again" wait_for 10 is 128 pool p0 '.classes[0].posted'
check "every buffer is accounted for" balanced p0
check "so much is pinned" is $((128 * 4096)) pool p0 .pinned
kill -9 $client
wait $client 2>/dev/null
check "when they go nothing stays pinned" wait_for 20 is 0 pool p0 .pinned
check "traffic" served
check "one way" load 7472 --connections 8 --messages 200 --burst 16 --one-way
check "nothing stays pinned" wait_for 20 is 0 pool p0 .pinned
srqload $addr 7471 --connections 8 --messages 1000000 --burst 16 --size 4096 >/dev/null 2>&1 &
client=$!
check "more traffic" wait_for 20 above 3000 stats p0 .rx_msgs
kill -9 $client
wait $client 2>/dev/null
check "that is cut off" wait_for 20 nobody_left
check "leaves nothing pinned" wait_for 20 is 0 pool p0 .pinned
check "nor held" balanced p0
hold 16
check "what a peer does not take is held" is 16 pool p0 '.classes[0].held'
check "and comes back" release
check "nothing stays pinned" wait_for 20 is 0 pool p0 .pinned
srqctl pool del p0 --force

check "a queue of 16384 for each connection" add 4096:1-16384 --shards 1 --dedicated 16384
srqload $addr 7472 --messages 10 --one-way --hold 600 >/dev/null 2>&1 &
client=$!
check "one fits" wait_for 60 is 10 stats p0 .rx_msgs
one_more() { load 7472 --messages 10 --one-way; }
not_one_more() { ! one_more; }
check "a second is refused, the CQ has no room" not_one_more
kill -9 $client
wait $client 2>/dev/null
check "when the first is gone" wait_for 20 nobody_left
check "another fits" one_more
check "nothing stays pinned" wait_for 20 is 0 pool p0 .pinned
srqctl pool del p0 --force

srqctl pool add p0 --dev rxe0 --class small=512:64-512@25% --class big=16K:64-256@25%
srqctl listen add p0 --addr $addr --port 7471 --mode echo --class small >/dev/null
srqctl listen add p0 --addr $addr --port 7472 --mode echo --class big >/dev/null
srqload $addr 7472 --connections 8 --messages 50 --burst 8 --size 24-16384 --verify --seed 1 \
	>/dev/null &
client=$!
check "two classes: small messages" load 7471 --connections 8 --messages 50 --burst 8 \
	--size 24-512 --verify --seed 1
wait $client
check "and large ones at the same time" test $? = 0
used() { pool p0 "| .classes[] | select(.name == \"$1\") | .max_in_use"; }
check "from the small class" above 0 used small
check "and the large" above 0 used big
too_large() { ! load 7471 --messages 1 --size 513; }
check "a message too large for its class is not delivered" too_large
check "but counted" is 1 stats p0 .oversize
check "both are at rest" wait_for 20 at_rest p0
check "every buffer is accounted for" balanced p0
srqctl pool del p0 --force
check "nothing is pinned" is 0 dev .pinned

ktap_finished
