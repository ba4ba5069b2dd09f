#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# kernels: runner
# soak
# shellcheck disable=SC2016
# Many boots in a row: not one may fail, and none may lose a byte.
# shellcheck source=selftests/runner/vm.sh
. "$(dirname "$0")/../runner/vm.sh"

boots=50
kernels='6.1 6.12'

# boot KERNEL: once, with a device, a module, and output on both streams.
boot() {
	vm --kernel "$1" --timeout 120 -- sh -c '
		rdma link show rxe0/1 | grep -q ACTIVE || exit 1
		srqctl -j dev show || exit 2
		seq 2000 >&2
		exit 42'
	# The runner's own words are on stderr too.
	grep -v '^vm: ' stderr >words
	[ "$status" = 42 ] && grep -q '"name":"rxe0"' stdout && seq 2000 | cmp -s - words
}

# in_a_row KERNEL
in_a_row() {
	boot=0
	while [ "$boot" -lt "$boots" ]; do
		boot=$((boot + 1))
		boot "$1" || {
			echo "boot $boot of $boots: status $status"
			tail -n 5 stderr
			return 1
		}
	done
}

ktap_print_header
ktap_set_plan 2
for kernel in $kernels; do
	check "$boots boots of $kernel in a row" in_a_row "$kernel"
done
ktap_finished
