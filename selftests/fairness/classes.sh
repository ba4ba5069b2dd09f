#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# A peer that says how long its messages are gets the class for them.
# shellcheck source=selftests/pool.sh
. "$(dirname "$0")/../pool.sh"

ktap_print_header
ktap_set_plan 8

peer=$(dirname "$0")/peer
# with SIZE [NEEDS]: ten echoes.
with() { "$peer" $addr 7471 2 10 "$1" 0 "${2:-0}"; }
# classes NEEDS: the classes of two connections that say they need so much.
classes() {
	"$peer" $addr 7471 2 1 64 -1 "$1" >/dev/null 2>&1 &
	client=$!
	wait_for 20 is 2 conns 'map(select(.rx_msgs == 1)) | length' >&2
	conns 'map(.class) | join(" ")'
	kill -9 $client
	wait $client 2>/dev/null
	wait_for 20 is 0 conns length >&2
}

srqctl pool add p0 --dev rxe0 --class 4K=4096:128 --class small=512:128 --class big=64K:128
srqctl listen add p0 --addr $addr --port 7471 --mode echo >/dev/null
check "without a word it is the listener's class" is '4K 4K' classes 0
check "a small need gets small buffers" is 'small small' classes 512
check "one byte more does not" is '4K 4K' classes 513
check "a large one gets large buffers" is 'big big' classes 65536
check "and large messages go through" with 65536 65536
check "as small ones do" with 512 100
check "what no class holds is rejected" sh -c "! $peer $addr 7471 1 1 64 0 65537"
check "every buffer is back" wait_for 20 at_rest p0
srqctl pool del p0 --force

ktap_finished
