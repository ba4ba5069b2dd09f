# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# For tests of pools: `. "$(dirname "$0")/../pool.sh"`. lib.sh, and what srqctl's JSON says.
# shellcheck source=selftests/lib.sh
. "$(dirname "$0")/../lib.sh"
require srqctl srqload gojq

addr=10.7.0.1
# The one device there is: rxe0, or siw0.
rdma_dev=$(basename /sys/class/infiniband/*)

# pool NAME FILTER: what gojq finds in the pool.
pool() { srqctl -j pool show "$1" | gojq -r ".[0]$2"; }

# stats NAME FILTER: what gojq finds in its statistics.
stats() { srqctl -j pool stats "$1" | gojq -r ".[0]$2"; }

# balanced NAME: every buffer of every class is somewhere, and only there.
balanced() {
	pool "$1" '.classes[] | [.posted + .held + .free + .lost, .total, .lost] | @tsv' |
		while read -r sum total lost; do
			echo "posted + held + free + lost = $sum, total $total, lost $lost"
			[ "$sum" = "$total" ] && [ "$lost" = 0 ] || exit 1
		done
}

# at_rest NAME: nothing held, everything posted that should be, and armed.
at_rest() {
	[ "$(pool "$1" '.classes | all(.held == 0 and .posted >= .target and .armed)')" = true ]
}

# conns FILTER: what gojq finds in the list of connections.
conns() { srqctl -j conn show | gojq -r "$1"; }

# dev FILTER: what gojq finds in the device.
dev() { srqctl -j dev show "$rdma_dev" | gojq -r ".[0]$1"; }

# refused STATUS TEXT COMMAND...: it exits with STATUS and says TEXT on stderr.
refused() {
	wanted=$1
	text=$2
	shift 2
	said=$("$@" 2>&1 >/dev/null)
	status=$?
	echo "exit $status: $said"
	[ "$status" = "$wanted" ] && printf '%s\n' "$said" | grep -qF -- "$text"
}

# is VALUE COMMAND...: it prints VALUE.
is() {
	wanted=$1
	shift
	got=$("$@")
	echo "got '$got', not '$wanted'"
	[ "$got" = "$wanted" ]
}

# above N COMMAND...: it prints a number greater than N.
above() {
	least=$1
	shift
	got=$("$@")
	echo "got '$got', not more than $least"
	[ "$got" -gt "$least" ]
}

# load PORT ARGUMENT...: traffic to the pool's listener; srqload's JSON is in $load_out.
load() {
	load_port=$1
	shift
	srqload "$addr" "$load_port" "$@" -j >"$load_out"
}
load_out=$(mktemp)

# Sizes for a load. Of messages of several packets, resent because they were answered late, rxe
# refuses some (REM_INV_REQ_ERR) where everything takes twenty times as long.
sizes=24-4096
# shellcheck disable=SC2034 # for tests
[ "$slowness" = 1 ] || sizes=24-1024

# clients N: so many rdma_client at once to port 7471, and each exits with 0.
clients() {
	pids=
	for _ in $(seq "$1"); do
		rdma_client -s "$addr" -p 7471 >/dev/null 2>&1 &
		pids="$pids $!"
	done
	failed=0
	for pid in $pids; do
		wait "$pid" || failed=$((failed + 1))
	done
	echo "$failed of $1 failed"
	[ "$failed" = 0 ]
}

# watch: from now on $events has what the monitor tells, a line each; `kill $monitor` ends it.
watch() {
	events=$(mktemp)
	srqctl -j monitor >"$events" &
	# shellcheck disable=SC2034 # for those who include this
	monitor=$!
}

# seen EVENT: it has told that of p0.
seen() { gojq -es "any(.event == \"$1\" and .pool == \"p0\")" "$events"; }

# load_hold: the module that holds messages of p0; then turn KNOB VALUE, knob KNOB: see there.
load_hold() {
	mountpoint -q /sys/kernel/debug || mount -t debugfs none /sys/kernel/debug
	insmod "$SRQPOOL_MODULES/srqpool_hold.ko"
}
knob() { cat "/sys/kernel/debug/srqpool_hold/$1"; }
turn() { echo "$2" >"/sys/kernel/debug/srqpool_hold/$1"; }
