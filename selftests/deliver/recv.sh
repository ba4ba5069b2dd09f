#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# kernels: 6.1 6.12 newest debug
# srqctl recv prints what comes, in each format, and ends as it is told.
# shellcheck source=selftests/deliver/deliver.sh
. "$(dirname "$0")/deliver.sh"

ktap_print_header
ktap_set_plan 14

out=$told/out
# recv ARGUMENT...: in the background, once it is a reader; its process is in $told/recv.pid.
readers() { srqctl pool del p0 2>&1 | grep -q "has $1 listeners or readers"; }
recv() {
	srqctl recv p0 "$@" >"$out" &
	echo $! >"$told/recv.pid"
	wait_for 10 readers 2
}
send() { load 7471 --connections "$1" --messages "$2" --size 100 --one-way; }
lines() { wc -l <"$out"; }

check "without a pool there is nothing to receive" refused 3 "no pool p0" srqctl recv p0
add --class 4096:64-1024
recv --count 20
# Its connections go with it, maybe too early for those who send.
send 3 10
check "it ends after as many as it was to take" wait_for 10 ended recv
check "it printed so many" is 20 lines
check "each with its connection and length" is 20 grep -cE '^[0-9]+ 100 [0-9a-f]{200}$' "$out"
check "all have left" wait_for 20 nobody_left

recv --format raw
check "more are sent" send 4 25
all_printed() { [ "$(wc -c <"$out")" = 10000 ]; }
check "each byte is printed, and no other" wait_for 10 all_printed
kill -INT "$(pid recv)"
check "it ends at Ctrl-C" wait_for 10 ended recv

recv --format json
check "and as JSON" send 2 10
fields() { gojq -es 'length == 20 and all(.len == 100 and (.data | length) == 200 and .imm == null and
	.class == "4096" and .time_ns > 1700000000000000000) and (map(.conn) | unique | length) == 2' "$out"; }
check "every field is right" wait_for 10 fields
check "the pool is deleted" srqctl pool del p0 --force
check "it ends with it" wait_for 10 ended recv
check "nothing is pinned" is 0 dev .pinned
# shellcheck disable=SC2016 # it is in the environment
check "no reader is left" sh -c 'rmmod srqpool && insmod "$SRQPOOL_KO"'

ktap_finished
