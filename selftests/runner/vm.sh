# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# For the tests of scripts/vm; they run on the host, in a directory of their own.

# shellcheck source=selftests/lib.sh
. "$(dirname "$0")/../lib.sh"
[ -n "${SRQPOOL_TOP:-}" ] || {
	ktap_skip_all "SRQPOOL_TOP is not set (run: scripts/test runner)"
	exit "$KSFT_SKIP"
}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
# What these tests break on purpose need not be kept.
export TMPDIR="$dir"

# vm [OPTION]... -- COMMAND...: sets $status; what it printed is in ./stdout and ./stderr.
vm() {
	"$SRQPOOL_TOP/scripts/vm" "$@" >stdout 2>stderr </dev/null
	status=$?
}

# expect STATUS DESCRIPTION: the last vm's status.
expect() {
	[ "$status" = "$1" ] || {
		ktap_print_msg "exit status $status, not $1; its last words:"
		tail -n 20 stderr | sed 's/^/# /'
		ktap_test_fail "$2"
		return
	}
	ktap_test_pass "$2"
}
