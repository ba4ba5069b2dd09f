#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# kernels: runner
# shellcheck disable=SC2016
# The options that shape a VM, and two VMs at once.
# shellcheck source=selftests/runner/vm.sh
. "$(dirname "$0")/vm.sh"

ktap_print_header
ktap_set_plan 9

vm --bare --cpus 1 --memory 3G -- sh -c '
	nproc; grep MemTotal /proc/meminfo; grep -c "^srqpool " /proc/modules
	insmod "$SRQPOOL_KO" && rmmod srqpool && echo loadable; rdma link'
expect 0 "a bare VM runs"
check "with the CPUs asked for" sh -c 'head -n 1 stdout | grep -qx 1'
check "with the memory asked for" awk '/MemTotal/ { exit !($2 > 2800000 && $2 < 3200000) }' stdout
check "with no module loaded" grep -qx 0 stdout
check "but one that can be" grep -qx loadable stdout
check "and the device" grep -q '^link rxe0/1 state ACTIVE' stdout
vm --icount -- nproc
check "--icount has one CPU" grep -qx 1 stdout

"$SRQPOOL_TOP/scripts/vm" -- sh -c 'echo first; exit 11' >first 2>first.err </dev/null &
vm -- sh -c 'echo second; exit 12'
wait $!
first=$?
check "two VMs at once keep their results apart" test "$first $status" = "11 12"
check "and their output" sh -c 'grep -qx first first && grep -qx second stdout'
ktap_finished
