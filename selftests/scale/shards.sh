#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# kernels: 6.12
# vm: --cpus 8
# A million messages over eight shards of eight CPUs: none is lost, and no count is off by one.
# shellcheck source=selftests/pool.sh
. "$(dirname "$0")/../pool.sh"

ktap_print_header
ktap_set_plan 10

million=1000000
srqctl pool add p0 --dev rxe0 --class 1024:512-4096@25% --shards 8
srqctl listen add p0 --addr $addr --port 7471 --mode echo >/dev/null
srqctl listen add p0 --addr $addr --port 7472 --mode sink >/dev/null

check "the pool has eight shards" is 8 pool p0 .shards
send() {
	load 7472 --connections 64 --messages $((million / 64)) --burst 32 --size 64 \
		--one-way --signal-every 16 --threads 4
}
check "a million messages are sent" send
check "and received" wait_for 20 is $million stats p0 .rx_msgs
check "every shard served connections" is 8 eval \
	'srqctl -j queue show p0 | gojq "map(select(.low_water < .target)) | length"'
check "every buffer is accounted for" balanced p0
check "all is at rest" wait_for 20 at_rest p0
echoes() {
	load 7471 --connections 64 --messages 500 --burst 16 --size 24-1024 --verify --threads 4
}
check "echoes come back once, in order and intact" echoes
check "not one more was received" is $((million + 64 * 500)) stats p0 .rx_msgs
check "every buffer is accounted for" balanced p0
check "all is at rest" wait_for 20 at_rest p0
srqctl pool del p0 --force

ktap_finished
