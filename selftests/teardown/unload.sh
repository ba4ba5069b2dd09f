#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# kernels: 6.1 6.12 newest debug
# vm: --bare
# Who holds the module is named; who does not is torn down in time.
# shellcheck source=selftests/refill/refill.sh
. "$(dirname "$0")/../refill/refill.sh"

ktap_print_header
ktap_set_plan 29

reader=$selftests/deliver/reader
bound=$((30 * slowness))
said=$(mktemp)

# unloads: completely, within the bound.
unloads() {
	started=$(date +%s)
	rmmod srqpool || return
	took=$(($(date +%s) - started))
	echo "it took $took s"
	[ $took -le $bound ]
}

# in_use: it is refused at once, and says so.
in_use() {
	started=$(date +%s)
	refused 1 "in use" rmmod srqpool && [ $(($(date +%s) - started)) -le $((5 * slowness)) ]
}

# holder FILTER: what gojq finds in the only holder.
holder() { dev ".holders | if length == 1 then .[0] else {} end | $1"; }

load_test_module() { insmod "$SRQPOOL_TEST_KO"; }
check "the test build is loaded" load_test_module
check "nobody holds it" is 0 dev '.holders | length'

sleep 1000 3<>/dev/srqpool &
opener=$!
check "a program has the device open" wait_for 10 is $opener holder .pid
check "its name is shown" is sleep holder .comm
check "it is attached to no pool" is null holder .pool
check "unloading is refused" in_use
kill -9 $opener
wait $opener 2>/dev/null
check "nobody holds it any more" wait_for 10 is 0 dev '.holders | length'

srqctl pool add p0 --dev rxe0 --class 4096:64-512 --copybreak 0 2>/dev/null
srqctl listen add p0 --addr $addr --port 7473 --mode deliver >/dev/null 2>&1
"$reader" -r8 p0 hold >"$said" 2>&1 &
mapper=$!
wait_for 10 grep -q attached "$said"
"$peer" "$addr" 7473 1 8 1024 -1 >/dev/null 2>&1 &
sender=$!
check "a program has buffers mapped" wait_for 10 is 8 pool p0 '.classes[0].held'
check "it is shown with its pool" is p0 holder .pool
check "and its process" is $mapper holder .pid
check "unloading is refused once more" in_use
check "the pool is deleted under it" srqctl pool del p0 --force
check "it is still shown" is $mapper holder .pid
check "and still refused" in_use
kill -9 $mapper $sender
wait $mapper $sender 2>/dev/null
check "without it, it is unloaded" wait_for 10 rmmod srqpool

check "it is loaded" load_test_module
srqctl pool add p0 --dev rxe0 --class 4096:64-512 2>/dev/null
check "a module uses a pool" load_hold
check "it is shown by its name" is srqpool_hold holder .module
check "unloading is refused for it, too" in_use
check "that module goes" rmmod srqpool_hold
check "nobody is left" is 0 dev '.holders | length'
srqctl pool del p0 --force

add 4096:128-512@25% >/dev/null 2>&1
srqload "$addr" 7471 --connections 300 --connecting 300 --messages 1 --hold 600 >/dev/null 2>&1 &
client=$!
connecting() { wait_for 30 above 20 conns length && unloads; }
check "it is unloaded while 300 connect" connecting
kill -9 $client
wait $client 2>/dev/null
check "it is loaded once more" load_test_module

# Each event is on its way for 20 ms, and there is one after the other.
add 4096:128-4096@50% --shards 1 --aging 1 >/dev/null 2>&1
fault event_late 1000000
srqload "$addr" 7472 --connections 8 --messages 100000000 --burst 64 --one-way >/dev/null 2>&1 &
client=$!
check "there are limit events" wait_for 30 above 0 stats p0 .limit_events
check "it is unloaded with them under way" unloads
kill -9 $client
wait $client 2>/dev/null

check "it is loaded a last time" load_test_module
add 4096:128-512@25% >/dev/null 2>&1
check "it serves" served
srqctl pool del p0 --force
check "nothing is left" is 0 dev ' | .pools + .conns + .pinned + (.holders | length)'
check "it is unloaded" unloads

ktap_finished
