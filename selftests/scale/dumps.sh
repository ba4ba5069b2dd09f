# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# For tests on pool p0 with many connections: pool.sh, and dumps of them while others come and go.
# shellcheck source=selftests/pool.sh
. "$(dirname "$0")/../pool.sh"

dump=$(dirname "$0")/dump
dumps=$(mktemp -d)
buffers='4096 8192 65536'

# start_dumps N: a reader for each size of buffer; N connections are there, and stay.
start_dumps() {
	for buffer in $buffers; do
		"$dump" "$buffer" "$1" >"$dumps/$buffer" 2>&1 &
		echo $! >"$dumps/$buffer.pid"
	done
	for buffer in $buffers; do
		wait_for 60 grep -q ready "$dumps/$buffer" || return
	done
}

# come_and_go ROUNDS PORT: twenty connections each time.
come_and_go() {
	for _ in $(seq "$1"); do
		srqload "$addr" "$2" --connections 20 --messages 1 || return
	done
}

# end_dumps: each ends after the dump it is at, and prints its figures if nothing was wrong.
ended() { [ ! -e "/proc/$1/status" ] || grep -q '^State:.Z' "/proc/$1/status"; }
end_dumps() {
	for buffer in $buffers; do
		dumper=$(cat "$dumps/$buffer.pid")
		kill -TERM "$dumper"
		wait_for 30 ended "$dumper" || return
		tail -n 1 "$dumps/$buffer" | grep -qE "^([0-9]+ ){3}[0-9]+$" || {
			echo "$buffer bytes:"
			cat "$dumps/$buffer"
			return 1
		}
	done
}

# tell_dumps: dumps, interrupted, most connections, longest in ms.
tell_dumps() {
	for buffer in $buffers; do
		figures=$(tail -n 1 "$dumps/$buffer")
		echo "# $buffer bytes: $figures (dumps, interrupted, most, longest ms)"
	done
}

# saw_more_than N: each had dumps with those that came and went.
saw_more_than() {
	for buffer in $buffers; do
		above "$1" eval "tail -n 1 '$dumps/$buffer' | cut -d ' ' -f 3" || return
	done
}

# check_dumps N ROUNDS PORT: five tests.
check_dumps() {
	check "three read dumps of $1 connections" start_dumps "$1"
	check "while others come and go" come_and_go "$2" "$3"
	check "each dump ended, and had all that stayed or said that it was interrupted" end_dumps
	tell_dumps
	check "they had more than those that stayed" saw_more_than "$1"
	check "the others are gone" wait_for 20 is "$1" conns length
}
