#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# kernels: 6.12
# What is saved, deleted and applied is the same again: every knob away from its default, classes
# that each have their own quota, listeners of each mode and of both families of addresses.
# shellcheck source=selftests/pool.sh
. "$(dirname "$0")/../pool.sh"

ktap_print_header
ktap_set_plan 20

saved=$(mktemp)
again=$(mktemp)
report=$(mktemp)

# Beside what save has: all that does not say how things stand.
settings() {
	srqctl -j pool show | gojq -c 'map(del(.id, .state, .pinned, .conns, .arena)
		| .classes |= map({name, size, floor, ceiling, mark_spec}))'
}
listeners() { srqctl -j listen show | gojq -c "map(del(.id, .conns)) | sort_by(.port)"; }
ids() { srqctl -j pool show | gojq -c 'map(.id)' && srqctl -j listen show | gojq -c 'map(.id)'; }
counters() { srqctl -j pool stats | gojq -c 'map({name, rx_msgs, tx_msgs, rx_bytes})'; }
results() { gojq -r "map(.result) | unique | join(\" \")" "$report"; }

delete_all() {
	for name in $(srqctl -j pool show | gojq -r '.[].name'); do
		srqctl pool del "$name" --force || return
	done
}

ip -6 address add fd00:7::1/64 dev dummy0 nodad
srqctl pool add plain --dev "$rdma_dev"
srqctl pool add knobs --dev "$rdma_dev" --shards 1 --poll hybrid:70 --budget 300M --rnr-timer 960 \
	--quota 33 --quota-policy disconnect --reserve 11 --copybreak 300 --aging 7 --keepalive 9 \
	--class small=512:256-2048@20% --class 65536:130-260@100 --class 1K:128-256@auto
srqctl pool add baseline --dev "$rdma_dev" --class 4096:256 --refill immediate --poll busy
srqctl pool add own --dev "$rdma_dev" --dedicated 32 --poll event
srqctl pool add classes --dev "$rdma_dev" --class 4096:1024-4096 --class big=64K:32-64
srqctl listen add plain --addr $addr --port 7471 --mode echo
srqctl listen add plain --addr fd00:7::1 --port 7472 --mode sink --max-conns 10
srqctl listen add knobs --addr $addr --port 7473 --mode deliver --class 65536
srqctl listen add classes --addr fd00:7::1 --port 7474 --mode echo --class big
pools() { srqctl -j pool show | gojq length; }
check "five pools are there" is 5 pools
load 7471 --connections 10 --messages 20

knobs_of() { srqctl save "$1" | gojq -c '.pools[0] | del(.name, .dev, .shards, .classes, .listeners)'; }
# The knobs in which two pools do not differ.
same_knobs() {
	printf '[%s,%s]' "$(knobs_of "$1")" "$(knobs_of "$2")" |
		gojq -r 'map(to_entries) | .[0] - (.[0] - .[1]) | map(.key) | join(" ")'
}
check "the knobs that can be are away from their defaults" is "refill dedicated" same_knobs plain knobs
saved_of() { srqctl save "$1" | gojq -r ".pools[0]$2"; }
check "what each class has its own of is saved as such" is "auto auto" saved_of classes \
	'| "\(.quota) \(.reserve)"'
check "one number is saved as one" is 512 saved_of plain .quota
check "a single pool can be saved" is 1 saved_of knobs '| 1'

check "all is saved" sh -c "srqctl save >$saved"
check "in one line, too" sh -c "srqctl -j save | gojq -S . >$again; gojq -S . $saved | cmp - $again"
before=$(settings) listening=$(listeners)
check "all is deleted" delete_all
check "and nothing is pinned" is 0 dev .pinned
check "all is applied" sh -c "srqctl -j apply - <$saved >$report"
check "which added each" is added results
check "it is saved the same" sh -c "srqctl save >$again; cmp $saved $again"
check "the pools are the same" is "$before" settings
check "so are the listeners" is "$listening" listeners

load 7471 --connections 10 --messages 20 --verify
check "which work" is 200 gojq .received "$load_out"
were=$(ids) counted=$(counters)
check "it is applied again" sh -c "srqctl -j apply $saved >$report"
check "which changes nothing" is unchanged results
check "these are the same pools and listeners" is "$were" ids
check "with what they counted" is "$counted" counters
check "there is no difference" is '[]' srqctl -j diff "$saved"
delete_all
ip -6 address del fd00:7::1/64 dev dummy0

ktap_finished
