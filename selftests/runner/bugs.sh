#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# kernels: runner
# What goes wrong in a VM cannot look right.
# shellcheck source=selftests/runner/vm.sh
. "$(dirname "$0")/vm.sh"

ktap_print_header
ktap_set_plan 13

vm -- sh -c 'echo c >/proc/sysrq-trigger; sleep 60'
expect 99 "a panic is a failure"
vm -- sh -c 'echo "WARNING: a test of the runner" >/dev/kmsg'
expect 99 "a warning in the kernel log is a failure"
check "and it is shown" grep -q 'WARNING: a test of the runner' stderr
vm -- sh -c 'dmesg -n 1; echo "BUG: a test of the runner" >/dev/kmsg; dmesg -C; exit 3'
expect 99 "a bug cannot be hidden, and comes before the command's status"
vm -- sh -c 'echo "<4>hogged CPU" >/dev/kmsg; exit 3'
expect 3 "a plain message of warn level is no failure"
vm -- busybox poweroff -f
expect 99 "a guest that ends without a result is a failure"
vm --timeout 40 -- sh -c 'echo before; echo "WARNING: late" >/dev/kmsg; sleep 1000'
expect 124 "a hang is a timeout, and that comes first"
check "what it had printed is there" grep -qx before stdout
# A process that the command leaves behind must not hold up the end.
vm --timeout 120 -- sh -c 'sleep 1000 & exit 4'
expect 4 "what is left running is ended"

# No QEMU outlives its runner, however that ends.
gone() { ! pgrep -f "[q]emu-system.*$dir/ended"; }
for signal in TERM KILL; do
	"$SRQPOOL_TOP/scripts/vm" --out ended -- sleep 1000 >stdout 2>stderr </dev/null &
	check "a VM starts" wait_for 60 grep -q 'Linux version' ended/console.log
	kill -s $signal $!
	check "and goes with a runner ended by SIG$signal" wait_for 10 gone
	rm -rf ended
done
ktap_finished
