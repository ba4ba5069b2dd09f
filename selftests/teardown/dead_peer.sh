#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# kernels: 6.12 newest debug
# vm: --peer
# The network between 500 connections and us goes, and then their machine (50 on a debug kernel).
# shellcheck source=selftests/pool.sh
. "$(dirname "$0")/../pool.sh"
require rdma

ktap_print_header
ktap_set_plan 15

nr=500
[ "$slowness" = 1 ] || nr=50
keepalive=10
# 5 s for an answer, 1 s between two looks, and the rest to close them.
bound=$((keepalive + 10))

srqctl pool add p0 --dev "$rdma_dev" --class 4096:256-4096@25% --keepalive $keepalive
srqctl listen add p0 --addr $addr --port 7471 --mode echo
peers() {
	on-peer srqload $addr 7471 --connections $nr --connecting 32 --messages 4 --burst 4 \
		--hold 600 >/dev/null 2>&1 &
}
served() { is $nr conns 'map(select(.tx_msgs == 4)) | length'; }
peers
check "$nr connections are open" wait_for 120 served
check "our interface goes down" ip link set eth0 down
check "they are all gone within $bound s" wait_for $bound is 0 conns length
check "their buffers are back" wait_for 10 at_rest p0
check "our interface comes up" ip link set eth0 up
on-peer pkill -9 srqload
# The CM's own QP on rxe does not survive that a send of it failed.
anew() { rdma link delete rxe0 && rdma link add rxe0 type rxe netdev eth0; }
check "its device is made anew" anew
check "the pool is on it" wait_for 10 is active pool p0 .state

peers
check "$nr are open again" wait_for 120 served
idle() { [ "$(conns "map(select(.idle_ms > $1)) | length")" = $nr ]; }
check "they are silent and stay" wait_for 120 idle $((keepalive * 1500))
check "their machine dies" kill-peer
check "they are all gone within $bound s" wait_for $bound is 0 conns length
check "their buffers are back" wait_for 10 at_rest p0
check "every one of them" balanced p0
check "new ones are served" load 7471 --connections 4 --messages 100 --verify
srqctl pool del p0 --force
check "nothing is left" is 0 dev ' | .pools + .conns + .pinned'

ktap_finished
