#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# kernels: 6.1 6.12 newest debug
# What cannot be done is refused with words and the right status, and leaves nothing behind.
# shellcheck source=selftests/pool.sh
. "$(dirname "$0")/../pool.sh"

pools() { srqctl -j pool show | gojq "$1"; }
pools_elsewhere() { unshare -n srqctl -j pool show | gojq -c .; }

ktap_print_header
ktap_set_plan 45

# refuse STATUS TEXT ARGUMENT...: srqctl refuses it.
refuse() {
	refuse_status=$1
	refuse_text=$2
	shift 2
	check "srqctl $*" refused "$refuse_status" "$refuse_text" srqctl "$@"
}

add="pool add p0 --dev rxe0"
# shellcheck disable=SC2086 # $add is words
{
	refuse 3 "no RDMA device nosuch" pool add p0 --dev nosuch
	refuse 2 "1025" $add --class 4096:64-1024@1025
	refuse 2 "" $add --class 4096:64-1024@101%
	refuse 2 "" $add --class 0:64
	refuse 2 "" $add --class 4096:0
	refuse 2 "" $add --class 4096:-5
	refuse 2 "" $add --class -4096:64
	refuse 2 "" $add --class 4096:99999999999999999999
	refuse 2 "" $add --class 99999999999G:64
	refuse 2 "" $add --class 4k4:64
	refuse 2 "" $add --class big:64
	refuse 2 "" $add --class 4096:64-
	refuse 2 "" $add --class 4096:64-63
	refuse 2 "" $add --budget 0
	refuse 2 "" $add --budget -1
	refuse 2 "" $add --budget 99999999999999999999999
	refuse 2 "" $add --shards 0
	refuse 2 "" $add --rnr-timer x
	refuse 2 "" $add --nosuch
	refuse 2 "" pool add "a/b" --dev rxe0
	refuse 2 "" pool add "a b" --dev rxe0
	refuse 2 "" pool add "" --dev rxe0
	refuse 2 "" pool add aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa --dev rxe0
	refuse 1 "the nearest are 640 and 960" $add --rnr-timer 700
	refuse 1 "the budget is 65536" $add --class 4096:64 --budget 64K
	refuse 1 "max_srq_wr is 1048576" $add --class 64:64-4000000@1
	refuse 1 "max_cqe is 32767" $add --shards 1 --class 64:64-100000@1
	refuse 1 "less than 1 for each of 8 shards" $add --class 4096:4 --shards 8
}
check "nothing was left behind" is 0 pools length
check "nothing is pinned" is 0 dev .pinned

srqctl pool add p0 --dev rxe0 --class 4096:256
srqctl listen add p0 --addr $addr --port 7471 >/dev/null
refuse 1 "pool p0 exists" pool add p0 --dev rxe0
refuse 1 "in use" listen add p0 --addr $addr --port 7471
refuse 1 "is not an address" listen add p0 --addr 10.9.9.9 --port 7472
refuse 1 "wildcard" listen add p0 --addr 0.0.0.0 --port 7472
refuse 3 "no class huge" listen add p0 --addr $addr --port 7472 --class huge
refuse 3 "no pool p9" listen add p9 --addr $addr --port 7472
refuse 1 "1 listeners" pool del p0
refuse 3 "no pool p9" pool del p9
refuse 3 "" listen del 999999
refuse 3 "" conn kill 999999
check "an unprivileged user may not change" refused 1 CAP_NET_ADMIN \
	setpriv --reuid 65534 --regid 65534 --clear-groups srqctl pool del p0
check "but may look" setpriv --reuid 65534 --regid 65534 --clear-groups srqctl pool show p0
check "another network namespace may not change" refused 1 "initial network namespace" \
	unshare -n srqctl pool add p1 --dev rxe0
check "and sees nothing" is '[]' pools_elsewhere
srqctl pool del p0 --force
rmmod srqpool
check "without the module it says how to load it" refused 1 "modprobe srqpool" srqctl pool show
insmod "$SRQPOOL_KO"

ktap_finished
