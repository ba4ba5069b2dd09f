#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Peers that take their echoes late lose none, and within their quota stay.
# shellcheck source=selftests/pool.sh
. "$(dirname "$0")/../pool.sh"

ktap_print_header
ktap_set_plan 11

peer=$(dirname "$0")/peer
said=$(mktemp)
value() { sed -n "s/^$1: //p" "$said"; }

# 20 connections x 128 messages are ten times the ceiling.
srqctl pool add p0 --dev rxe0 --class 4096:128-256@25% --quota 128 --rnr-timer 10240
srqctl listen add p0 --addr $addr --port 7471 --mode echo >/dev/null
"$peer" $addr 7471 20 128 1024 -3 >"$said" &
client=$!
exhausted() { [ "$(pool p0 '.classes[0] | .posted + .free')" = 0 ]; }
check "the senders take every buffer" wait_for 25 exhausted
check "nobody is closed" is 20 conns length
check "they are told to wait" above 0 stats p0 .rnr_naks
check "every buffer is accounted for" balanced p0
check "messages were copied too" above 0 stats p0 .copied
check "the time without a buffer is counted" wait_for 30 above 1000000000 stats p0 .starved_ns
kill -USR1 "$client"
wait "$client"
check "when they are taken, all messages come back" test $? = 0
check "each once" is 2560 value received
check "and in order" is 0 value reordered
check "within five seconds" test "$(value ms)" -lt 5000
check "the pool is whole again" wait_for 10 at_rest p0
rm -f "$said"
srqctl pool del p0 --force

ktap_finished
