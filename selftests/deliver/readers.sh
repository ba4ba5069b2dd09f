#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# kernels: 6.1 6.12 newest debug
# Readers share the connections of a pool; what one leaves behind disturbs no other.
# shellcheck source=selftests/deliver/deliver.sh
. "$(dirname "$0")/deliver.sh"

ktap_print_header
ktap_set_plan 45

peers=1000
[ "$slowness" = 1 ] || peers=100

# even N: N readers had between 80 % and 120 % of their share.
even() {
	for one in $(seq "$1"); do
		ups=$(counted "r$one" 1)
		echo "reader $one: $ups"
		[ $((ups * $1 * 10)) -ge $((peers * 8)) ] && [ $((ups * $1 * 10)) -le $((peers * 12)) ] ||
			return 1
	done
}
# sum N COLUMN
sum() {
	for one in $(seq "$1"); do counted "r$one" "$2"; done | awk '{ n += $1 } END { print n }'
}

add --class 4096:64-4096@25%
for readers in 2 4; do
	for one in $(seq $readers); do start "r$one" echo; done
	check "$peers connections for $readers readers, verified" load 7471 --connections $peers \
		--messages 10 --size $sizes --verify --seed $readers
	check "all have left" wait_for 20 nobody_left
	for one in $(seq $readers); do check "reader $one ends" stop "r$one"; done
	check "their shares are even" even $readers
	check "they got each message once" is $((peers * 10)) sum $readers 3
	check "nothing came out of order" is 0 sum $readers 6
done
check "every buffer is accounted for" balanced p0
srqctl pool del p0 --force

add --class 4096:64-512@25% --shards 1 --copybreak 0 --quota 100000 --reserve 0
start dies hold
start lives echo
"$peer" $addr 7471 10 100 1024 -1 >/dev/null 2>&1 &
flood=$!
held() { [ "$(pool p0 '.classes | map(.held) | add')" -ge 300 ]; }
check "one reads nothing, and holds what there is" wait_for 30 held
check "it dies" kill -9 "$(pid dies)"
full() { [ "$(pool p0 '.classes | all(.posted >= .target)')" = true ]; }
check "the pool is full again within a second" wait_for 1 full
check "its connections are closed, the others are not" wait_for 10 is 5 conns length
check "who connects gets the other reader" load 7471 --connections 20 --messages 50 --size $sizes \
	--verify
kill -9 $flood
check "all have left" wait_for 20 nobody_left
check "every buffer is accounted for" balanced p0
check "the reader that lives ends" stop lives
check "it had half of the first, and all of the later" is 25 counted lives 1
check "nothing came out of order" is 0 counted lives 6

start killed hold
"$peer" $addr 7471 10 10 1024 -1 >/dev/null 2>&1 &
flood=$!
check "a reader has messages" wait_for 10 is 100 pool p0 '.classes | map(.held) | add'
check "the pool is deleted under it" srqctl pool del p0 --force
check "nothing is pinned" is 0 dev .pinned
kill -9 $flood
kill -9 "$(pid killed)"
check "it ends" wait_for 10 ended killed

# One that holds every buffer dies: read() or rings, they come back the same.
all_held() { [ "$(pool p0 '.classes[0] | .posted == 0 and .held == .total')" = true ]; }
now_ms() { date +%s%3N; }
# One look, and wait_for's pause before it, are no time that it took.
die_ms() {
	began=$(now_ms)
	full
	look=$(($(now_ms) - began + 100))
	began=$(now_ms)
	kill -9 "$(pid holds)"
	wait_for 10 full || return
	echo $(($(now_ms) - began - look)) >"$told/ms"
}
for rings in '' -r; do
	add --class 4096:64-512@25% --shards 1 --copybreak 0 --quota 100000 --reserve 0
	start holds hold
	"$peer" $addr 7471 10 0 1024 -1 >/dev/null 2>&1 &
	flood=$!
	check "a reader (${rings:-read}) holds every buffer" wait_for 30 all_held
	check "it dies, and the pool is full again" die_ms
	ms=$(cat "$told/ms")
	ktap_print_msg "full after $ms ms"
	check "within a second" test "$ms" -le $((1000 * slowness))
	check "its peers are gone" wait_for 20 nobody_left
	check "every buffer is accounted for" balanced p0
	kill -9 $flood
	srqctl pool del p0 --force
done
rings=

# Small messages are copies; they stay when their senders are gone.
add --class 4096:64-512
start late hold
"$peer" $addr 7471 10 10 100 -1 >/dev/null 2>&1 &
flood=$!
check "a reader has copies" wait_for 10 is 100 stats p0 .copied
kill -9 $flood
check "their senders go" wait_for 20 nobody_left
check "the pool is deleted under it" srqctl pool del p0 --force
check "nothing is pinned" is 0 dev .pinned
kill -9 "$(pid late)"

ktap_finished
