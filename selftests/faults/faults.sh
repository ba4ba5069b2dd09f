# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# For tests that let allocations fail: `. "$(dirname "$0")/faults.sh"`. pool.sh, and this.
# shellcheck source=selftests/pool.sh
. "$(dirname "$0")/../pool.sh"

faults=$(dirname "$0")/faults
if [ ! -e /sys/kernel/debug/failslab ] || [ ! -e /proc/self/fail-nth ]; then
	ktap_skip_all "this kernel lets no allocation fail"
	exit "$KSFT_SKIP"
fi

# With $LEAKS kmemleak looks after each command, which takes half a minute; without, when the VM ends.
leaks=${LEAKS:+-k}

# under_faults COMMAND [MOST]: one test: it fails cleanly, and leaves nothing behind.
under_faults() {
	started=$(date +%s)
	# shellcheck disable=SC2086 # an option, or nothing
	output=$("$faults" $leaks ${2:+-m "$2"} "$1" 2>&1)
	status=$?
	printf '%s\n' "$output" | sed 's/^/# /'
	ktap_print_msg "$1: $(($(date +%s) - started)) s"
	case $status in
	0) ktap_test_pass "$1" ;;
	"$KSFT_SKIP") ktap_test_skip "$1" ;;
	*)
		ktap_print_msg "exit $status"
		srqctl pool del f0 --force >/dev/null 2>&1
		ktap_test_fail "$1"
		;;
	esac
}
