#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# kernels: 6.1 6.12 newest debug
# Peers that send too much, stop in the middle, or are turned away, take nothing with them.
# shellcheck source=selftests/pool.sh
. "$(dirname "$0")/../pool.sh"

ktap_print_header
ktap_set_plan 14

srqctl pool add p0 --dev rxe0 --class 1024:128
listener=$(srqctl listen add p0 --addr $addr --port 7471 --mode echo --max-conns 8 2>/dev/null)
oversize() { ! load 7471 --connections 4 --messages 4 --size 2048; }
check "a message larger than its buffer ends the connection" oversize
check "it is counted" above 0 stats p0 .oversize
check "these connections end" wait_for 30 is 0 conns length
check "their buffers are back" wait_for 10 at_rest p0

too_many() { ! load 7471 --connections 12 --messages 1; }
check "more connections than allowed are rejected" too_many
check "those allowed were served" above 7 gojq .connections "$load_out"

killed() {
	srqload "$addr" 7471 --connections 8 --messages 100000 --burst 8 >/dev/null 2>&1 &
	victim=$!
	wait_for 60 is 8 conns 'map(select(.rx_msgs > 10)) | length' &&
		kill -9 $victim
	wait $victim 2>/dev/null
}
killed
check "a client killed in the middle is noticed" wait_for 60 is 0 conns length
# rxe of 6.12 and later swallows the buffer of a message that its sender did not finish: it is
# lost, and got back with a new SRQ now that no connection is left.
check "its buffers are back, those that the device swallowed too" wait_for 30 at_rest p0
check "and none is lost" balanced p0

srqload "$addr" 7471 --connections 4 --messages 1 --hold 60 >/dev/null 2>&1 &
holder=$!
check "connections stay open" wait_for 30 is 4 conns length
check "one is killed by its id" srqctl conn kill "$(conns '.[0].id')"
check "and only that one" wait_for 10 is 3 conns length
check "the listener is deleted" srqctl listen del "$listener"
check "and its connections are gone by then" is 0 conns length
kill -9 $holder
wait $holder 2>/dev/null
srqctl pool del p0

ktap_finished
