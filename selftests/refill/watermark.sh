#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# kernels: 6.1 newest debug
# vm: --bare
# The life of a watermark: never set, set, moved, crossed; its event lost, late, twice; refused.
# shellcheck source=selftests/refill/refill.sh
. "$(dirname "$0")/refill.sh"

ktap_print_header
ktap_set_plan 72

# reads MARK ARMED LIMIT: of the queue; LIMIT is the device's.
reads() { is "$*" queue '| "\(.mark) \(.armed) \(.device_limit)"'; }
# set_mark MARK: and the device has it when this returns.
set_mark() { srqctl pool set p0 --class "$class@$1"; }

check "the test build is loaded" insmod "$SRQPOOL_TEST_KO"

# 255 buffers and no budget for more: nothing is copied and nothing grows.
class=4096:255-255
check "a pool is added with mark 0" add $class@0 --shards 1 --budget 1020K
check "which is not armed" reads 0 false 0
check "55 buffers are held" hold 55
check "200 are posted" is 200 queue .posted
check "no event came" is 0 queue .events
check "mark 100 is set, below what is posted" set_mark 100
check "it is armed" reads 100 true 100
check "mark 200 is set, as many as are posted" set_mark 200
check "it is armed" reads 200 true 200
check "and did not fire" is 0 queue .events
check "one buffer more is held" hold 1
check "the event comes" wait_for 10 is 1 queue .events
check "it is not armed while so few are posted" reads 200 false 0
check "mark 250 is set, above what is posted" set_mark 250
check "it is armed" reads 250 true 250
check "one buffer more is held" hold 1
check "the event comes" wait_for 10 is 2 queue .events
check "it is not armed while so few are posted" reads 250 false 0
check "everything comes back" release
check "it is armed again" wait_for 10 reads 250 true 250
check "no event was spurious" is 0 stats p0 .spurious_events

check "mark 0 is set" set_mark 0
check "it is disarmed" reads 0 false 0
check "mark 1 is set" set_mark 1
check "it is armed" reads 1 true 1
check "mark 254 is set, one less than there are" set_mark 254
check "it is armed" reads 254 true 254
check "mark 255 is set, all there are" set_mark 255
check "one less is armed" reads 254 true 254
check "mark 256 is refused, above the ceiling" refused 2 256 set_mark 256
check "mark 4294967295 is refused" refused 2 4294967295 set_mark 4294967295
check "mark 4294967296 is refused" refused 2 4294967296 set_mark 4294967296
check "what was armed is" reads 254 true 254
check "it fires with the second message" hold 2
check "once" wait_for 10 is 3 queue .events
check "everything comes back" release
check "it is armed again" wait_for 10 reads 254 true 254
check "traffic goes on" served
srqctl pool del p0 --force

class=4096:128-512
check "two shards" add $class@512 --shards 2
marks() { srqctl -j queue show p0 | gojq -c 'map([.mark, .armed, .device_limit])'; }
check "share the mark, less than the target" is '[[63,true,63],[63,true,63]]' marks
check "mark 1 is one in each" set_mark 1
check "and armed" is '[[1,true,1],[1,true,1]]' marks
check "the odd one of 21 goes to the first" set_mark 21
check "and is armed" is '[[11,true,11],[10,true,10]]' marks
srqctl pool del p0 --force

class=4096:64-1024
# How far the target rises depends on how many buffers are posted when the work runs: it doubles
# at least.
grown() {
	is true queue "| .target >= 2 * $1 and .mark == (.target - .target % 2) / 2
		and .armed and .device_limit == .mark"
}
afresh() {
	holders_gone && srqctl pool del p0 --force
	add $class@50% --shards 1 --aging 0
}
holders_gone() { [ ! -s "$holders" ] || release; }
# cross COMMAND...: the mark is crossed, as COMMAND then confirms. What is free is posted first,
# but for the handler reserve. The watchdog may fill the queue in the midst of it: then again.
cross() {
	for _ in 1 2 3 4; do
		hold $(($(queue '| .posted + .free - 64 - .mark') + 8)) && wait_for 5 "$@" && return
		release
	done
	return 1
}
check "a class that can grow" add $class@50% --shards 1 --aging 0
check "half of the floor is armed" reads 32 true 32
check "the mark is crossed, an event comes" cross above 0 queue .events
check "the target is doubled, the mark follows and is armed" wait_for 10 grown 64
target=$(queue .target)
check "the mark is crossed again, an event comes" cross above "$(queue .events)" queue .events
check "the target is doubled, the mark follows and is armed" wait_for 10 grown "$target"
check "everything comes back" release

check "afresh" afresh
fault event_swallow 1
check "the mark is crossed, the event is lost" cross used_up event_swallow
check "the watchdog doubles the target, and arms" wait_for 20 grown 64
check "it says so" above 0 stats p0 .watchdog_refills

check "afresh" afresh
fault event_dup 1
check "the mark is crossed, the event comes twice" cross used_up event_dup
check "it counts once" wait_for 10 is "1 1" stats p0 '| "\(.limit_events) \(.spurious_events)"'
check "the target is doubled, the mark is armed" wait_for 10 grown 64

check "afresh" afresh
fault event_late 1
check "the mark is crossed, the event comes late" cross used_up event_late
check "it counts" wait_for 10 is 1 stats p0 .limit_events
check "it is answered, and armed again" wait_for 10 grown 64
check "everything comes back" release

old=$(queue .device_limit)
fault modify 1000000
set_mark 50
check "while the device takes no mark the old one stays, not armed" reads 50 false "$old"
fault modify 3
check "it is tried again" wait_for 10 reads 50 true 50
check "until it was taken" used_up modify
check "every buffer is accounted for" balanced p0
check "traffic goes on" served
srqctl pool del p0 --force

add 4096:64-1024@auto --shards 1
check "an automatic mark is armed" reads 7 true 7
load 7472 --connections 50 --messages 100 --burst 16 --one-way
settled() {
	[ "$(queue '| .armed and .mark > 0 and .mark <= .target / 2 and .mark == .device_limit')" = true ]
}
check "and follows the traffic" wait_for 10 settled
srqctl pool del p0 --force

rmmod srqpool

ktap_finished
