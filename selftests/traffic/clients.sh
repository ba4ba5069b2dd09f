#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# rdma-core's own rdma_client works against an echo listener, one and 300 at once.
# shellcheck source=selftests/pool.sh
. "$(dirname "$0")/../pool.sh"
require rdma_client

ktap_print_header
ktap_set_plan 6

check "a pool" srqctl pool add p0 --dev rxe0 --class 4096:64-1024@12%
check "a listener" srqctl listen add p0 --addr $addr --port 7471 --mode echo
check "one rdma_client" rdma_client -s $addr -p 7471
check "300 at once, each exits 0" clients 300
check "all connections end" wait_for 30 is 0 conns length
check "every buffer is back" wait_for 10 at_rest p0
srqctl pool del p0 --force

ktap_finished
