#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# kernels: 6.1 newest
# vm: --bare
# A queue that is empty for a moment costs a sender a moment, not the CM's 655 ms.
# shellcheck source=selftests/refill/refill.sh
. "$(dirname "$0")/refill.sh"

ktap_print_header
ktap_set_plan 27

sent_naks() { cat /sys/class/infiniband/rxe0/ports/1/hw_counters/send_rnr_err; }
# More senders than there are buffers.
flood() { load 7472 --connections 16 --messages 100 --burst 4 --size 1024 --one-way; }
# slowest: of the last load, in whole milliseconds.
slowest() { gojq '.latency_us.max / 1000 | floor' "$load_out"; }

# one_waits: all buffers are held until a sender has been told to wait.
one_waits() {
	check "while all buffers are held" hold 4
	naks=$(stats p0 .rnr_naks)
	srqload $addr 7472 --messages 1 --one-way -j >"$load_out" 2>&1 &
	client=$!
	check "another sender is told to wait" wait_for 20 above "$naks" stats p0 .rnr_naks
	check "and does not fail" kill -0 $client
	check "they come back" release
	wait $client
	check "and it is served" test $? = 0
	check "everything is posted" wait_for 10 at_rest p0
	check "every buffer is accounted for" balanced p0
}

check "the test build is loaded" insmod "$SRQPOOL_TEST_KO"
before=$(sent_naks)
check "a pool of four buffers is added" add 4096:4-4 --shards 1 --rnr-timer 640
check "16 senders are served" flood
check "everything is posted" wait_for 10 at_rest p0
one_waits
after=$(sent_naks)
check "each time was counted" is $((after - before)) stats p0 .rnr_naks
ktap_print_msg "with 640 us: $(stats p0 .rnr_naks) NAKs"

# A consumer that keeps four messages for 2 ms each, and a fifth at the same time.
hold=/sys/kernel/debug/srqpool_hold
# Code 12 of the timer: 640 us.
check "a module keeps each message" insmod "$SRQPOOL_MODULES/srqpool_hold.ko" rnr_timer=12
echo 2 >$hold/delay_ms
# wait_times: of the slowest message, each time that one had to wait.
wait_times() {
	for _ in $(seq 30); do
		before=$(sent_naks)
		load 7500 --connections 5 --messages 1 --size 1024 --one-way || return
		[ "$(sent_naks)" = "$before" ] || gojq '.latency_us.max | floor' "$load_out"
	done
}
wait_times >"$load_out.waits"
ktap_print_msg "a buffer missing for 2 ms costs, in us: $(sort -n "$load_out.waits" | xargs)"
check "a fifth message has to wait" test -s "$load_out.waits"
least() { sort -n "$load_out.waits" | head -n 1; }
check "for less than 20 ms" at_most 19999 least
check "the module goes" rmmod srqpool_hold
check "every buffer is accounted for" balanced p0
srqctl pool del p0 --force

# What it would be without the timer.
check "with the timer of the CM" add 4096:4-4 --shards 1 --rnr-timer 655360
one_waits
ktap_print_msg "with 655360 us: $(stats p0 .rnr_naks) NAKs, the slowest took $(slowest) ms"
check "the sender waits as long" above 600 slowest
srqctl pool del p0 --force
check "the module goes" rmmod srqpool

ktap_finished
