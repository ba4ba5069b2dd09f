#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# kernels: 6.1 newest debug
# 1,000 connections that misbehave, a quarter in each way, cannot shrink a pool.
# shellcheck source=selftests/refill/refill.sh
. "$(dirname "$0")/../refill/refill.sh"

ktap_print_header
ktap_set_plan 14

quarter=250
[ "$slowness" = 1 ] || quarter=25

nobody() { is 0 conns length; }
# unharmed: nobody is left, and everything is where it was.
unharmed() { wait_for 60 nobody && wait_for 20 at_rest p0 && wait_for 20 as_before; }
as_before() { is "$before" queue '| "\(.total) \(.posted) \(.lost)"'; }

# Buffers of sixteen packets, so that a message can be cut.
add 16384:256-256@25% --shards 1
before=$(queue '| "\(.total) \(.posted) \(.lost)"')

check "$quarter send messages without a byte, and get them back" \
	"$peer" $addr 7471 $quarter 4 0 0
check "they were received" is $((quarter * 4)) stats p0 .rx_msgs
check "the pool is unharmed" unharmed

oversize() { ! load 7471 --connections $quarter --messages 2 --size 32768; }
check "$quarter send what no buffer has room for" oversize
check "each is counted" is $quarter stats p0 .oversize
check "the pool is unharmed" unharmed

abort() {
	srqload $addr 7472 --connections $quarter --messages 1000000 --size 16000 --one-way \
		>/dev/null 2>&1 &
	wait_for 120 is $quarter conns 'map(select(.rx_msgs > 1)) | length'
	kill -9 $!
}
check "$quarter are killed in the midst of messages" abort
check "the pool is unharmed" unharmed

flush() {
	"$peer" $addr 7471 $quarter 1 1024 -1 >/dev/null 2>&1 &
	echo $! >"$holders"
	wait_for 120 is $quarter conns 'map(select(.rx_msgs == 1)) | length' &&
		srqctl listen del "$(srqctl -j listen show | gojq '.[] | select(.mode == "echo").id')"
}
check "$quarter that do not take their echoes are closed from here" flush
check "the pool is unharmed" unharmed
kill -9 "$(cat "$holders")"
srqctl listen add p0 --addr $addr --port 7471 --mode echo >/dev/null

check "no buffer could not be posted" is 0 stats p0 .post_errors
check "every buffer is accounted for" balanced p0
check "traffic goes on" served
srqctl pool del p0 --force
check "nothing is pinned" is 0 dev .pinned

ktap_finished
