#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# kernels: 6.12 newest
# A peer that sends and never takes its echoes holds what it may; the others do not feel it.
# shellcheck source=selftests/pool.sh
. "$(dirname "$0")/../pool.sh"

ktap_print_header
ktap_set_plan 17

peer=$(dirname "$0")/peer
quiet() { load "$1" --connections 100 --messages 20 --rate 400 --size 1024 --one-way; }
# greed MESSAGES: one connection that sends so many, 0: without end.
greed() {
	"$peer" $addr 7471 1 "$1" 2048 -1 >/dev/null 2>&1 &
	greedy=$!
}
end_greed() {
	kill -9 "$greedy" 2>/dev/null
	wait "$greedy" 2>/dev/null
}
top() { srqctl -j conn show --top 1 | gojq ".[0].$1"; }

srqctl pool add p0 --dev rxe0 --class 4096:256-1024@25%
srqctl listen add p0 --addr $addr --port 7471 --mode echo >/dev/null
srqctl listen add p0 --addr $addr --port 7472 --mode sink >/dev/null
quota=$(pool p0 .quota)

# What comes while the queue is low is copied before the quota is reached.
holds() { [ "$(top held)" -le "$quota" ] && [ $(($(top held) + $(top copied))) = $((quota + 20)) ]; }
# measure: p99 of quiet peers alone and beside the greedy one, in turns.
alone=$(mktemp)
beside=$(mktemp)
p99() { quiet 7472 && gojq .latency_us.p99 "$load_out"; }
measure() {
	for _ in 1 2 3 4 5; do
		p99 >>"$alone" || return
		greed $((quota + 20))
		wait_for 20 holds && p99 >>"$beside" || return
		end_greed
		wait_for 20 at_rest p0 || return
	done
}
# ratios: beside to alone, sorted. Noise makes one of a pair longer as often as the other.
ratios() { paste "$alone" "$beside" | awk '{ printf "%.2f\n", $2 / $1 }' | sort -n; }

check "quiet peers are served alone, and beside a greedy one" measure
greed $((quota + 20))
check "which holds its quota, the rest is copied" wait_for 20 holds
ktap_print_msg "p99 of the quiet peers in us, alone: $(xargs <"$alone"), beside: $(xargs <"$beside")"
ktap_print_msg "ratios: $(ratios | xargs)"
check "their p99 stays within twice of what it was" gojq -en "$(ratios | sed -n 3p) <= 2"
check "peers of an echo are served as well" load 7471 --connections 100 --messages 20 \
	--rate 400 --size 1024

eleven() { is 11 conns 'map(select(.state == "up")) | length'; }
srqload $addr 7471 --connections 10 --messages 1 --hold 20 >"$load_out" 2>&1 &
ten=$!
check "ten more connect" wait_for 20 eleven
kill -INT $ten
wait $ten
connect_time() { sed -n 's,^connections  10 of 10 in \([0-9.]*\) s.*,\1,p' "$load_out"; }
check "within a second" gojq -en "$(connect_time) <= 1"
check "the greediest is named first" is "$(conns 'max_by(.held).id')" top id
check "it is still there" holds
check "every buffer is accounted for" balanced p0
end_greed
check "when it goes, all comes back" wait_for 20 at_rest p0

greed 0
check "one that takes all there is" wait_for 20 above 0 stats p0 .quota_hits
check "does not keep others from being served" quiet 7472
check "because it is closed" wait_for 20 is 0 conns length
end_greed
check "its buffers are back" wait_for 20 at_rest p0

srqctl pool set p0 --quota 16 --quota-policy disconnect
hits=$(stats p0 .quota_hits)
greed 0
check "with policy disconnect" wait_for 20 above "$hits" stats p0 .quota_hits
check "it is closed at its quota" wait_for 20 is 0 conns length
end_greed
check "and its buffers are back" wait_for 20 at_rest p0
srqctl pool del p0 --force

ktap_finished
