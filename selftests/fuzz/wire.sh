#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# kernels: 6.12 debug
# vm: --bare
# Peers with odd connect requests, every kind of message, and ends in the middle of it. The private
# data of the connect request is all that has a format of ours.
# shellcheck source=selftests/fuzz/fuzz.sh
. "$(dirname "$0")/fuzz.sh"

ktap_print_header
ktap_set_plan 15

add() {
	srqctl pool add p0 --dev rxe0 --class 256:64-512@25% --class 4096:64-512@25% \
		--class 65536:16-64@25%
}
listen() {
	srqctl listen add p0 --addr $addr --port 7471 --class 4096 --mode echo &&
		srqctl listen add p0 --addr $addr --port 7472 --class 256 --mode sink &&
		srqctl listen add p0 --addr $addr --port 7473 --class 4096 --mode deliver
}

check "the module is loaded" load_module
check "a pool is added" add
check "and listeners" listen
"$here/../deliver/reader" p0 echo >/dev/null &
plain=$!
"$here/../deliver/reader" -r p0 echo >/dev/null &
ring=$!
check "there are readers" wait_for 20 is 2 no_holders
openly "peers for $seconds s" "$here/wire" "$seed" "$seconds" 8 $addr 7471 7472 7473
received() { stats p0 .rx_msgs; }
check "there were messages" above 100 received
check "all have left" wait_for 60 nobody_left
check "every buffer is back" wait_for 20 at_rest p0
check "and none is lost" wait_for 30 balanced p0
check "an honest client is served" load 7471 --connections 4 --messages 50 --size $sizes --verify

# finished PID: it ends by itself, with nothing wrong.
finished() { kill -TERM "$1" && wait "$1"; }
openly "one reader had everything in order" finished $plain
openly "and so had the other" finished $ring
check "the pool is deleted" srqctl pool del p0 --force
check "nothing is pinned" is 0 dev .pinned
check "the module goes" wait_for 10 rmmod srqpool

ktap_finished
