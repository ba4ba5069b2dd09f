#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# kernels: 6.1 6.12 newest debug
# The module is unloaded while 500 connections send (100 on a debug kernel).
# shellcheck source=selftests/pool.sh
. "$(dirname "$0")/../pool.sh"

ktap_print_header
ktap_set_plan 4

wanted_conns=500
bound=30
if [ "$slowness" -gt 1 ]; then
	wanted_conns=100
	bound=120
fi
srqctl pool add p0 --dev rxe0 --class 4096:256-4096@25%
srqctl listen add p0 --addr $addr --port 7471 --mode echo
srqload "$addr" 7471 --connections $wanted_conns --messages 1000000 --burst 4 >/dev/null 2>&1 &
client=$!
sending() { [ "$(conns 'map(select(.rx_msgs > 0)) | length')" -ge $wanted_conns ]; }
check "$wanted_conns connections send" wait_for 240 sending
start=$(date +%s)
check "the module is unloaded" rmmod srqpool
took=$(($(date +%s) - start))
ktap_print_msg "rmmod took $took s"
check "within $bound s" test "$took" -le "$bound"
kill -9 $client 2>/dev/null
wait $client 2>/dev/null
check "it can be loaded again" insmod "$SRQPOOL_KO"

ktap_finished
