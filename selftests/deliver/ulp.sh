#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# vm: --bare
# kernels: 6.12 newest debug
# A module receives beside a program, and keeps messages longer than their pool and their device.
# shellcheck source=selftests/deliver/deliver.sh
. "$(dirname "$0")/deliver.sh"
require rdma
[ -n "${SRQPOOL_TEST_KO:-}" ] || {
	ktap_skip_all "needs the test build"
	exit "$KSFT_SKIP"
}

ktap_print_header
ktap_set_plan 57

peers=10 messages=60 rounds=6
[ "$slowness" = 1 ] || peers=4 messages=20 rounds=2
each=$((peers * messages))

# both SIZE [MESSAGES]: to the program, which echoes, and to the module.
both() {
	"$peer" "$addr" 7471 $peers "${2:-$messages}" "$1" 0 &
	to_program=$!
	"$peer" "$addr" 7500 $peers "${2:-$messages}" "$1" -2
	module=$?
	wait $to_program
	program=$?
	echo "exit $program and $module"
	[ $program = 0 ] && [ $module = 0 ]
}

insmod "$SRQPOOL_TEST_KO"
add --class 4096:64-1024@25% --quota 100000 --reserve 0
start echo echo
check "a module and a program receive from one pool" load_hold
check "large messages for both" both 4000
check "small ones" both 100
check "the module got each of its own" wait_for 10 is $((2 * each)) knob received
check "in order" is 0 knob disordered
check "the pool is at rest" wait_for 10 at_rest p0

turn delay_ms 20
check "it keeps them for a while" both 4000
turn order 1
check "the newest first" both 4000
check "it does" above 0 knob overtaken
turn order 2
check "by chance" both 4000
check "small ones too" both 100
check "all are given back" wait_for 10 is 0 knob held
turn delay_ms 0
turn keep 1
turn hold 1
check "it holds what comes" both 2000 20
both 2000 20 >/dev/null &
more=$!
check "some are given back while more come" turn release $((peers * 10))
wait $more
check "no other was" wait_for 10 is $((peers * 30)) knob held
turn hold 0
all=$((6 * each + peers * 40))
check "the module got each of its own" is $all knob received
check "in order" is 0 knob disordered
check "undamaged" is 0 knob damaged
check "the pool is at rest" wait_for 10 at_rest p0
check "every buffer is accounted for" balanced p0
check "all have left" wait_for 20 nobody_left
check "the program ends" stop echo
check "it got each of its own" is $all counted echo 3
check "in order" is 0 counted echo 6
srqctl pool del p0 --force

# keep ARGUMENT...: the module keeps what p0 receives, when it is revoked too.
keep() {
	rmmod srqpool_hold 2>/dev/null
	srqctl pool add p0 --dev rxe0 --quota 100000 --reserve 0 "$@" && load_hold &&
		turn keep 1 && turn hold 1
}
# flood SIZE [MESSAGES]: else without an end; its connections stay until `kill -9 $flood`.
flood() {
	"$peer" $addr 7500 4 "${2:-0}" "$1" -1 >/dev/null 2>&1 &
	flood=$!
}
free_kib() { sed -n 's/^MemFree: *\([0-9]*\) kB/\1/p' /proc/meminfo; }
undamaged() { is 0 knob held && is 0 knob damaged; }

check "it is to keep what it has" keep --class 65536:64-256@25%
"$peer" $addr 7500 5 20 60000 -2 >/dev/null
"$peer" $addr 7500 5 20 100 -2 >/dev/null
check "the connections are gone" wait_for 20 nobody_left
check "their messages are not" is 200 knob held
check "they are buffers" above 50 pool p0 '.classes[0].held'
check "and copies" above 50 stats p0 .copied
turn order 2
check "some are given back" turn release 50
check "every buffer is accounted for" wait_for 10 balanced p0
flood 60000
check "others hold the rest" wait_for 60 above 250 knob held
started=$(date +%s)
check "the pool is deleted" srqctl pool del p0 --force
check "at once" test $(($(date +%s) - started)) -le $((10 * slowness))
kill -9 $flood
wait $flood
check "nothing is pinned" is 0 dev .pinned
check "the messages are still there" above 250 knob held
check "the module's symbols are in use" refused 1 "in use" rmmod srqpool
srqctl pool add p1 --dev rxe0 --class 65536:512-512 && srqctl pool del p1
free=$(free_kib)
turn hold 0
check "undamaged, though others had the memory of the pool" undamaged
check "their memory is free" above 8192 echo $(($(free_kib) - free))

# race: what is delayed comes back before, while and after the pool goes.
race() {
	for round in $(seq $rounds); do
		keep --class 4096:64-512 && turn order 2 && turn delay_ms $((round * 300)) &&
			turn hold 0 || return
		flood $((round % 2 * 3900 + 100)) 100
		wait_for 20 is 400 knob received || return
		srqctl pool del p0 --force || return
		kill -9 $flood
		wait_for 20 undamaged || return
	done
}
check "$rounds pools are deleted while messages come back" race
check "a connection may have receives of its own" keep --class 4096:64-512 --dedicated 32
flood 4000
check "all of them are held" wait_for 20 is 128 knob held
check "the pool is deleted" srqctl pool del p0 --force
kill -9 $flood
all_go() { rmmod srqpool_hold && rmmod srqpool; }
check "the module goes with what it keeps, and srqpool too" all_go
check "that can be loaded again" insmod "$SRQPOOL_TEST_KO"

check "it is to keep what it has" keep --class 4096:64-512
"$peer" $addr 7500 5 20 100 -2 >/dev/null
flood 4000
check "it has buffers and copies" wait_for 60 above 300 knob held
rdma link delete rxe0 &
deleting=$!
check "the pool is taken off its device" wait_for 20 is detached pool p0 .state
# The device waits for its other users.
kill -9 $flood
wait $deleting
check "and that goes" test $? = 0
check "nothing is pinned" is 0 pool p0 .pinned
check "the messages are still there" above 300 knob held
turn hold 0
check "undamaged" undamaged
check "the device comes back" rdma link add rxe0 type rxe netdev dummy0
check "the pool is active again" wait_for 10 is active pool p0 .state
srqctl listen add p0 --addr $addr --port 7471 --mode echo
check "it serves" load 7471 --connections 4 --messages 50 --burst 8 --size $sizes --verify
check "the pool is at rest" wait_for 10 at_rest p0
check "all modules go" all_go

ktap_finished
