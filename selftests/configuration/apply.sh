#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# kernels: 6.12
# A file that is applied changes what differs, under traffic; what cannot be done changes nothing.
# shellcheck source=selftests/pool.sh
. "$(dirname "$0")/../pool.sh"

ktap_print_header
ktap_set_plan 41

file=$(mktemp)
report=$(mktemp)
state=$(mktemp)

# edited FILTER: what there is, changed by gojq, in $file.
edited() { srqctl save | gojq "$1" >"$file"; }

# told FILTER: what gojq finds in the last report.
told() { gojq -r "$1" "$report"; }

apply() { srqctl -j apply "$@" "$file" >"$report"; }

all() {
	srqctl save
	srqctl -j pool show | gojq -c 'map(.id)'
	srqctl -j listen show | gojq -c 'map([.id, .conns])'
}

# stays STATUS TEXT: applying $file is refused with words, and changes nothing.
stays() {
	all >"$state"
	check "refused: $2" refused "$1" "$2" srqctl apply "$file"
	check "which changes nothing" sh -c "cmp $state -" <<-END
		$(all)
	END
}

srqctl pool add p0 --dev "$rdma_dev" --class 4096:128-1024@25% --class big=64K:16-32
srqctl listen add p0 --addr $addr --port 7471 --mode echo
srqctl pool add p1 --dev "$rdma_dev" --class 4096:128
srqctl listen add p1 --addr $addr --port 7481
id=$(pool p0 .id) listener=$(srqctl -j listen show | gojq '.[0].id')

# Under traffic.
srqload $addr 7471 --connections 50 --messages 400 --burst 4 --verify -j >"$load_out" &
traffic=$!
check "traffic is under way" wait_for 30 above 100 stats p0 .rx_msgs
edited '.pools[0] |= (.quota = 40 | .aging = 5 | .classes[0].mark_spec = "50%")'
check "three knobs differ" sh -c "srqctl diff $file | grep -q 'quota.*aging.*mark_spec'"
check "a dry run says so" apply --dry-run
check "and changes nothing" is 60 pool p0 .aging
check "it is applied" apply
check "one pool changed, all else did not" is "changed unchanged unchanged unchanged" told \
	'map(.result) | join(" ")'
check "in three knobs" is "quota aging mark_spec" told '.[0].changes | map(.key) | join(" ")'
check "it has them" is "40 5 50%" pool p0 '| "\(.quota) \(.aging) \(.classes[0].mark_spec)"'
check "it is the same pool" is "$id" pool p0 .id
wait $traffic
check "traffic goes on to its end" is 0 echo $?
check "and nothing of it is lost" is 20000 gojq .received "$load_out"

# Listeners.
edited '.pools[0].listeners += [{"addr": "10.7.0.1", "port": 7472, "class": "big"}]'
check "a listener is added" apply
check "the other stays" is "$listener" sh -c 'srqctl -j listen show | gojq ".[0].id"'
edited '.pools[0].listeners[1].mode = "echo"'
check "one that differs is replaced" apply
check "which is told" is "mode sink -> echo" told '.[2].text'
edited '.pools[0].listeners |= .[1:] | .pools[1].listeners[0].port = 7471'
check "what one pool gives up another can have" apply
ports() { srqctl -j listen show | gojq -c 'map({key: .pool, value: .port}) | sort_by(.key)
	| map("\(.key):\(.value)")'; }
check "so it is" is '["p0:7472","p1:7471"]' ports

# What is refused before anything is done.
edited '.pools[0] |= (.quota = 50 | .shards = 3)'
stays 1 "shards"
edited '.pools[1].quota = 50 | .pools[0].refill = "immediate"'
stays 1 "refill watermark -> immediate"
edited '.pools[1].quota = 50 | .pools[0].classes |= .[1:] | .pools[0].listeners = []'
stays 1 "class 4096 size 4096 -> none"
edited '.pools[1].quota = 50 | .pools[0].colour = "red"'
stays 2 "pools[0].colour: unknown key"
edited '.pools[1].quota = 50 | .pools[0].quota = -1'
stays 2 "pools[0].quota"

# What the kernel refuses.
edited '.pools += [.pools[0] | .name = "p2" | .listeners[0] |= (.addr = "10.9.9.9" | .port = 7490)]'
stays 1 "is not an address"
edited '.pools[0] |= (.quota = 60 | .budget = 65536)'
stays 1 "bytes"
edited '.pools += [.pools[0] | .name = "p2" | .dev = "nosuch" | .listeners = []]'
stays 3 "no RDMA device nosuch"
listener_now() { srqctl -j listen show | gojq -c 'map(select(.port == 7472) | del(.id))'; }
was=$(listener_now)
edited '.pools[0].listeners[0].max_conns = 2000000'
check "a listener that cannot be replaced" refused 1 "it listens as before again" \
	srqctl apply "$file"
check "is as it was" is "$was" listener_now
check "an unprivileged user may not" sh -c "chmod 644 $file; gojq '.pools[0].quota = 70' $file |
	setpriv --reuid 65534 --regid 65534 --clear-groups srqctl apply - 2>&1 | grep -q CAP_NET_ADMIN"
check "but may save" setpriv --reuid 65534 --regid 65534 --clear-groups srqctl save
check "and nothing changed by that" is 40 pool p0 .quota

check "every buffer is back" wait_for 10 at_rest p0
check "all that is left is deleted" sh -c 'srqctl pool del p0 --force; srqctl pool del p1 --force'
check "and nothing is pinned" is 0 dev .pinned

ktap_finished
