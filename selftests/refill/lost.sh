#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# kernels: 6.12 newest debug
# rxe of 6.12 and later swallows the buffer of a message whose sender dies in the midst of it:
# found, made up for, told, and got back when the last connection is gone.
# shellcheck source=selftests/refill/refill.sh
. "$(dirname "$0")/refill.sh"

ktap_print_header
ktap_set_plan 31

watch

# Whether a buffer is lost is known when all that were connected with its sender are gone.
found() {
	lost=$(queue .lost)
	stay && leave && wait_for 5 above "$lost" queue .lost
}
found_soon() { found || found || found || found; }
# go_through: verified messages of two connections, one after the other, until come_through, which
# tells of each time how it ended.
through=$(mktemp -d)
go_on() {
	while [ -e "$through/go" ]; do
		srqload "$addr" 7471 --connections 2 --messages 25 --rate 20 --size 24-60000 \
			--verify >"$through/said" 2>&1
		echo $? >>"$through/ends"
		cat "$through/said" >>"$through/all"
	done
}
go_through() {
	touch "$through/go"
	go_on &
	goes_through=$!
}
come_through() {
	cat "$through/all"
	[ "$(sort -u "$through/ends")" = 0 ]
}
# All memory there is belongs to a buffer that is counted.
unaccounted() { pool p0 '| .pinned - .arena - (.classes | map(.total * .size) | add)'; }
in_budget() { pool p0 '| .pinned <= .budget'; }

add 65536:16-16@25% --shards 1 --budget 4M
total=$(queue .total)
check "one connects" stay
go_through
check "two more do, and send all the time" wait_for 20 is 3 conns length
check "others die in the middle of a message" die
check "later messages overtake the buffers they had" overtaken
rm "$through/go"
wait $goes_through
check "those two lost nothing" come_through
check "they leave" wait_for 20 is 1 conns length
check "these are found to be lost" found_soon
lost=$(queue .lost)
ktap_print_msg "$lost buffers lost"
check "and are counted apart" is 0 queue '| .posted + .held + .free + .lost - .total'
check "their memory stays theirs" is 0 unaccounted
made_up() { [ "$(queue '.posted')" = 16 ]; }
check "they are made up for" wait_for 20 made_up
check "what is left is never above the ceiling" at_most 16 queue '| .total - .lost'
check "and all of it within the budget" is true in_budget
check "traffic goes on" load 7471 --connections 2 --messages 50 --size 24-60000 --verify

lose_more() {
	for _ in 1 2 3 4 5; do
		[ "$(queue .lost)" -le 4 ] || return 0
		die && overtaken && found_soon
	done
	[ "$(queue .lost)" -gt 4 ]
}
check "more than a quarter is lost" lose_more
check "the pool is degraded" is degraded pool p0 .state
check "the monitor tells" wait_for 10 seen degraded
check "it still serves" load 7471 --connections 2 --messages 50 --size 24-60000 --verify
check "every buffer is accounted for" is 0 queue '| .posted + .held + .free + .lost - .total'
check "and all memory" is 0 unaccounted

check "its budget is all used" srqctl pool set p0 --budget "$(pool p0 .pinned)"
pinned=$(pool p0 .pinned)
lost=$(queue .lost)
lose_another() { die && overtaken && found_soon; }
check "still more are lost" lose_another
check "not a byte more is pinned for them" is "$pinned" pool p0 .pinned
check "what is left serves" load 7471 --connections 2 --messages 50 --size 24-60000 --verify
check "every buffer is accounted for" is 0 queue '| .posted + .held + .free + .lost - .total'
check "and the queue is short of them" at_most 15 queue .posted

check "the last connection goes" leave
check "and what was lost is back" wait_for 20 is "0 $total" queue '| "\(.lost) \(.total)"'
check "the pool is active" is active pool p0 .state
check "it is armed" wait_for 10 at_rest p0
check "traffic goes on" load 7471 --connections 2 --messages 50 --size 24-60000 --verify
srqctl pool del p0 --force
check "nothing is pinned" is 0 dev .pinned
kill "$monitor"

ktap_finished
