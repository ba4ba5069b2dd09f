#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# kernels: 6.1 6.12 newest debug
# A pool is created, shown, changed, and leaves nothing behind.
# shellcheck source=selftests/pool.sh
. "$(dirname "$0")/../pool.sh"

pools() { srqctl -j pool show | gojq "$1"; }

ktap_print_header
ktap_set_plan 26

check "nothing is pinned before" is 0 dev .pinned
check "a pool is added" srqctl pool add p0 --dev rxe0 --class 4096:64-1024@12%
check "it is active" is active pool p0 .state
check "its id is positive" above 0 pool p0 .id
check "its floor is posted" is 64 pool p0 '.classes[0].posted'
check "its target is its floor" is 64 pool p0 '.classes[0].target'
unaccounted() { pool "$1" '| .pinned - .arena - (.classes | map(.total * .size) | add)'; }
check "it pins its buffers and the arena" is 0 unaccounted p0
check "which is a sixteenth of the ceiling" is 262144 pool p0 .arena
check "every queue has a handler reserve, counted as free" wait_for 5 is '128 192' \
	pool p0 '.classes[0] | "\(.free) \(.total)"'
check "its limit is armed" is true pool p0 '.classes[0].armed'
check "the asked-for mark is kept" is 12% pool p0 '.classes[0].mark_spec'
check "every buffer is accounted for" balanced p0

device_limit() { queues 'map(.device_limit) | add'; }
queues() { srqctl -j queue show p0 | gojq -r "$1"; }
check "the shares add up to the ceiling" is 1024 queues 'map(.depth) | add'
check "the device has the marks that are shown" is true queues 'all(.mark == .device_limit)'
check "a CQ holds what its SRQs can produce" is true queues 'all(.cq_max >= .depth * 5 / 4)'

check "the mark is changed" srqctl pool set p0 --class 4096:64-1024@20
check "it is shown as a count" is 20 pool p0 '.classes[0].mark_spec'
check "the device gets it" wait_for 5 is 20 device_limit
check "mark 0 is accepted with a warning" sh -c \
	'srqctl pool set p0 --class 4096:64-1024@0 2>&1 | grep -q "never armed"'
check "and disarms" wait_for 5 is 0 device_limit

check "small buffers share pages" srqctl pool add p1 --dev rxe0 --shards 1 \
	--class tiny=64:640@10% --class big=1M:4@1
check "640 buffers of 64 bytes take ten pages" is $((10 * 4096 + 4194304)) \
	pool p1 '| .pinned - .arena'
check "the device shows both" is 2 dev .pools
check "both are deleted" sh -c 'srqctl pool del p0 && srqctl pool del p1'
check "none is left" is 0 pools length
check "nothing is pinned after" is 0 dev .pinned

ktap_finished
