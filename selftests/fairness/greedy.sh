#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# A peer that sends and never takes its echoes holds what it may; the others do not feel it.
# shellcheck source=selftests/pool.sh
. "$(dirname "$0")/../pool.sh"

ktap_print_header
ktap_set_plan 12

peer=$(dirname "$0")/peer
p99() { jq .latency_us.p99 "$load_out"; }
quiet() { load "$1" --connections 100 --messages 20 --rate 400 --size 1024 "$@"; }

srqctl pool add p0 --dev rxe0 --class 4096:256-1024@25%
srqctl listen add p0 --addr $addr --port 7471 --mode echo >/dev/null
srqctl listen add p0 --addr $addr --port 7472 --mode sink >/dev/null

"$peer" $addr 7471 1 0 2048 -1 >/dev/null 2>&1 &
greedy=$!
quota=$(pool p0 .quota)
holds() { [ "$(conns '.[0].held')" -ge "$quota" ]; }
check "it holds its quota" wait_for 20 holds
check "after that it is copied" wait_for 20 above 0 conns '.[0].copied'
check "the peers of a sink are served" load 7472 --connections 100 --messages 20 --rate 400 \
	--size 1024 --one-way
base=$(p99)
check "the peers of an echo too" load 7471 --connections 100 --messages 20 --rate 400 --size 1024
echoed=$(p99)
echo "# p99 us: sink $base, echo $echoed"

connect_ten() {
	srqload $addr 7471 --connections 10 --messages 1 --hold 20 >/dev/null 2>&1 &
	ten=$!
	wait_for "$1" is 11 conns 'map(select(.state == "up")) | length'
}
check "ten more connect" connect_ten 5
check "the greediest is named first" is "$(conns 'max_by(.held).id')" \
	sh -c "srqctl -j conn show --top 1 | jq '.[0].id'"
check "it holds no more than its quota, or was closed" \
	sh -c "[ \$(srqctl -j conn show --top 1 | jq '.[0].held') -le $((quota + 1)) ]"
check "every buffer is accounted for" balanced p0
kill -9 $ten $greedy
wait $ten $greedy 2>/dev/null
check "when it goes, all comes back" wait_for 20 at_rest p0

srqctl pool set p0 --quota 16 --quota-policy disconnect
"$peer" $addr 7471 1 0 2048 -1 >/dev/null 2>&1 &
greedy=$!
check "with policy disconnect it is closed" wait_for 20 above 0 stats p0 .quota_hits
check "and gone" wait_for 20 is 0 conns length
kill -9 $greedy 2>/dev/null
wait $greedy 2>/dev/null
check "its buffers are back" wait_for 20 at_rest p0
srqctl pool del p0 --force

ktap_finished
