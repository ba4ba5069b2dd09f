#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# kernels: 6.1 6.12 newest siw
# srqctl selftest tries a device, says what fails, and leaves nothing behind whatever that is.
# shellcheck source=selftests/pool.sh
. "$(dirname "$0")/../pool.sh"
require rdma setpriv

ktap_print_header
ktap_set_plan 21

said=$(mktemp)
other=selftest9

# Nothing of it is left: no pool, listener, connection, byte or reference.
references() { cat /sys/module/srqpool/refcnt; }
references_before=$(references)
nothing_left() {
	is '[]' srqctl -j pool show && is '[]' srqctl -j listen show && is '[]' srqctl -j conn show &&
		is 0 dev .pinned && is "$references_before" references
}

tried() { srqctl -j selftest "$rdma_dev" >"$said"; }
check "the device passes" tried
check "with every step" gojq -es 'map(.step) ==
	["address", "create", "post", "connect", "loop", "limit", "drain", "destroy"]' "$said"
check "that took its time" gojq -es 'all(.state == "ok" and .took_ns > 0)' "$said"
check "and saw the limit event" gojq -es 'any(.step == "limit" and (.text | test("^[1-9]")))' "$said"
check "nothing is left" nothing_left
check "people can read it" sh -c "srqctl selftest $rdma_dev | grep -q '^loop  ok  .*4096 bytes came back'"

check "a device that is not there" refused 3 "there is no RDMA device nonesuch" srqctl selftest nonesuch
check "without the right to change pools" refused 1 "create: CAP_NET_ADMIN is needed" \
	setpriv --bounding-set -net_admin --inh-caps -net_admin srqctl selftest "$rdma_dev"
check "nothing is left" nothing_left

# The name is made of the number of the process, which exec keeps.
taken() {
	# shellcheck disable=SC2016 # for the inner shell
	sh -c 'srqctl pool add "selftest-$$" --dev "$0" --class 4096:128 && exec srqctl selftest "$0"' "$rdma_dev"
}
check "a name that is taken" refused 1 "create: pool selftest-" taken
left=$(srqctl -j pool show | gojq -r '.[].name')
check "whose pool stays" test "$(pool "$left" .state)" = active
srqctl pool del "$left"

ip link add $other type dummy
ip link set $other addrgenmode none
ip link set $other up
rdma link add ${other}r type "${rdma_dev%[0-9]}" netdev $other
check "a device without an address" refused 1 "address: no address of this machine is one of ${other}r" \
	srqctl selftest ${other}r
ip address add 10.9.0.1/24 dev $other
check "and with one" srqctl selftest ${other}r
rdma link delete ${other}r
ip link delete $other

# Ctrl-C in the middle, sooner or later. A shell has what it runs in the background ignore it.
interrupted() {
	env --default-signal=INT srqctl -j selftest "$rdma_dev" >"$said" 2>&1 &
	while kill -0 $! && ! grep -q create "$said"; do :; done
	kill -INT $!
	wait $!
	grep -q '{"error":"[a-z]*: .*interrupted' "$said" && grep -q '"step":"destroy","state":"ok"' "$said"
}
check "it can be interrupted" wait_for 60 interrupted
check "nothing is left" nothing_left

rmmod srqpool
check "without the module" refused 1 "the kernel module srqpool is not loaded" srqctl selftest "$rdma_dev"

# The device raises limit events, and the module never hears of them.
insmod "$SRQPOOL_TEST_KO"
mountpoint -q /sys/kernel/debug || mount -t debugfs none /sys/kernel/debug
echo 1000000 >/sys/kernel/debug/srqpool_fault/event_swallow
references_before=$(references)
check "a device whose limit events are lost" refused 1 "limit: no limit event within 10 s" \
	srqctl selftest "$rdma_dev"
check "nothing is left" nothing_left
echo 0 >/sys/kernel/debug/srqpool_fault/event_swallow
check "when they come again" srqctl selftest "$rdma_dev"
check "the module goes" wait_for 10 rmmod srqpool
check "and comes back" insmod "$SRQPOOL_KO"

ktap_finished
