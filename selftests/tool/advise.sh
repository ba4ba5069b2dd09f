#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# kernels: 6.12
# Traffic that a pool does not suit; then srqctl's advice is followed, and the same traffic comes
# again: it pins half, or is told to wait half as often.
# shellcheck source=selftests/pool.sh
. "$(dirname "$0")/../pool.sh"

ktap_print_header
ktap_set_plan 20

dir=$(mktemp -d)
loads=

# start PORT ARGUMENT...: traffic, whose connections stay.
start() {
	srqload "$addr" "$@" --hold 600 >/dev/null 2>&1 &
	loads="$loads $!"
}

# stop: ends all of it.
stop() {
	# shellcheck disable=SC2086 # numbers
	kill $loads
	# shellcheck disable=SC2086
	wait $loads 2>/dev/null
	loads=
}

received() { [ "$(stats p0 .rx_msgs)" -ge "$1" ]; }
# The pool ages after 60 s: what it pins at the end is what it pinned at most.
pinned() { pool p0 .pinned; }
naks() { stats p0 .rnr_naks; }
advice() { gojq -r ".[0]$1" "$dir/advice"; }

# ask: the advice now, live and from a file.
ask() {
	srqctl -j advise p0 >"$dir/advice" && srqctl advise --record p0 >"$dir/stats" &&
		srqctl -j advise --from "$dir/stats" | diff "$dir/advice" -
}

# follow: does what the advice says.
follow() {
	advice '.commands[]' >"$dir/commands"
	cat "$dir/commands"
	sh -e "$dir/commands" && srqctl pool reset p0
}

tell() {
	ktap_print_msg "$1: $before, with advice $after"
	srqctl advise --from "$dir/stats" | sed 's/^/# /'
}

# suits NAME FIGURE TRAFFIC: five tests on the pool p0 that is there. TRAFFIC starts it, and says in
# $wanted how many messages come.
suits() {
	$3
	check "$1: the traffic comes" wait_for 200 received "$wanted"
	before=$($2)
	check "$1: there is advice, the same from a file" ask
	stop
	check "$1: it can be followed" follow
	rest=$(pinned)
	$3
	check "$1: the traffic comes again" wait_for 200 received "$wanted"
	after=$($2)
	tell "$1, $2"
	check "$1: half at most" test $((after * 2)) -le "$before"
}

# as_predicted: a pool at rest pins what the advice said, within a tenth.
as_predicted() {
	predicted=$(advice .advice.pinned)
	echo "predicted $predicted, pinned $rest"
	[ $((rest * 10)) -le $((predicted * 11)) ] && [ $((rest * 10)) -ge $((predicted * 9)) ]
}

# content: another look finds nothing to change.
content() { is 0 eval "srqctl -j advise p0 | gojq '.[0].commands | length'"; }

heartbeats() {
	wanted=2000
	start 7471 --connections 50 --messages 40
}
check "a pool of 64 KiB buffers" srqctl pool add p0 --dev rxe0 --class 64K:128-4096
srqctl listen add p0 --addr $addr --port 7471 --mode echo >/dev/null
suits heartbeats pinned heartbeats
check "it pins what was predicted" as_predicted
check "there is nothing more to change" content
stop
srqctl pool del p0 --force

small_and_large() {
	wanted=2040
	start 7471 --connections 50 --messages 40
	start 7472 --connections 4 --messages 10 --burst 2 --size 1M --one-way
}
# class_of PORT
class_of() { srqctl -j listen show | gojq -r ".[] | select(.port == $1).class"; }
srqctl pool add p0 --dev rxe0 --class 1M:64-128 --budget 512M 2>/dev/null
srqctl listen add p0 --addr $addr --port 7471 --mode echo >/dev/null 2>&1
srqctl listen add p0 --addr $addr --port 7472 >/dev/null 2>&1
suits 'small and large' pinned small_and_large
check "it pins what was predicted" as_predicted
check "small messages have a class of their own" is '128 1048576' \
	echo "$(class_of 7471) $(class_of 7472)"
stop
srqctl pool del p0 --force

incast() {
	wanted=16000
	start 7472 --connections 500 --messages 32 --burst 32 --size 1024 --one-way
}
srqctl pool add p0 --dev rxe0 --class 4096:64-4096@12% --shards 1 2>/dev/null
srqctl listen add p0 --addr $addr --port 7472 >/dev/null
suits incast naks incast
stop
srqctl pool del p0 --force

ktap_finished
