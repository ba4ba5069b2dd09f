#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# kernels: debug
# The KUnit suite of policy: each of its cases is a result here.
# shellcheck source=selftests/lib.sh
. "$(dirname "$0")/../lib.sh"

require modprobe
suite=srqpool_policy
ko=$SRQPOOL_MODULES/${suite}_kunit.ko
results=/sys/kernel/debug/kunit/$suite/results
[ -e "$ko" ] || {
	ktap_skip_all "$ko was not built"
	exit "$KSFT_SKIP"
}

load() { modprobe kunit && insmod "$ko" && [ -e "$results" ]; }
unload() { rmmod "${suite}_kunit" && rmmod kunit; }
report() { echo "$said" && return "$loaded"; }

# A case's lines are indented once, and so is the plan.
planned() { sed -n 's/^    1\.\.//p' "$results"; }
cases() {
	[ ! -e "$results" ] ||
		sed -nE 's/^    (ok|not ok) [0-9]+ (- )?(.*)/\1:\3/p' "$results"
}
all_ran() { [ "$(cases | wc -l)" = "$(planned)" ]; }

ktap_print_header
said=$(load 2>&1)
loaded=$?
n=$([ ! -e "$results" ] || planned)
ktap_set_plan $((${n:-0} + 3))
check "the suite is loaded" report
check "all of its cases ran" all_ran
[ ! -e "$results" ] || grep -vE '^ *(not )?ok ' "$results" | sed 's/^/# /'
while IFS=: read -r word name; do
	case $word in
	ok) ktap_test_pass "$name" ;;
	not*) ktap_test_fail "$name" ;;
	esac
done <<END
$(cases)
END
check "it is unloaded" unload
ktap_finished
