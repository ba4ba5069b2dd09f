# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# For tests in sh: `. "$(dirname "$0")/../lib.sh"`. Brings the kselftest KTAP helpers
# (ktap_print_header, ktap_set_plan, ktap_test_pass, ktap_test_fail, ktap_test_skip,
# ktap_test_result, ktap_finished) and these.

selftests=$(cd "$(dirname "$0")/.." && pwd)
# shellcheck source=/dev/null
. "$selftests/kselftest/ktap_helpers.sh"

# require COMMAND...: without them this test is skipped, with the reason.
require() {
	for required; do
		command -v "$required" >/dev/null || {
			ktap_skip_all "$required is not here"
			exit "$KSFT_SKIP"
		}
	done
}

# The debug kernel is some twenty times slower.
slowness=1
[ ! -e /sys/kernel/debug/kmemleak ] || slowness=20

# wait_for SECONDS COMMAND...: until COMMAND succeeds; says what did not come in that time, or in
# as much more as the kernel is slower.
wait_for() {
	allowed=$(($1 * slowness))
	deadline=$(($(date +%s) + allowed))
	shift
	until "$@" >/dev/null 2>&1; do
		if [ "$(date +%s)" -ge "$deadline" ]; then
			ktap_print_msg "not within $allowed s: $*"
			return 1
		fi
		sleep 0.1
	done
}

# check DESCRIPTION COMMAND...: one test, whose output is shown when it fails.
check() {
	description=$1
	shift
	if output=$("$@" 2>&1); then
		ktap_test_pass "$description"
	else
		ktap_print_msg "failed ($?): $*"
		printf '%s\n' "$output" | sed 's/^/# /'
		ktap_test_fail "$description"
	fi
}
