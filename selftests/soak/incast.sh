#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# kernels: 6.12
# soak
# An incast of 500 connections, five times on each set-up: the table of the documentation.
# shellcheck source=selftests/incast.sh
. "$(dirname "$0")/../incast.sh"

repeats=5
ktap_print_header
ktap_set_plan $((6 * repeats + 2))

# shellcheck disable=SC2086,SC2046,SC2154 # options are words; they are in incast.sh
for repeat in $(seq $repeats); do
	check "64..4096@12%, run $repeat" incast 64..4096@12% $small
	check "64..4096@50%, run $repeat" incast 64..4096@50% --class 4096:64-4096@50%
	check "256..4096@25%, run $repeat" incast 256..4096@25% --class 4096:256-4096@25%
	check "256 fixed, run $repeat" incast 256 $(fixed 256)
	check "4096 fixed, run $repeat" incast 4096 $(fixed 4096)
	check "dedicated, run $repeat" incast dedicated $dedicated
done
table 64..4096@12% 64..4096@50% 256..4096@25% 256 4096 dedicated
check "256..4096 has at most a tenth of the NAKs of 256 fixed" \
	test $(($(median 256..4096@25% 1) * 10)) -le "$(median 256 1)"
check "64..4096 ends with at most an eighth of the memory of 4096 fixed" \
	test $(($(median 64..4096@12% 5) * 8)) -le "$(median 4096 5)"

ktap_finished
