#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# kernels: 6.1 6.12 newest debug
# The device goes away under a pool and comes back.
# shellcheck source=selftests/pool.sh
. "$(dirname "$0")/../pool.sh"
require rdma

ktap_print_header
ktap_set_plan 13

srqctl pool add p0 --dev rxe0 --class 4096:128-1024@25%
listener=$(srqctl listen add p0 --addr $addr --port 7471 --mode echo 2>/dev/null)
check "it serves" load 7471 --connections 20 --messages 20 --verify --size 64
check "the device is removed" rdma link delete rxe0
check "the pool is detached" is detached pool p0 .state
check "it pins nothing" is 0 pool p0 .pinned
check "it keeps its configuration" is 1024 pool p0 '.classes[0].ceiling'
check "no listener can be added" refused 1 "detached" \
	srqctl listen add p0 --addr $addr --port 7472
check "its mark can be changed" srqctl pool set p0 --class 4096:128-1024@50%
check "the device comes back" rdma link add rxe0 type rxe netdev dummy0
check "the pool is active again" wait_for 10 is active pool p0 .state
check "with the changed mark" is 50% pool p0 '.classes[0].mark_spec'
check "its listener serves again" load 7471 --connections 20 --messages 20 --verify --size 64
rdma link delete rxe0
check "a detached pool is deleted" sh -c "srqctl listen del $listener && srqctl pool del p0"
check "and the device comes back without it" rdma link add rxe0 type rxe netdev dummy0

ktap_finished
