#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# kernels: 6.12 newest
# vm: --bare
# The network interface goes down, loses its address, fails over to another, under a listener.
# shellcheck source=selftests/pool.sh
. "$(dirname "$0")/../pool.sh"
require ip rdma

ktap_print_header
ktap_set_plan 22

serve() {
	srqctl pool add p0 --dev "$1" --class 4096:128-512@25% --keepalive 2 &&
		srqctl listen add p0 --addr "$2" --port 7471 --mode echo
}
served() { srqload "$1" 7471 --connections 8 --messages 20 --verify; }
# start ADDR: 20 clients; then started.
start() {
	srqload "$1" 7471 --connections 20 --messages 1 --hold 600 >/dev/null 2>&1 &
	client=$!
}
started() { is 20 conns 'map(select(.tx_msgs == 1)) | length'; }
end_clients() {
	kill -9 $client
	wait $client 2>/dev/null
	true
}
nobody() { is 0 conns length; }

check "the module is loaded" insmod "$SRQPOOL_KO"
check "a pool serves" serve rxe0 $addr
# rxe's own loopback goes on without it; dead_peer.sh has it go down under others.
check "the interface goes down" ip link set dummy0 down
check "the pool stays" is active pool p0 .state
check "the interface comes up" ip link set dummy0 up
check "it serves" wait_for 10 served $addr

start $addr
check "20 are connected" wait_for 30 started
check "the address is taken away" ip address del $addr/24 dev dummy0
end_clients
check "they are killed and gone" wait_for 30 nobody
check "the device goes" rdma link delete rxe0
check "the pool is detached" is detached pool p0 .state
check "the device comes back without the address" rdma link add rxe0 type rxe netdev dummy0
check "the pool is active again" wait_for 10 is active pool p0 .state
check "the address comes back" ip address add $addr/24 dev dummy0
check "the listener finds it, and serves" wait_for 20 served $addr
srqctl pool del p0 --force

# An address moves to another port, as a bond fails over.
bond() {
	ip link add dummy1 type dummy &&
		ip link add dummy2 type dummy &&
		ip link add bond0 type bond mode active-backup fail_over_mac active miimon 100 &&
		ip link set dummy1 master bond0 && ip link set dummy2 master bond0 &&
		ip link set bond0 up && ip address add 10.9.0.1/24 dev bond0 &&
		rdma link add rxe1 type rxe netdev bond0 && wait_for 10 ip -brief link show up bond0
}
if modprobe bonding max_bonds=0 2>/dev/null; then
	check "a bond has a device" bond
	check "a pool serves on it" serve rxe1 10.9.0.1
	start 10.9.0.1
	check "20 are connected there" wait_for 30 started
	active=$(cat /sys/class/net/bond0/bonding/active_slave)
	other=dummy1
	[ "$active" = dummy2 ] || other=dummy2
	check "it fails over" ip link set bond0 type bond active_slave $other
	check "its connections are closed there" wait_for 30 nobody
	end_clients
	check "its listener serves on the other" wait_for 20 served 10.9.0.1
else
	for what in "a bond has a device" "a pool serves on it" "20 are connected there" \
		"it fails over" "its connections are closed there" "its listener serves on the other"; do
		ktap_test_skip "$what (no bonding module)"
	done
fi
srqctl pool del p0 --force 2>/dev/null
check "the module goes" rmmod srqpool

ktap_finished
