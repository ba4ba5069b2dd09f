#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# kernels: 6.12 debug
# A thousand peers (100 on a debug kernel) say good-bye: the kernel log has at most a line of it.
# shellcheck source=selftests/pool.sh
. "$(dirname "$0")/../pool.sh"

ktap_print_header
ktap_set_plan 7

peers=1000
[ "$slowness" = 1 ] || peers=100

# logged: lines of the kernel log, of anybody, since the mark.
mark="srqpool quiet $$"
logged() {
	dmesg | awk -v mark="$mark" '
		seen { n++ }
		index($0, mark) { seen = 1 }
		END { print seen ? n + 0 : "no mark" }'
}
at_most_one() {
	lines=$(logged)
	echo "$lines lines"
	dmesg | tail -n 20
	[ "$lines" -le 1 ]
}

check "a pool" srqctl pool add p0 --dev rxe0 --class 4096:256-4096@25%
check "a listener" srqctl listen add p0 --addr $addr --port 7471 --mode echo
srqload "$addr" 7471 --connections $peers --messages 2 --size 64 --hold 600 >/dev/null 2>&1 &
client=$!
check "$peers connections, each served" wait_for 120 is $((peers * 2)) stats p0 .tx_msgs
echo "$mark" >/dev/kmsg
check "the mark is in the log" is 0 logged
kill -INT $client
wait $client
check "all disconnect" wait_for 60 is 0 conns length
check "the log has at most one line more" at_most_one
check "the pool is deleted" srqctl pool del p0 --force

ktap_finished
