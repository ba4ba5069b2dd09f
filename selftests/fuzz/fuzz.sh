# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# For the fuzzers: pool.sh, and what is left when one has ended. FUZZ_SECONDS is how long each runs,
# FUZZ_SEED repeats one.
# shellcheck source=selftests/pool.sh
. "$(dirname "$0")/../pool.sh"

# shellcheck disable=SC2034 # for those who include this
here=$(dirname "$0")
# shellcheck disable=SC2034 # for those who include this
seconds=${FUZZ_SECONDS:-15}
# shellcheck disable=SC2034 # for those who include this
seed=${FUZZ_SEED:-$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')}

load_module() { insmod "${SRQPOOL_TEST_KO:-$SRQPOOL_KO}"; }

# openly DESCRIPTION COMMAND...: one test in this shell, whose output is shown as it comes: it says
# the seed, and a panic must not take that with it.
openly() {
	description=$1
	shift
	if "$@"; then ktap_test_pass "$description"; else ktap_test_fail "$description"; fi
}

no_pools() { [ "$(srqctl -j pool show | gojq length)" = 0 ]; }
no_holders() { cat /sys/module/srqpool/refcnt; }
nobody_left() { [ "$(conns length)" = 0 ]; }

# serves: a pool as if nothing had been; four checks.
serves() {
	srqctl pool add p0 --dev rxe0 --class 4096:64-256 &&
		srqctl listen add p0 --addr "$addr" --port 7471 --mode echo >/dev/null 2>&1
	check "a new pool serves" load 7471 --connections 4 --messages 50 --size $sizes --verify
	check "its buffers are all back" wait_for 10 at_rest p0
	check "it is deleted" srqctl pool del p0 --force
	check "nothing is pinned" is 0 dev .pinned
}
