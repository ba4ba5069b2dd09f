#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# kernels: debug
# Allocations of commands fail, one after the other: here the first so many of five commands; in
# the soak all of all ($COMMANDS).
# shellcheck source=selftests/faults/faults.sh
. "$(dirname "$0")/faults.sh"

# Words without a number: up to the last.
commands=${COMMANDS:-pool-new 20 pool-set 20 listener-new 30 attach-ring 20 connect 12}

is_number() { case $1 in *[!0-9]*) false ;; esac; }

ktap_print_header
# shellcheck disable=SC2086 # words
set -- $commands
nr=0
for word; do is_number "$word" || nr=$((nr + 1)); done
ktap_set_plan $nr
while [ $# -gt 0 ]; do
	if [ $# -gt 1 ] && is_number "$2"; then
		under_faults "$1" "$2"
		shift
	else
		under_faults "$1"
	fi
	shift
done

ktap_finished
