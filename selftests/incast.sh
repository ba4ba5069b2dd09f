# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# For measurements of an incast: 500 connections send 32 messages each at one instant, and stay,
# while a trickle of messages follows. pool.sh, and memory, NAKs and time of each set-up.
# shellcheck source=selftests/pool.sh
. "$(dirname "$0")/../pool.sh"

connections=500
burst=32
incast_dir=$(mktemp -d)

rnr_naks() { cat /sys/class/infiniband/rxe0/ports/1/hw_counters/send_rnr_err; }
# memory: pinned for receives, without the arena of copies, and the arena, in KiB.
memory() { pool p0 '| "\((.pinned - (.arena // 0)) / 1024) \((.arena // 0) / 1024)"'; }
all_received() { [ "$(stats p0 .rx_msgs)" -ge $((connections * burst)) ]; }

# incast NAME ARGUMENT...: one run over p0 with these arguments. To $incast_dir/NAME goes a line:
# NAKs, milliseconds, and KiB before, at the peak, afterwards, and of the arena then.
incast() {
	incast_name=$1
	shift
	srqctl pool add p0 --dev rxe0 --shards 1 --aging 0 "$@" 2>/dev/null &&
		srqctl listen add p0 --addr "$addr" --port 7472 --mode sink >/dev/null &&
		measure
	measured=$?
	srqctl pool del p0 --force
	return $measured
}

measure() {
	before=$(memory | cut -d ' ' -f 1)
	naks=$(rnr_naks)
	# They connect, then all send at once.
	srqload "$addr" 7472 --connections $connections --messages $burst --burst $burst --size 1024 \
		--one-way --hold 600 -j >"$incast_dir/load" &
	crowd=$!
	wait_for 300 all_received && naks=$(($(rnr_naks) - naks)) && peak=$(memory | cut -d ' ' -f 1) &&
		srqctl pool set p0 --aging 1 &&
		srqload "$addr" 7472 --messages 16000 --rate 1000 --size 1024 --one-way >/dev/null &&
		after=$(memory)
	measured=$?
	kill -INT $crowd
	wait $crowd
	[ $measured = 0 ] && is 0 gojq .failed "$incast_dir/load" || return
	milliseconds=$(gojq '.seconds * 1000 | round' "$incast_dir/load")
	echo "$naks $milliseconds $before $peak $after" >>"$incast_dir/$incast_name"
}

# median NAME COLUMN
median() {
	cut -d ' ' -f "$2" "$incast_dir/$1" | sort -n |
		awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'
}

# table NAME...: the medians, a line each, and every count of NAKs.
table() {
	ktap_print_msg "$(uname -r), $connections connections x $burst messages at once, medians"
	ktap_print_msg "set-up: NAKs (each run), ms, KiB before, at the peak, afterwards, arena"
	for row in "$@"; do
		ktap_print_msg "$row: $(median "$row" 1) ($(cut -d ' ' -f 1 "$incast_dir/$row" | xargs))," \
			"$(median "$row" 2), $(median "$row" 3), $(median "$row" 4)," \
			"$(median "$row" 5), $(median "$row" 6)"
	done
}

# shellcheck disable=SC2034 # for those who include this
small='--class 4096:64-4096@12%'
fixed() { echo "--class 4096:$1-$1 --refill immediate"; }
# shellcheck disable=SC2034
dedicated="--class 4096:64-4096 --dedicated $burst"
# shellcheck disable=SC2034
# What a class of 4,096 buffers pins that does not shrink, KiB.
fixed_memory=$((4096 * 4))
