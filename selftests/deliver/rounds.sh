#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# kernels: 6.12 newest debug
# vm: --bare
# A program that has every buffer of a pool and gives them back by the ring alone is never forgotten:
# nothing else would wake the kernel.
# shellcheck source=selftests/deliver/deliver.sh
. "$(dirname "$0")/deliver.sh"

ktap_print_header
ktap_set_plan 18

rounds=${ROUNDS:-20000} waits=2000
[ "$slowness" = 1 ] || rounds=2000 waits=100
rings=-r8
look=/sys/kernel/debug/srqpool_fault/look

check "the test build is loaded" insmod "$SRQPOOL_TEST_KO"
check "a pool of 4 buffers is added" add --class 4096:4-4@0 --shards 1 --copybreak 0 --quota 100000 \
	--reserve 0 --rnr-timer 10 --aging 0
check "the watchdog looks at no ring" sh -c "echo 2000000000 >$look"
check "$rounds rounds" "$(dirname "$0")/rounds" p0 $addr 7471 4 "$rounds"
echo "# $output (rounds, kicks)"

# Those who send more than there are buffers wait until they come back.
start gather gather 4 0
"$peer" $addr 7471 8 0 64 -1 >/dev/null 2>&1 &
flood=$!
check "$waits rounds with peers that wait" wait_for 500 above $((rounds * 4 + waits * 4)) stats p0 .rx_msgs
kill -9 $flood
check "the watchdog had nothing to do with it" above 1000000000 cat $look
check "all have left" wait_for 20 nobody_left
check "it ends" stop gather
check "each message had its number when it was given back" is 0 counted gather 6
check "it had to kick" above 0 counted gather 7
check "every buffer is back" wait_for 10 is 4 pool p0 '.classes[0].posted'

# Who forgets to kick is found by the watchdog.
check "the watchdog looks again" sh -c "echo 0 >$look"
start lazy lazy 4 0
check "1,000 messages" "$peer" $addr 7471 1 1000 64 -2
check "all have left" wait_for 20 nobody_left
check "it ends" stop lazy
check "it got each" is 1000 counted lazy 3
check "the pool is deleted" srqctl pool del p0 --force
check "the module goes" wait_for 10 rmmod srqpool

ktap_finished
