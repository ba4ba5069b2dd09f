#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# A budget below the demand is never exceeded: the peers wait, and are served again.
# shellcheck source=selftests/refill/refill.sh
. "$(dirname "$0")/refill.sh"

ktap_print_header
ktap_set_plan 28

budget=1048576
most=$(mktemp)

watch
# Samples what is pinned, and that every class is balanced, until it is killed.
sample() {
	while srqctl -j pool show p0 >"$most.now" 2>/dev/null; do
		gojq -r '.[0] | "\(.pinned) \(.classes[0] | .posted + .held + .free + .lost - .total)"' "$most.now"
	done >"$most"
}

check "nothing is pinned before" is 0 dev .pinned
check "a pool is added whose floors take the budget" add 4096:256-256 --shards 1 --budget 1M
check "no more than that is pinned" is $budget pool p0 .pinned
srqctl pool del p0 --force
check "a byte less is refused" refused 1 "the budget is 1048575" \
	srqctl pool add p0 --dev rxe0 --class 4096:256-256 --budget 1048575
check "nothing is pinned after" is 0 dev .pinned

check "a pool is added whose ceiling is 16 budgets" add 4096:64-4096@25% --shards 1 --budget 1M
sample &
sampler=$!
crowd() {
	for _ in 1 2 3 4; do
		"$peer" "$addr" 7471 1 400 1024 -1 >/dev/null 2>&1 &
		echo $! >>"$holders"
	done
}
crowd
starved() { [ "$(queue .state)" = starved ]; }
check "peers that want more than there can be starve the queue" wait_for 30 starved
check "the budget was hit" wait_for 10 seen budget-hit
check "and starvation told" wait_for 10 seen starved
check "the peers are told to wait" wait_for 10 above 0 stats p0 .rnr_naks
check "they are still there" is 4 conns length
check "what is pinned is within the budget" at_most $budget pool p0 .pinned
check "every buffer is accounted for" balanced p0
check "when they go" release
check "the queue recovers" wait_for 10 seen recovered
check "all is posted" wait_for 10 at_rest p0
check "traffic goes on" served
check "and more than the budget's" load 7471 --connections 50 --messages 40 --burst 16 --size 4096
check "the time without a buffer was counted" above 0 stats p0 .starved_ns
kill $sampler
wait $sampler 2>/dev/null
samples=$(wc -l <"$most")
ktap_print_msg "$samples samples"
check "it was looked at while it happened" test "$samples" -gt 10
check "it was never above the budget" awk "\$1 > $budget { exit 1 }" "$most"
check "and always balanced" awk "\$2 { exit 1 }" "$most"

check "a budget below what is pinned is refused" refused 1 "bytes are pinned" \
	srqctl pool set p0 --budget 600K
check "a larger one is taken" srqctl pool set p0 --budget 4M
hold 300
check "and the class grows into it" wait_for 10 above $budget pool p0 .pinned
check "every buffer is accounted for" balanced p0
release
check "deleting takes it all" srqctl pool del p0 --force
check "nothing is pinned" is 0 dev .pinned
kill "$monitor"

ktap_finished
