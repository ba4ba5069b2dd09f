#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# kernels: 6.1 6.12 newest debug siw
# Silent peers that are there stay, peers that take nothing do not.
# shellcheck source=selftests/pool.sh
. "$(dirname "$0")/../pool.sh"

ktap_print_header
ktap_set_plan 16

keepalive=2
[ "$slowness" = 1 ] || keepalive=10
peer=$selftests/fairness/peer

srqctl pool add p0 --dev "$rdma_dev" --class 4096:128-1024@25% --keepalive $keepalive
check "the time is shown" is $keepalive pool p0 .keepalive
check "a day and a second is refused" refused 1 "86401" srqctl pool set p0 --keepalive 86401
check "it is as it was" is $keepalive pool p0 .keepalive
srqctl listen add p0 --addr $addr --port 7471 --mode echo 2>/dev/null

srqload "$addr" 7471 --connections 20 --messages 1 --hold 600 >/dev/null 2>&1 &
silent=$!
check "20 peers are silent" wait_for 30 is 20 conns 'map(select(.idle_ms > 0)) | length'
# idle N MS: so many have been silent for so long.
idle() { is "$1" conns "map(select(.idle_ms > $2)) | length"; }
check "they stay, and what they sent last was long ago" \
	wait_for 60 idle 20 $((keepalive * 4000))
check "no completion failed" is '{}' stats p0 '.wc_errors'
kill -9 $silent
wait $silent 2>/dev/null
check "they go when they are killed" wait_for 60 is 0 conns length

# They send 8 messages each and post no receive for the echoes.
greedy() {
	"$peer" $addr 7471 "$1" 8 64 -1 >/dev/null 2>&1 &
	greedy=$!
}
greedy 4
check "4 peers take nothing" wait_for 30 is 4 conns 'map(select(.tx_pending > 0)) | length'
srqload "$addr" 7471 --connections 4 --messages 100000000 --rate 200 --hold 600 \
	>/dev/null 2>&1 &
honest=$!
check "others do" wait_for 30 is 4 conns 'map(select(.tx_msgs > 0)) | length'
check "they are closed" wait_for $((keepalive * 4 + 10)) is 4 conns length
check "the others not" is 4 conns 'map(select(.tx_msgs > 0)) | length'
kill -9 $greedy $honest
wait $greedy $honest 2>/dev/null
check "all are gone" wait_for 60 is 0 conns length
check "every buffer is back" wait_for 30 at_rest p0

check "it can be switched off" srqctl pool set p0 --keepalive 0
greedy 4
check "then those that take nothing stay" wait_for 60 idle 4 $((keepalive * 3000))
kill -9 $greedy
wait $greedy 2>/dev/null
check "every buffer is back once more" wait_for 60 at_rest p0
srqctl pool del p0 --force

ktap_finished
