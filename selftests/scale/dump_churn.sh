#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# kernels: debug
# Dumps of 300 connections while others come and go; connections.sh has 10,000.
# shellcheck source=selftests/scale/dumps.sh
. "$(dirname "$0")/dumps.sh"

count=300
ktap_print_header
ktap_set_plan 8

check "a pool" srqctl pool add p0 --dev rxe0 --class 4096:256-4096@25%
check "a listener" srqctl listen add p0 --addr $addr --port 7471 --mode echo
srqload "$addr" 7471 --connections $count --messages 1 --hold 3600 >/dev/null 2>&1 &
client=$!
check "$count connections are up" wait_for 120 is $count stats p0 .tx_msgs
check_dumps $count 3 7471
kill -9 $client
wait $client 2>/dev/null
srqctl pool del p0 --force

ktap_finished
