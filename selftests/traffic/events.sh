#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The monitor tells what happens, in order, as JSON lines.
# shellcheck source=selftests/pool.sh
. "$(dirname "$0")/../pool.sh"

ktap_print_header
ktap_set_plan 7

watch
# The first event may come before the monitor listens, so another is made until one is seen.
listening() {
	srqctl pool add p0 --dev rxe0 --class 4096:64-1024@100% --shards 1 &&
		srqctl listen add p0 --addr $addr --port 7471 --mode echo && rdma_client -s $addr -p 7471
	seen conn-up && return
	srqctl pool del p0 --force
	return 1
}
check "a connection comes up" wait_for 60 listening
check "and goes down" wait_for 20 seen conn-down
load 7471 --connections 50 --messages 32 --burst 16
check "a queue runs low" wait_for 20 seen low
check "and grows" wait_for 20 seen grown
check "with its class and shard" gojq -es \
	'map(select(.event == "low"))[0] | .class == "4096" and .shard == 0' "$events"
check "with the time" gojq -es 'map(.time_ns > 1700000000000000000) | all' "$events"
srqctl pool del p0 --force
kill "$monitor"
ended() { grep -q '^State:.Z' "/proc/$monitor/status"; }
check "the monitor ends when told to" wait_for 10 ended

ktap_finished
