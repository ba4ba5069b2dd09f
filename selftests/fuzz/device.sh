#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# kernels: 6.12 debug
# vm: --bare
# Threads that misuse /dev/srqpool and spoil what they share with the kernel, while messages come.
# shellcheck source=selftests/fuzz/fuzz.sh
. "$(dirname "$0")/fuzz.sh"

ktap_print_header
ktap_set_plan 13

# traffic SIZE: clients that come, send, and go.
traffic() {
	while [ -e "$alive" ]; do
		timeout 5 "$here/../fairness/peer" $addr 7471 8 0 "$1" -1
	done >/dev/null 2>&1
}

check "the module is loaded" load_module
check "a pool is added" srqctl pool add p0 --dev rxe0 --class 4096:64-1024@25%
check "and a listener" srqctl listen add p0 --addr $addr --port 7471 --mode deliver
alive=$(mktemp)
traffic 100 &
small=$!
traffic 3000 &
large=$!
openly "threads for $seconds s" "$here/device" "$seed" "$seconds" 6 p0
rm "$alive"
wait $small $large
received() { stats p0 .rx_msgs; }
check "there were messages" above 1000 received
check "all have left" wait_for 60 nobody_left
check "every buffer is back" wait_for 10 at_rest p0
check "and none is lost" wait_for 30 balanced p0

"$here/../deliver/reader" p0 echo >/dev/null 2>&1 &
reader=$!
reads() { [ "$(no_holders)" -gt 0 ]; }
check "another reader comes" wait_for 10 reads
check "it gets every message" load 7471 --connections 4 --messages 50 --size $sizes --verify
kill -TERM $reader
wait $reader
check "the pool is deleted" srqctl pool del p0 --force
check "nothing is pinned" is 0 dev .pinned
check "the module goes" wait_for 10 rmmod srqpool

ktap_finished
