#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# kernels: 6.12 newest debug
# vm: --bare
# Chains of every length are posted, and of a chain that the device cuts no buffer is lost.
# shellcheck source=selftests/refill/refill.sh
. "$(dirname "$0")/refill.sh"

ktap_print_header
ktap_set_plan 93

check "the test build is loaded" insmod "$SRQPOOL_TEST_KO"

# No budget for copies: each message holds a buffer.
check "a pool of 255 buffers is added" add 4096:255-255@25% --shards 1 --budget 1020K --aging 0

for n in 1 31 32 33 63 64 65 127 128 129 254 255; do
	check "$n buffers are held" hold $n
	check "$n buffers are not posted" is "$((255 - n)) $n" queue '| "\(.posted) \(.held)"'
	check "$n buffers are accounted for" balanced p0
	check "$n buffers come back" release
	check "$n buffers are posted again" wait_for 10 at_rest p0
done
check "traffic goes on" served
check "a queue without a buffer was starved" is 1 stats p0 .starved_events
check "nothing could not be posted" is 0 stats p0 .post_errors

# look: what is posted, and what is not accounted for, which is noted if it is anything.
unbalanced=$(mktemp)
look() {
	queue '| "\(.posted) \(.posted + .held + .free + .lost - .total)"' >"$unbalanced.now" &&
		read -r look_posted off <"$unbalanced.now" &&
		{ [ "$off" = 0 ] || echo "$off with $look_posted posted" >>"$unbalanced"; }
}
posted() { look && [ "$look_posted" = "$1" ]; }
# cut K: of a chain of 64, element K is refused.
cut() {
	"$peer" $addr 7471 1 64 1024 -1 >/dev/null 2>&1 &
	wait_for 30 posted 191 && fault post_at "$1" && kill -9 $! && wait_for 30 posted 255
}
# A debug kernel takes minutes for each.
elements=$(seq 64)
[ "$slowness" = 1 ] || elements="1 2 3 31 32 33 63 64"
cut_everywhere() {
	for k in $elements; do
		cut "$k" || {
			echo "element $k"
			return 1
		}
	done
}
check "a chain is cut at each of its elements, and all is posted again" cut_everywhere
errors=$(echo "$elements" | wc -w)
check "at each moment every buffer was accounted for" test ! -s "$unbalanced"
check "each was counted" is "$errors" stats p0 .post_errors
check "traffic goes on" served

hold 64
fault bad_wr_null 1
check "64 buffers come back, and the device says nothing of which it refused" release
check "it is counted" wait_for 10 is $((errors + 1)) stats p0 .post_errors
check "all are posted again" wait_for 10 at_rest p0
check "every buffer is accounted for" balanced p0
check "traffic goes on" served

srqctl pool set p0 --budget 1024K
fault spare 1
check "there is one buffer more than the queue is deep" wait_for 10 is 256 queue .total
check "255 are posted, one is free" is "255 1" queue '| "\(.posted) \(.free)"'
check "256 buffers are held" hold 256
check "256 buffers are accounted for" balanced p0
check "256 buffers come back" release
check "255 are posted, one is left free" wait_for 10 is "255 1" queue '| "\(.posted) \(.free)"'
check "traffic goes on" served
srqctl pool del p0 --force
check "nothing is pinned" is 0 dev .pinned

add 4096:64-1024@50% --shards 1
fault alloc 1000000
check "without memory buffers are held all the same" hold 40
check "it is counted" wait_for 10 above 0 stats p0 .alloc_failures
check "the class stays as it was" is 128 queue .total
check "what cannot be had is not aimed at" at_most 128 queue .target
check "every buffer is accounted for" balanced p0
fault alloc 0
check "with memory more are held" hold 50
check "and it grows" wait_for 10 above 128 queue .total
check "every buffer is accounted for" balanced p0
check "everything comes back" release
check "all is posted" wait_for 10 at_rest p0
check "traffic goes on" served
srqctl pool del p0 --force

rmmod srqpool

ktap_finished
