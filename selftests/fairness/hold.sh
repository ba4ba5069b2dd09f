#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# vm: --bare
# kernels: 6.1 6.12 newest debug
# A module that holds every buffer for half a minute: all wait, none is closed, nothing is lost.
# shellcheck source=selftests/pool.sh
. "$(dirname "$0")/../pool.sh"
[ -n "${SRQPOOL_TEST_KO:-}" ] || {
	ktap_skip_all "needs the test build"
	exit "$KSFT_SKIP"
}

ktap_print_header
ktap_set_plan 20

peer=$(dirname "$0")/peer
exhausted() { [ "$(pool p0 '.classes[0] | .posted + .free')" = 0 ]; }
# send CONNECTIONS MESSAGES: one way, in the background.
send() {
	"$peer" $addr 7500 "$1" "$2" 1024 -2 >/dev/null &
	client=$!
}

insmod "$SRQPOOL_TEST_KO"
srqctl pool add p0 --dev rxe0 --class 4096:128-256@25%
check "a module attaches to a pool" load_hold
check "which cannot be unloaded then" sh -c '! rmmod srqpool'
check "nor deleted" sh -c '! srqctl pool del p0'

send 20 10
wait $client
check "it receives" test $? = 0
check "each message" wait_for 10 is 200 knob received
check "and has given each back" wait_for 10 at_rest p0

turn hold 1
send 20 128
check "it holds every buffer" wait_for 60 exhausted
check "messages were copied too" above 0 stats p0 .copied
check "the senders are told to wait" above 0 stats p0 .rnr_naks
sleep 30
check "after half a minute every buffer is accounted for" balanced p0
check "and nobody was closed" is 20 conns 'map(select(.state == "up")) | length'
check "the queues are starved" is true pool p0 '.classes[0].posted == 0'
turn hold 0
started=$(date +%s)
wait $client
check "when it gives back, all is sent without an error" test $? = 0
check "and received" wait_for 5 is 2760 knob received
check "within five seconds" test $(($(date +%s) - started)) -le 5
check "each once and in order" is 0 knob disordered
check "the pool is whole again" wait_for 10 at_rest p0

turn hold 1
send 4 10
wait_for 10 is 2800 knob received
check "a pool whose buffers are held is deleted" srqctl pool del p0 --force
check "and they were given back" is 0 knob held
wait $client
check "both modules go" sh -c 'rmmod srqpool_hold && rmmod srqpool'

ktap_finished
