#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# kernels: 6.12 debug
# vm: --bare
# Requests made from the spec and broken, while a pool has traffic that they can hit.
# shellcheck source=selftests/fuzz/fuzz.sh
. "$(dirname "$0")/fuzz.sh"

ktap_print_header
ktap_set_plan 10

# live: a pool with connections, made again when it was deleted.
live() {
	while [ -e "$alive" ]; do
		srqctl pool add live --dev rxe0 --class 1024:64-256
		srqctl listen add live --addr $addr --port 7470 --mode echo
		timeout 60 srqload $addr 7470 --connections 4 --messages 20 --hold 1
	done >/dev/null 2>&1
}

half=$(((seconds + 1) / 2))
both() {
	"$here/netlink" $((seed + 1)) "$half" &
	other=$!
	"$here/netlink" $((seed + 2)) "$half"
	status=$?
	wait $other && [ "$status" = 0 ]
}

check "the module is loaded" load_module
alive=$(mktemp)
live &
living=$!
openly "broken requests for $half s" "$here/netlink" "$seed" "$half"
openly "and from two at once" both
rm "$alive"
wait $living
srqctl pool del live --force 2>/dev/null
check "no pool is left" no_pools
check "nothing is pinned" is 0 dev .pinned
serves
check "the module goes" wait_for 10 rmmod srqpool

ktap_finished
