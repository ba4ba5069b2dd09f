#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# kernels: newest
# vm: --bare
# A device that moves into another network namespace is gone, and back when that returns it.
# shellcheck source=selftests/pool.sh
. "$(dirname "$0")/../pool.sh"
require ip rdma

ktap_print_header

insmod "$SRQPOOL_KO"
rdma system set netns exclusive
ip netns add other
srqctl pool add p0 --dev rxe0 --class 4096:128 2>/dev/null
if ! why=$(rdma dev set rxe0 netns other 2>&1); then
	srqctl pool del p0
	rmmod srqpool
	ktap_skip_all "the device cannot be moved: $why"
	exit "$KSFT_SKIP"
fi
ktap_set_plan 5
check "the pool is detached" is detached pool p0 .state
check "the device is not shown" is 0 sh -c 'srqctl -j dev show | gojq length'
check "it comes back" ip netns exec other rdma dev set rxe0 netns 1
check "so does the pool" wait_for 10 is active pool p0 .state
srqctl pool del p0 --force
check "the module goes" rmmod srqpool

ktap_finished
