#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The last events of a pool can be read later, in the monitor's lines, whatever another pool tells.
# shellcheck source=selftests/pool.sh
. "$(dirname "$0")/../pool.sh"

ktap_print_header
ktap_set_plan 18

# told POOL: its last events; n_told POOL FILTER: how many of these there are.
told() { srqctl -j events "$1"; }
n_told() { told "$1" | gojq -s "map(select($2)) | length"; }
# has N POOL FILTER: so many or more.
has() { [ "$(n_told "$2" "$3")" -ge "$1" ]; }
lasts=$(mktemp)
of_monitor=$(mktemp)

watch
srqctl pool add p0 --dev "$rdma_dev" --class 4096:64-1024 --shards 1 --aging 0
srqctl listen add p0 --addr "$addr" --port 7471 --mode echo >/dev/null
load 7471 --connections 4 --messages 8
check "connections came and went" wait_for 20 has 4 p0 '.event == "conn-down"'
told p0 >"$lasts"
# The first ones may come before the monitor listens.
monitored() {
	grep -F '"pool":"p0"' "$events" >"$of_monitor" && grep -q conn-down "$of_monitor" &&
		tail -n "$(wc -l <"$of_monitor")" "$lasts" | cmp - "$of_monitor"
}
check "it is what the monitor told" wait_for 10 monitored
check "in order" gojq -es 'map(.time_ns) | . == sort' "$lasts"
check "with connections" gojq -es 'map(select(.event == "conn-up").conn > 0) | length == 4 and all' "$lasts"
check "as text, too" test "$(srqctl events p0 | grep -c conn-up)" = 4
few() { srqctl -j events p0 --count 3 | cmp - "$of_monitor"; }
tail -n 3 "$lasts" >"$of_monitor"
check "only the last ones" few

srqctl pool add p1 --dev "$rdma_dev" --class 4096:64-4096@100% --shards 1 --budget 1M
srqctl listen add p1 --addr "$addr" --port 7472 --mode echo >/dev/null
load 7472 --connections 150 --messages 1
full() { [ "$(told p1 | wc -l)" = 256 ]; }
check "a noisy pool keeps its last 256" wait_for 60 full
check "whose first connection is not among them" \
	sh -c 'srqctl -j events p1 | gojq -es "map(select(.event == \"conn-up\")) | length < 150"'
same() { told p0 | cmp - "$lasts"; }
check "the other pool's are all there" same

# More limit events than the budget can answer.
noise() { load 7472 --connections 50 --messages 200 --burst 16 --size 4096; }
one_for_many='.event == "budget-hit" and (.text | test("^[0-9]+ more of these within a second"))'
noise &
loading=$!
check "what a pool tells too often is told as one" wait_for 100 has 1 p1 "$one_for_many"
# The other one is not silenced by that.
srqctl pool add p2 --dev "$rdma_dev" --class 4096:64-4096@100% --shards 1 --budget 1M
srqctl listen add p2 --addr "$addr" --port 7473 --mode echo >/dev/null
load 7473 --connections 50 --messages 20 --burst 16 --size 4096
check "another pool's own are told meanwhile" wait_for 20 has 1 p2 '.event == "budget-hit"'
wait "$loading"
# In every second, with those of the second before that were told as one.
budget_hits() {
	told p1 | gojq -es 'map(select(.event == "budget-hit")) | group_by(.time_ns / 1000000000 | floor) |
		map(length <= 22) | all'
}
check "no more than it may" budget_hits
heard() { gojq -es "any(.pool == \"p1\" and $one_for_many)" "$events"; }
check "the monitor hears of it" wait_for 20 heard
check "and lost nothing" test "$(grep -c '"event":"lost"' "$events")" = 0

check "no pool, no events" refused 3 "there is no pool nonesuch" srqctl events nonesuch
for pool in p0 p1 p2; do srqctl pool del $pool --force; done
check "they go with the pool" refused 3 "there is no pool p0" srqctl events p0
srqctl pool add p0 --dev "$rdma_dev" --class 4096:64-1024 --shards 1
check "the next of the name has none of them" is 0 n_told p0 '.event == "conn-up"'
srqctl pool del p0
kill "$monitor"
check "nothing is pinned" is 0 dev .pinned

ktap_finished
