#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# kernels: 6.1 6.12 newest debug
# Pools are deleted while they work, by one and by two at once.
# shellcheck source=selftests/pool.sh
. "$(dirname "$0")/../pool.sh"

ktap_print_header
ktap_set_plan 14

serve() {
	srqctl pool add p0 --dev rxe0 --class 4096:128-1024@25% &&
		srqctl listen add p0 --addr $addr --port 7471 --mode echo
}
busy() { [ "$(conns 'map(select(.rx_msgs > 0)) | length')" -ge "$1" ]; }
start_load() {
	srqload "$addr" 7471 --connections 40 --messages 1000000 --burst 8 >/dev/null 2>&1 &
	client=$!
	wait_for 120 busy 40
}
end_load() {
	kill -9 "$client" 2>/dev/null
	wait "$client" 2>/dev/null
	true
}
gone() { is 0 dev ' | .pools + .conns + .pinned'; }

for round in 1 2 3; do
	check "round $round: a pool" serve
	start_load
	check "round $round: it is deleted" srqctl pool del p0 --force
	check "round $round: nothing of it is left" gone
	end_load
done
serve
start_load
both() {
	srqctl pool del p0 --force >/dev/null 2>&1 &
	one=$!
	srqctl pool del p0 --force >/dev/null 2>&1 &
	two=$!
	wait $one
	first=$?
	wait $two
	second=$?
	echo "exit $first and $second"
	[ $first = 0 ] || [ $second = 0 ] && [ $first != $second ]
}
check "of two that delete it one is refused" both
check "and nothing is left" gone
end_load
storm() {
	for _ in $(seq 10); do
		serve || return
		srqload "$addr" 7471 --connections 20 --messages 10 >/dev/null 2>&1 &
		client=$!
		srqctl pool del p0 --force || return
		end_load
	done
}
check "ten pools come and go under connects" storm
check "nothing is left of them" gone
check "the module holds nothing" is 0 cat /sys/module/srqpool/refcnt

ktap_finished
