#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# kernels: 6.1 6.12 debug
# The device, pools and the module come and go again and again under load. KINDS (of links, pools
# and modules), LOOPS, CONNS and CLIENTS may be given: soak/ has more of them.
# shellcheck source=selftests/pool.sh
. "$(dirname "$0")/../pool.sh"
require rdma

# All of it takes minutes, and what it depends on is not the kernel's version.
case $(uname -r) in
6.1.*) kinds=${KINDS:-links} ;;
*) kinds=${KINDS:-pools modules} ;;
esac
loops=${LOOPS:-50}
count=${CONNS:-20}
# Programs that share them: while one waits for an answer, another connects.
clients=${CLIENTS:-4}
if [ "$slowness" -gt 1 ]; then
	kinds=${KINDS:-links pools modules}
	loops=${LOOPS:-3}
	count=${CONNS:-5}
fi
bound_ms=10000
[ "$slowness" = 1 ] || bound_ms=60000
work=$(mktemp -d)

now() { date +%s%3N; }
# timed COMMAND...: how long it took is in $work/times.
timed() {
	began=$(now)
	"$@" || return
	echo $(($(now) - began)) >>"$work/times"
}
# longest: of all that were timed since then.
longest() {
	sort -n "$work/times" | tail -n 1
	: >"$work/times"
}

serve() {
	srqctl pool add p0 --dev rxe0 --class 4096:64-1024@25% &&
		srqctl listen add p0 --addr $addr --port 7471 --mode echo >/dev/null
}
some_conns() { [ "$(conns length)" -ge "$1" ]; }
empty() { is "0 0 0" dev '| "\(.pools) \(.conns) \(.pinned)"'; }
unused() { is 0 cat /sys/module/srqpool/refcnt; }

# Clients connect, send and leave, until end_storm. One whose request went unanswered, because the
# listener went, would ask for a minute.
storm() {
	while [ -e "$work/storm" ]; do
		timeout -s KILL $((5 * slowness)) srqload "$addr" 7471 --messages 20 --burst 4 \
			--connections $((count / clients)) --hold 1 >/dev/null 2>&1
	done
}
start_storm() {
	: >"$work/storm"
	storms=
	for _ in $(seq "$clients"); do
		storm &
		storms="$storms $!"
	done
}
end_storm() {
	rm "$work/storm"
	# shellcheck disable=SC2086 # numbers
	wait $storms
}

# rxe of 6.12 has a use after free of its own when a device is deleted under user-space QPs: the
# clients die first. Our side of their connections is still there.
link_loop() {
	srqload "$addr" 7471 --connections "$count" --messages 1000000 --burst 4 >/dev/null 2>&1 &
	client=$!
	wait_for 60 some_conns "$count" || return
	kill -9 $client
	wait $client
	timed rdma link delete rxe0 || return
	is "detached 0" pool p0 '| "\(.state) \(.pinned)"' || return
	rdma link add rxe0 type rxe netdev dummy0 || return
	wait_for 10 is active pool p0 .state
}
links() {
	for loop in $(seq "$loops"); do
		link_loop || {
			echo "loop $loop"
			return 1
		}
	done
}

# Every second pool goes as it comes, the others when somebody has connected.
pool_loop() {
	serve || return
	[ $((loop % 2)) = 0 ] || wait_for 60 some_conns 1 || return
	timed srqctl pool del p0 --force || return
	empty
}
pools() {
	for loop in $(seq "$loops"); do
		pool_loop || {
			echo "loop $loop"
			return 1
		}
	done
}

module_loop() {
	insmod "$SRQPOOL_KO" || return
	serve || return
	wait_for 60 some_conns 1 || return
	timed rmmod srqpool
}
modules() {
	for loop in $(seq "$loops"); do
		module_loop || {
			echo "loop $loop"
			return 1
		}
	done
}

# run KIND TITLE: all loops of a kind.
run() {
	check "$2 $loops times under $count connections" "$1"
	took=$(longest)
	ktap_print_msg "$1: $loops loops, at most $took ms"
	check "none took $bound_ms ms" test "${took:-none}" -lt $bound_ms
}

plan=3
for kind in $kinds; do
	case $kind in
	links | pools) plan=$((plan + 2)) ;;
	modules) plan=$((plan + 3)) ;;
	esac
done
ktap_print_header
ktap_set_plan $plan

for kind in $kinds; do
	case $kind in
	links)
		serve
		run links "the device is removed and comes back"
		srqctl pool del p0 --force
		;;
	pools)
		start_storm
		run pools "a pool is added and deleted"
		end_storm
		;;
	modules)
		rmmod srqpool
		start_storm
		run modules "the module is loaded and unloaded"
		end_storm
		check "it can be loaded again" insmod "$SRQPOOL_KO"
		;;
	esac
done
check "nothing is left" empty
check "nothing refers to the module" unused
served() {
	serve && load 7471 --connections "$count" --messages 10 --verify &&
		srqctl pool del p0 --force
}
check "it serves" served

ktap_finished
