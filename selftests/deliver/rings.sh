#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# kernels: 6.1 6.12 newest debug
# A program echoes and keeps messages through rings and mapped buffers: each once, in order, without
# a copy; the pool grows under it, and goes.
# shellcheck source=selftests/deliver/deliver.sh
. "$(dirname "$0")/deliver.sh"

ktap_print_header
ktap_set_plan 40

peers=1000 speakers=200 readers=100
[ "$slowness" = 1 ] || peers=50 speakers=20 readers=20
rings=-r

add --class 4096:64-4096@25%
start echo echo
check "$peers connections, verified" load 7471 --connections $peers --messages 20 --burst 4 \
	--size $sizes --verify --seed 1
check "every message came back" is $((peers * 20)) gojq .received "$load_out"
check "every buffer is back" wait_for 10 at_rest p0
check "every buffer is accounted for" balanced p0
check "empty messages" "$peer" $addr 7471 2 100 0 0
check "as large as the class" load 7471 --connections 4 --messages 100 --burst 8 --size 4096
check "all have left" wait_for 20 nobody_left
check "it ends" stop echo
check "it was told of every connection" is $((peers + 6)) counted echo 1
check "and that all went" is $((peers + 6)) counted echo 2
check "it got each message once" is $((peers * 20 + 200 + 400)) counted echo 3
check "nothing came out of order" is 0 counted echo 6

# More wait for room in the rings than there is.
rings=-r8
start small echo
check "small rings, verified" load 7471 --connections $readers --messages 100 --burst 8 \
	--size $sizes --verify --seed 2
check "all have left" wait_for 20 nobody_left
check "it ends" stop small
check "it got each message once" is $((readers * 100)) counted small 3
check "nothing came out of order" is 0 counted small 6
rings=-r

start r1 echo
start r2 echo
check "two readers with rings, verified" load 7471 --connections $readers --messages 20 \
	--size $sizes --verify --seed 3
check "all have left" wait_for 20 nobody_left
check "the first ends" stop r1
check "it had half of them" is $((readers / 2)) counted r1 1
check "the other ends" stop r2

start speak speak 10 512
check "rdma-core's ucmatose is spoken to first, and hung up on" ucmatose -s $addr -p 7471 \
	-c $speakers -C 10 -S 512
check "all have left" wait_for 20 nobody_left
check "it ends" stop speak
check "nothing came out of order" is 0 counted speak 6
srqctl pool del p0 --force

# What it keeps is more than there was when it mapped the buffers.
add --class 4096:64-4096@25% --shards 1 --copybreak 0 --quota 100000 --reserve 0
start gather gather 3000 0
check "it keeps 3,000 messages, twice" "$peer" $addr 7471 1 6000 1024 -2
check "the pool has grown" above 2999 pool p0 '.classes | map(.total) | add'
check "all have left" wait_for 20 nobody_left
check "every buffer is back" wait_for 10 at_rest p0
check "it ends" stop gather
check "it got each message once" is 6000 counted gather 3
check "each had its number when it was given back" is 0 counted gather 6

start dies gather 4000 0
"$peer" $addr 7471 1 1000 1024 -1 >/dev/null 2>&1 &
flood=$!
held() { [ "$(pool p0 '.classes | map(.held) | add')" -ge 900 ]; }
check "a reader keeps messages" wait_for 30 held
check "it dies" kill -9 "$(pid dies)"
full() { [ "$(pool p0 '.classes | all(.posted >= .target)')" = true ]; }
check "the pool is full again within a second" wait_for 1 full
kill -9 $flood

start told gather 4000 0
"$peer" $addr 7471 1 1000 1024 -1 >/dev/null 2>&1 &
check "a reader keeps messages" wait_for 30 held
check "the pool is deleted under it" srqctl pool del p0 --force
check "it is told" wait_for 10 ended told
check "nothing is pinned" is 0 dev .pinned
kill -9 $!

ktap_finished
