#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# kernels: 6.12 newest
# What a burst made a class grow goes again: by and by, or when memory is short.
# shellcheck source=selftests/refill/refill.sh
. "$(dirname "$0")/refill.sh"

ktap_print_header
ktap_set_plan 26

watch

# Memory beside the arena, in buffers.
buffers() { pool p0 '| (.pinned - .arena) / 4096'; }
# grown: a burst that more is wanted for than the floor.
grown() { hold 150 && hold 150 && hold 300 && above 512 queue .total && release; }
halved() { [ "$(queue .target)" -lt "$before" ]; }
at_floor() { [ "$(queue .target)" = 64 ]; }
returned() { [ "$(buffers)" -le 192 ]; }

add 4096:64-4096@25% --shards 1 --aging 0
check "a burst makes the class grow" grown
check "the monitor tells" seen grown
before=$(queue .target)
check "the target is raised" test "$before" -gt 256
srqload $addr 7472 --messages 1000000 --rate 1000 --one-way >/dev/null 2>&1 &
trickle=$!
check "aging is turned on" srqctl pool set p0 --aging 1
check "in quiet the target is halved" wait_for 30 halved
check "the monitor tells" wait_for 10 seen shrunk
check "every buffer is accounted for" balanced p0
check "it reaches the floor" wait_for 90 at_floor
# steps: every time to a half, or the floor.
# shellcheck disable=SC2016 # the variables are gojq's
steps() {
	gojq -es 'map(select(.event == "shrunk") | .text | capture("target (?<to>\\d+), was (?<from>\\d+)")
		| (.to | tonumber) as $to | (.from | tonumber) as $from
		| $to == 64 or $to * 2 == $from - $from % 2) | length > 2 and all' "$events"
}
check "in steps of a half" steps
check "the memory is returned, but for floor and handler reserve" wait_for 30 returned
check "every buffer is accounted for" balanced p0
armed() { [ "$(queue '| .armed and .mark == 16 and .device_limit == 16')" = true ]; }
check "the mark went down with the target" wait_for 10 armed
check "messages were received all the time" kill -0 $trickle
kill $trickle
wait $trickle 2>/dev/null
check "aging is turned off" srqctl pool set p0 --aging 0
check "growth works again" grown
check "every buffer is accounted for" balanced p0
check "traffic goes on" served
srqctl pool del p0 --force

add 4096:64-4096@25% --shards 1 --aging 0
check "without aging a burst makes the class grow" grown
check "all is posted" wait_for 10 at_rest p0
surplus() { above 100 queue '| .free - 64'; }
check "some are free that nobody needs" surplus
before=$(buffers)
sh -c 'echo 2 >/proc/sys/vm/drop_caches'
fewer() { [ "$(buffers)" -lt $((before - 100)) ]; }
check "when memory is short they go" wait_for 10 fewer
check "but for those that are needed" wait_for 10 at_rest p0
check "or are the floor's, or the handler reserve" at_most 128 queue .free
check "every buffer is accounted for" balanced p0
check "traffic goes on" served
srqctl pool del p0 --force
check "nothing is pinned" is 0 dev .pinned
kill "$monitor"

ktap_finished
