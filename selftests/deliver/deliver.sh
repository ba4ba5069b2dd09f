# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# For tests of programs that receive from pool p0: pool.sh, and readers.
# shellcheck source=selftests/pool.sh
. "$(dirname "$0")/../pool.sh"

reader=$(dirname "$0")/reader
# shellcheck disable=SC2034 # for those who include this
peer=$(dirname "$0")/../fairness/peer
told=$(mktemp -d)

# add ARGUMENT...: p0, with a listener of mode deliver on 7471.
add() {
	srqctl pool add p0 --dev rxe0 "$@" &&
		srqctl listen add p0 --addr "$addr" --port 7471 --mode deliver
}

# start NAME MODE...: a reader of p0 in the background, in ring mode if $rings is -r; its process is
# in $told/NAME.pid.
rings=
start() {
	started=$1
	shift
	# shellcheck disable=SC2086 # it may be nothing
	"$reader" $rings p0 "$@" >"$told/$started" 2>&1 &
	echo $! >"$told/$started.pid"
	wait_for 10 grep -q attached "$told/$started"
}
pid() { cat "$told/$1.pid"; }

# ended NAME: it does not run any more; the shell may know that or not.
ended() {
	[ ! -e "/proc/$(pid "$1")/status" ] || grep -q '^State:.Z' "/proc/$(pid "$1")/status"
}

# stop NAME: it ends when its connections have; what it counted is in $told/NAME.
stop() {
	kill -TERM "$(pid "$1")"
	wait_for 20 ended "$1"
}

# counted NAME COLUMN: 1 up, 2 down, 3 messages, 4 bytes, 5 waits for room, 6 out of order, 7 kicks.
counted() { tail -n 1 "$told/$1" | cut -d ' ' -f "$2"; }

nobody_left() { [ "$(conns length)" = 0 ]; }
