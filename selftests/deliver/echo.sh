#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# kernels: 6.1 6.12 newest debug
# A program echoes through read() and write(): each message once and in order, 1,000 connections.
# shellcheck source=selftests/deliver/deliver.sh
. "$(dirname "$0")/deliver.sh"

ktap_print_header
ktap_set_plan 27

peers=1000 speakers=200
[ "$slowness" = 1 ] || peers=50 speakers=20

add --class 4096:64-4096@25%
rejected() { ! srqload $addr 7471 --messages 1; }
check "without a reader a connection is rejected" rejected
start echo echo
check "a pool with a reader is not deleted" refused 1 "readers" srqctl pool del p0
check "$peers connections, verified" load 7471 --connections $peers --messages 20 --burst 4 \
	--size $sizes --verify --seed 1
check "every message came back" is $((peers * 20)) gojq .received "$load_out"
check "every buffer is back" wait_for 10 at_rest p0
check "every buffer is accounted for" balanced p0
check "bursts larger than what one may have on its way" load 7471 --connections 2 --messages 1000 \
	--burst 500 --size $sizes --verify --seed 2
check "empty messages" "$peer" $addr 7471 2 100 0 0
check "as large as the class" load 7471 --connections 4 --messages 100 --burst 8 --size 4096
check "all have left" wait_for 20 nobody_left
check "it ends" stop echo
check "it was told of every connection" is $((peers + 8)) counted echo 1
check "and that all went" is $((peers + 8)) counted echo 2
check "it got each message once" is $((peers * 20 + 2000 + 200 + 400)) counted echo 3
check "nothing came out of order" is 0 counted echo 6
check "it had to wait for room" above 0 counted echo 5

# Who sends and leaves at once is heard all the same.
start sink sink
check "one way into a program" load 7471 --connections 50 --messages 100 --burst 8 --one-way
check "all have left" wait_for 20 nobody_left
check "it ends" stop sink
check "it got each message" is 5000 counted sink 3
check "nothing came out of order" is 0 counted sink 6

start speak speak 10 512
check "rdma-core's ucmatose is spoken to first, and hung up on" ucmatose -s $addr -p 7471 \
	-c $speakers -C 10 -S 512
check "all have left" wait_for 20 nobody_left
check "every buffer is accounted for" balanced p0
srqctl pool del p0 --force
check "when the pool goes its reader is told" wait_for 10 ended speak
check "nothing came out of order" is 0 counted speak 6
check "nothing is pinned" is 0 dev .pinned

ktap_finished
