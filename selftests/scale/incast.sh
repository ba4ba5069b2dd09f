#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# kernels: 6.1
# An incast of 500 connections on a class that grows and shrinks, and on receive queues of their own.
# soak/incast.sh measures all set-ups.
# shellcheck source=selftests/incast.sh
. "$(dirname "$0")/../incast.sh"

ktap_print_header
ktap_set_plan 4

# shellcheck disable=SC2086 # options are words
{
	check "an incast on 64 buffers that may become 4,096" incast 64..4096@12% $small
	check "on $burst of each connection's own" incast dedicated $dedicated
}
table 64..4096@12% dedicated
check "afterwards the class is an eighth of one that has 4,096 always" \
	test $(($(median 64..4096@12% 5) * 8)) -le $fixed_memory
check "and its peak is below what the connections have of their own" \
	test "$(median 64..4096@12% 4)" -lt "$(median dedicated 4)"

ktap_finished
