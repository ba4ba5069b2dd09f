#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# kernels: 6.12
# vm: --bare
# The kernel tree's own client, ynl, knows the family from its spec alone: it does every do and
# dump and hears every event. The lists are the spec's, so that what is new there fails here until
# it is done. A start of ynl takes seconds without KVM, so one does as much as it can.
# shellcheck source=selftests/refill/refill.sh
. "$(dirname "$0")/../refill/refill.sh"
require python3 ip rdma
python3 -c 'import yaml' 2>/dev/null || {
	ktap_skip_all "python3-yaml is not here"
	exit "$KSFT_SKIP"
}

here=$(dirname "$0")
spec=$here/srqpool.yaml
heard=$(mktemp)
said=$(mktemp)
replied=$(mktemp)
done_so_far=$(mktemp)

client() { exec python3 "$here/ynl/cli.py" --spec "$spec" --no-schema --output-json "$@"; }
# What it prints is in $said, the reply, its last line, in $replied.
ynl() {
	(client "$@" >"$said")
	status=$?
	cat "$said"
	tail -n 1 "$said" >"$replied"
	return $status
}

# from_spec FILTER ARGUMENT...: what gojq finds in the spec.
from_spec() {
	filter=$1
	shift
	gojq --yaml-input -c "$@" "$filter" "$spec"
}

# listed OP HOW PART: the attributes that the spec has there.
listed() {
	# shellcheck disable=SC2016 # the variables are gojq's
	from_spec 'first(.operations.list[] | select(.name == $op)) | .[$how][$part].attributes // []' \
		--arg op "$1" --arg how "$2" --arg part "$3"
}

# all_of LIST OBJECT, within LIST OBJECT: its keys are the list, or some of it.
# shellcheck disable=SC2016 # the variables are gojq's
all_of() { gojq -en --argjson l "$1" --argjson o "$2" '($o | keys) == ($l | sort)'; }
# shellcheck disable=SC2016 # the variables are gojq's
within() { gojq -en --argjson l "$1" --argjson o "$2" '($o // {} | keys) - $l == []'; }

# asked OP JSON, told OP JSON: a do is asked with all it can be asked with, and tells no more than
# the spec says.
asked() {
	all_of "$(listed "$1" "do" request)" "$2" && return
	echo "$1 was asked with $2, the spec has $(listed "$1" "do" request)"
	return 1
}
told() {
	within "$(listed "$1" "do" reply)" "$2" && return
	echo "$1 told $2, the spec has $(listed "$1" "do" reply)"
	return 1
}

# dos [OP JSON]...: all of them in one process; reply N is then the Nth's, from 0.
dos() {
	count=$#
	ops=
	while [ "$count" -gt 0 ]; do
		asked "$1" "$2" || return
		ops="$ops $1"
		set -- "$@" --multi "$1" "$2"
		shift 2
		count=$((count - 2))
	done
	ynl "$@" || return
	place=0
	for op in $ops; do
		reply=$(reply $place .) && told "$op" "$reply" || return
		echo "$op do" >>"$done_so_far"
		place=$((place + 1))
	done
}
reply() { gojq -c ".[$1] | $2" "$replied"; }
is_so() { gojq -e "$1" "$replied"; }

# dump OP REQUEST: it has objects, as the spec says they are.
dump() {
	ynl --dump "$1" --json "$2" || return
	# shellcheck disable=SC2016 # the variables are gojq's
	gojq -e --argjson listed "$(listed "$1" dump reply)" \
		'length > 0 and all(keys - $listed == [])' "$replied" || return
	echo "$1 dump" >>"$done_so_far"
}
# A dump is asked with what its request lists: the pool.
# shellcheck disable=SC2016 # the variables are gojq's
dumps() {
	from_spec '.operations.list[] | select(.dump) | .name,
		(.dump.request.attributes // [] | map({(.): {pool: "p0"}[.]}) | add // {})'
}
all_dumps() {
	dumps | while read -r op && read -r request; do
		dump "$(echo "$op" | tr -d '"')" "$request" >/dev/null || {
			echo "dump $op $request: $(cat "$said")"
			exit 1
		}
	done
}

class='{"name": "4096", "size": 4096, "floor": 64, "ceiling": 4096, "mark-kind": "percent", "mark-value": 25}'
knobs='"name": "p0", "rnr-timer-us": 640, "poll": "hybrid", "quota-policy": "copy", "copybreak": 0'
new="{$knobs, \"dev\": \"rxe0\", \"shards\": 1, \"budget\": 16777216, \"class\": [$class], \"poll-usec\": 20,
	\"refill\": \"watermark\", \"dedicated\": 0, \"quota\": 300, \"reserve\": 0, \"aging\": 0, \"keepalive\": 0}"
set="{$knobs, \"budget\": 33554432, \"class\": [$class], \"poll-usec\": 40, \"quota\": 1000000, \"reserve\": 1,
	\"aging\": 0, \"keepalive\": 60}"
listen='{"pool": "p0", "class": "4096", "addr": "0a070001", "scope-id": 0, "port": 7471,
	"transport": "rc", "mode": "echo", "max-conns": 100}'
name='{"name": "p0"}'
makes() {
	dos dev-get '{"name": "rxe0"}' pool-new "$new" pool-set "$set" pool-reset "$name" \
		pool-get "$name" stats-get "$name" listener-new "$listen"
}
ends() {
	dos listener-get "{\"id\": $listener}" conn-get "{\"id\": $conn}" conn-del "{\"id\": $conn}" \
		listener-del "{\"id\": $listener}" pool-del '{"name": "p0", "force": true}'
}
refuses() {
	ynl --do pool-del --json '{"name": "nobody"}' && return 1
	grep -q 'No such file' "$said" && grep -q "'msg'" "$said" && grep -q "'bad-attr': '.name'" "$said"
}

ktap_print_header
ktap_set_plan 32

check "the test build is loaded" insmod "$SRQPOOL_TEST_KO"
check "a pool is made, changed, shown, and listens" makes
check "it is told of a shallow queue" grep -q "^Netlink warning" "$said"
check "the pool is as it was asked for" is_so '.[4] | .poll == "hybrid" and ."poll-usec" == 40 and
	.keepalive == 60 and .budget == 33554432 and .class[0].ceiling == 4096'
check "the device is shown" is_so '.[0] | .name == "rxe0" and .srq == 1'
check "histograms are lists of numbers" is_so '.[5].hist | length > 0 and
	all(.buckets | length == 64 and all(type == "number"))'
listener=$(reply 6 .id)
srqload $addr 7471 --connections 1 --messages 1 --hold 3600 >/dev/null 2>&1 &
holds=$!
check "one connects" wait_for 60 is 1 conns length
conn=$(conns '.[0].id')
exec 8<>/dev/srqpool
check "everything is dumped" all_dumps
exec 8>&-
check "one of each is shown, and deleted" ends
check "with the address" is_so '.[0] | .addr == "0a070001" and .port == 7471 and .mode == "echo"'
check "and the connection" is_so '.[1] | .state == "up" and ."peer-addr" == "0a070001"'
kill $holds
check "nothing is left" is 0 dev .pools
check "what is refused has words, and the attribute" refuses

# A second subscriber tells this test how far things are.
echo 16777216 >/proc/sys/net/core/rmem_default
watch
client --subscribe events --sleep 60 >"$heard" 2>&1 &
ynl=$!
# It reads what it has when its sleep is over, and does not go on before this test says so.
queued() { awk -v pid=$ynl '$2 == 16 && $3 == pid { print $5 }' /proc/net/netlink; }
hears_one() { load 7471 --messages 1 && [ "$(queued)" -gt 0 ]; }
hears() { wait_for 120 above -1 queued && wait_for 60 hears_one; }
add 4096:64-4096@25% --shards 1 --budget 1M --aging 0 >/dev/null 2>&1
check "it hears events" hears
kill -STOP $ynl

# greedy N: one that sends N messages and takes no echo.
greedy() {
	"$peer" $addr 7471 1 "$1" 1024 -1 >/dev/null 2>&1 &
	echo $! >>"$holders"
}
for _ in 1 2 3 4; do greedy 400; done
for event in low grown starved budget-hit; do
	check "$event" wait_for 60 seen $event
done
release
check "recovered" wait_for 60 seen recovered
srqctl pool set p0 --aging 1
check "shrunk" wait_for 60 seen shrunk
srqctl pool set p0 --aging 0 --budget 16M --quota 16 --quota-policy disconnect
greedy 100
check "quota-hit" wait_for 60 seen quota-hit
srqctl pool set p0 --quota 1000000
fault modify 1
greedy 400
check "error" wait_for 60 seen error
release
rdma link delete rxe0
check "dev-gone" wait_for 60 seen dev-gone
rdma link add rxe0 type rxe netdev dummy0
check "dev-back" wait_for 60 seen dev-back
srqctl pool del p0 --force

add 65536:16-16@25% --shards 1 --budget 4M >/dev/null 2>&1
degrades() {
	die && overtaken && stay && leave
	seen degraded
}
stay >/dev/null
check "degraded" wait_for 120 degrades
srqctl pool del p0 --force
# The last of p0, after which nothing comes.
check "conn-up and conn-down" wait_for 30 eval 'seen conn-up && seen conn-down'
kill "$monitor"

kill -CONT $ynl
wait $ynl
check "ynl ends" [ $? = 0 ]
# shellcheck disable=SC2016 # the variables are gojq's
heard_each() {
	from_spec '.definitions[] | select(.name == "event-type").entries[].name' -r | sort >"$said"
	gojq -r 'map(.msg.type) | unique[]' "$heard" | sort | diff "$said" -
}
# shellcheck disable=SC2016 # the variables are gojq's
heard_right() {
	gojq -e --argjson listed "$(from_spec '.operations.list[] | select(.event).event.attributes')" \
		'all(.name == "event-ntf" and (.msg | keys - $listed == []))' "$heard"
}
check "it heard each event of the spec" heard_each
check "as the spec says they are" heard_right
check "and missed none" gojq -e 'map(.msg.seq) | . == [range(.[0]; .[0] + length)]' "$heard"
echo "event-ntf event" >>"$done_so_far"

# What the spec has, and what was done.
of_spec() {
	# shellcheck disable=SC2016 # the variables are gojq's
	from_spec '.operations.list[] | .name as $name | keys[] |
		select(. == "do" or . == "dump" or . == "event" or . == "notify") | "\($name) \(.)"' -r
}
everything() {
	of_spec | sort >"$said"
	sort -u "$done_so_far" | diff "$said" -
}
check "every operation of the spec was done" everything
check "the module goes" rmmod srqpool

ktap_finished
