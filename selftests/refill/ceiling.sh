#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# kernels: 6.1 newest
# Floor, mark and ceiling of a live class are changed; what cannot change is refused by name.
# shellcheck source=selftests/refill/refill.sh
. "$(dirname "$0")/refill.sh"

ktap_print_header
ktap_set_plan 62

set_class() { srqctl pool set p0 --class "$1"; }
has() { is "$*" queue '| "\(.depth) \(.target) \(.mark) \(.device_limit)"'; }
within() { [ "$(queue '| .total <= .depth and .state == "active" and .lost == 0')" = true ]; }
# served_all: and the connections are gone, which hold a ceiling.
served_all() { served && wait_for 20 nobody_left; }
whole() { wait_for 10 at_rest p0 && within && balanced p0; }

add 4096:64-1024@25% --shards 1
check "as it was added" has 1024 64 16 16
check "the ceiling is raised" set_class 4096:64-2048
check "the queue is deeper" has 2048 64 16 16
check "and whole" whole
check "traffic goes on" served_all
check "the ceiling is lowered" set_class 4096:64-512
check "the queue is shallower" is 512 queue .depth
check "and whole" whole
check "traffic goes on" served_all

check "a burst makes it grow" hold 200
check "everything comes back" release
check "all is posted" whole
check "more than is to be" above 200 queue .total
check "the ceiling is lowered below what there is" set_class 4096:64-200
check "the queue is shallower" is 200 queue .depth
check "and has no more buffers than that" within
check "and is whole" whole
check "traffic goes on" served_all

check "the floor is raised" set_class 4096:150-200
check "so many are posted at least" at_most 0 queue '| 150 - .posted'
check "all is posted" whole
check "the floor is raised to the ceiling" set_class 4096:200-200
check "all are posted, none is in reserve" wait_for 10 is '200 0' queue '| "\(.posted) \(.free)"'
check "all is posted" whole
check "traffic goes on" served_all
check "floor and ceiling fall together" set_class 4096:16-16
check "the queue is shallower" has 16 16 4 4
check "and whole" whole
check "every buffer is accounted for" balanced p0
check "traffic goes on" served_all
check "and rise" set_class 4096:64-1024@20
check "the queue is deeper" has 1024 64 20 20
check "and whole" whole

check "a peer holds a buffer" hold 1
check "now the ceiling cannot be raised" refused 1 "has connections" set_class 4096:64-2048
check "nor lowered" refused 1 "has connections" set_class 4096:64-512
check "nothing has changed" has 1024 64 20 20
check "floor and mark can" set_class 4096:100-1024@30
check "and are" wait_for 10 has 1024 100 30 30
check "traffic goes on" served
check "it goes" release
check "and the ceiling is lowered" set_class 4096:100-512@30
check "the queue is shallower" is 512 queue .depth
check "and whole" whole
check "traffic goes on" served_all

check "a ceiling that the CQ was not made for is refused" refused 1 "entries of a CQ" \
	set_class 4096:64-20000
check "and one that would leave no room for sends" refused 1 "entries of a CQ" \
	set_class 4096:64-3000
check "a floor above the ceiling is refused" refused 2 "" set_class 4096:600-512
check "another size is refused" refused 1 "the size of a live pool cannot change" \
	set_class 4096=8192:64-512
check "a class that is not there is refused" refused 3 8192 set_class 8192:64-512
check "another number of shards is refused" refused 1 "the shards" srqctl pool set p0 --shards 2
check "another refill mode is refused" refused 1 "the refill mode" \
	srqctl pool set p0 --refill immediate
check "queues for each connection are refused" refused 1 "dedicated" \
	srqctl pool set p0 --dedicated 16
check "nothing has changed" is '512 1 watermark' pool p0 \
	'| "\(.classes[0].ceiling) \(.shards) \(.refill)"'
srqctl pool del p0 --force

add 4096:64-1024 --shards 1
# Slabs have sixteen: the one that is half wanted must go, and four buffers come anew.
check "floor and ceiling fall below what there is at once" set_class 4096:20-20
check "no buffer is left above them" whole
check "traffic goes on" served_all
srqctl pool del p0 --force

add 4096:64-1024@25% --shards 2
depths() { srqctl -j queue show p0 | gojq -c 'map(.depth)'; }
check "of two shards" set_class 4096:65-777
check "both get their share" is '[389,388]' depths
check "all is posted" wait_for 10 at_rest p0
check "traffic goes on" served_all
srqctl pool del p0 --force
check "nothing is pinned" is 0 dev .pinned

ktap_finished
