#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# kernels: 6.1 6.12 newest debug
# The servers of Documentation/examples, on libsrqpool, serve clients that nobody here wrote.
# shellcheck source=selftests/deliver/deliver.sh
. "$(dirname "$0")/deliver.sh"
require rdma_client ucmatose

ktap_print_header
ktap_set_plan 19

examples=$(dirname "$(command -v srqctl)")/examples
crowd=200 peers=1000 greeted=200
[ "$slowness" = 1 ] || crowd=20 peers=50 greeted=20

# serve NAME ARGUMENT...: an example serves p0; its process is in $told/NAME.pid.
serve() {
	served=$1
	shift
	"$examples/$served" "$@" >"$told/$served" 2>&1 &
	echo $! >"$told/$served.pid"
	wait_for 10 grep -q attached "$told/$served"
}

check "without a pool the echo server says so" refused 1 "No such file" "$examples/echo" p0
add --class 4096:64-4096@25%
check "the echo server attaches" serve echo p0
check "one rdma_client" rdma_client -s $addr -p 7471
check "$crowd rdma_client at once" clients $crowd
check "$peers connections, verified" load 7471 --connections $peers --messages 10 --size $sizes \
	--verify --seed 1
check "all have left" wait_for 20 nobody_left
check "every buffer is back" wait_for 10 at_rest p0
check "every buffer is accounted for" balanced p0
kill -TERM "$(pid echo)"
check "it ends when it is told" wait_for 10 ended echo

check "the greeting server attaches" serve greet p0 10 512
check "ucmatose is spoken to first, and hung up on" ucmatose -s $addr -p 7471 -c $greeted -C 10 \
	-S 512
check "all have left" wait_for 20 nobody_left
check "every buffer is accounted for" balanced p0
kill -TERM "$(pid greet)"
check "it ends when it is told" wait_for 10 ended greet

check "the echo server attaches" serve echo p0
check "traffic" load 7471 --connections 10 --messages 10 --size $sizes --verify --seed 2
check "the pool is deleted" srqctl pool del p0 --force
check "the server ends" wait_for 10 ended echo
check "nothing is pinned" is 0 dev .pinned

ktap_finished
