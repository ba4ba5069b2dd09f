# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# For tests of the refill engine, on pool p0: pool.sh, and peers that hold buffers.
# shellcheck source=selftests/pool.sh
. "$(dirname "$0")/../pool.sh"

peer=$(dirname "$0")/../fairness/peer
faults=/sys/kernel/debug/srqpool_fault
holders=$(mktemp)

# queue FILTER: what gojq finds in the first queue of p0.
queue() { srqctl -j queue show p0 | gojq -r ".[0]$1"; }

# add CLASS ARGUMENT...: p0, that copies nothing of its own accord, with an echo on 7471 and a
# sink on 7472.
add() {
	add_class=$1
	shift
	srqctl pool add p0 --dev rxe0 --class "$add_class" --copybreak 0 --reserve 0 \
		--quota 1000000 "$@" &&
		srqctl listen add p0 --addr "$addr" --port 7471 --mode echo &&
		srqctl listen add p0 --addr "$addr" --port 7472 --mode sink
}

received() { stats p0 .rx_msgs; }

# hold N: N messages more wait for a peer that never takes them. Few are copied, while a limit
# event is answered; the others hold a buffer each.
hold() {
	wanted_msgs=$(($(received) + $1))
	"$peer" "$addr" 7471 1 "$1" 1024 -1 >/dev/null 2>&1 &
	echo $! >>"$holders"
	wait_for 30 above $((wanted_msgs - 1)) received
}

# release: the peers go, and all that they held comes back at once.
nothing_held() { [ "$(pool p0 '.classes | all(.held == 0)')" = true ]; }
nobody_left() { [ "$(conns length)" = 0 ]; }
release() {
	# shellcheck disable=SC2046 # numbers
	kill -9 $(cat "$holders")
	: >"$holders"
	wait_for 30 nobody_left && wait_for 10 nothing_held
}

# stay: one connection more, that holds nothing.
keepers=$(mktemp)
stay() {
	stayed=$(conns length)
	"$peer" "$addr" 7472 1 1 64 -1 >/dev/null 2>&1 &
	echo $! >>"$keepers"
	wait_for 20 is $((stayed + 1)) conns length
}
# leave: the first of them goes.
leave() {
	left=$(conns length)
	kill -9 "$(head -n 1 "$keepers")"
	sed -i 1d "$keepers"
	wait_for 20 is $((left - 1)) conns length
}
# die: eight that send messages of sixty packets are killed; overtaken: others send after them.
senders() { conns 'map(select(.rx_msgs > 2 and .tx_msgs == 0)) | length'; }
die() {
	"$peer" "$addr" 7472 8 0 60000 -2 >/dev/null 2>&1 &
	dies=$!
	wait_for 60 is 8 senders
	kill -9 $dies
	wait_for 60 is 0 senders
}
overtaken() { load 7472 --connections 4 --messages 40 --size 64 --one-way; }

# served: verified traffic, more than the smallest class here has buffers.
served() {
	load 7471 --connections 4 --messages 100 --burst 16 --size $sizes --verify --seed 1
}

# fault POINT N: in the test build, it fails N times more, or at element N.
fault() { echo "$2" >"$faults/$1"; }
used_up() { is 0 cat "$faults/$1"; }

# at_most N COMMAND...: it prints a number of at most N.
at_most() {
	most=$1
	shift
	got=$("$@")
	echo "got '$got', more than $most"
	[ "$got" -le "$most" ]
}
