#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# kernels: 6.12
# vm: --memory 8G
# 10,000 connections on one pool: each sends and gets back 10 verified messages, and dumps have all.
# shellcheck source=selftests/scale/dumps.sh
. "$(dirname "$0")/dumps.sh"

count=10000
ktap_print_header
ktap_set_plan 16

srqctl pool add p0 --dev rxe0 --class 4096:256-8192@25%
srqctl listen add p0 --addr $addr --port 7471 --mode echo
srqload "$addr" 7471 --connections $count --messages 10 --size 512 --verify --hold 600 -j >"$load_out" &
client=$!
served() { [ "$(stats p0 .tx_msgs)" = $((count * 10)) ]; }
check "$count connections, each message echoed" wait_for 400 served
check "all are up" is $count pool p0 .conns
# While connections come and go a dump says that it was interrupted; they are all there now.
check "a dump shows them all" is $count conns length
check "each exactly once" is $count conns 'map(.id) | unique | length'
pinned=$(pool p0 .pinned)
ktap_print_msg "pinned receive memory: $pinned bytes, N x M at 1 x 4096: $((count * 4096)) bytes"
check "they share less than a buffer each" test "$pinned" -lt $((count * 4096))
check "every buffer is accounted for" balanced p0
check_dumps $count 10 7471
kill -INT $client
wait $client
check "nothing was lost, repeated, reordered or corrupt" is "$((count * 10)) 0 0 0 0 0" \
	gojq -r '"\(.received) \(.lost) \(.repeated) \(.reordered) \(.corrupt) \(.failed)"' "$load_out"
srqload "$addr" 7471 --connections 1000 --messages 1 --hold 600 >/dev/null 2>&1 &
client=$!
check "1,000 come back" wait_for 120 is 1000 pool p0 .conns
check "the pool is deleted under them" srqctl pool del p0 --force
kill -9 $client
wait $client 2>/dev/null
check "the module is unloaded" rmmod srqpool
check "and loaded" insmod "$SRQPOOL_KO"

ktap_finished
