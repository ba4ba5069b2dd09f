#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# kernels: 6.12 debug
# Everything that can come and go does so at random, in an order that follows from one number:
# SEED=N runs one again, STEPS=N says how long.
# shellcheck source=selftests/pool.sh
. "$(dirname "$0")/../pool.sh"
require rdma

reader=$(dirname "$0")/../deliver/reader
peer=$(dirname "$0")/../fairness/peer
steps=${STEPS:-50}
[ "$slowness" = 1 ] || steps=${STEPS:-25}
seed=${SEED:-$(date +%s)}
work=$(mktemp -d)
# When each step began.
steps_log=${VM_OUT:-$work}/churn.steps
most_clients=3
most_readers=3

# plan_steps: verb, pool, and two numbers.
plan_steps() {
	awk -v seed="$seed" -v steps="$steps" '
		function random(n) { x = x * 16807 % 2147483647; return x % n }
		BEGIN {
			n = split("add add add del listen listen listen unlisten " \
				"load load load load flood kill_client kill_client " \
				"kill_conn kill_conn set set look look look " \
				"read read receive kill_reader reset device", verbs)
			x = seed % 2147483646 + 1
			for (i = 0; i < 8; i++)
				random(2)
			while (steps-- > 0)
				print verbs[random(n) + 1], "p" random(3), random(1000), \
					random(1000)
		}'
}

# run COMMAND...: it is done, or refused, but it does not hang and is not killed.
run() {
	timeout 120 "$@" >"$work/said" 2>&1
	status=$?
	case $status in
	0 | 1 | 3 | 4) return 0 ;;
	esac
	echo "exit $status: $*"
	cat "$work/said"
	return 1
}

# nth N: of the lines of standard input, one.
nth() { awk -v n="$1" '{ line[NR] = $0 } END { if (NR) print line[n % NR + 1] }'; }

# Processes are files in $work/clients and $work/readers.
started() { : >"$work/$1/$!"; }
number_of() { find "$work/$1" -type f | wc -l; }
any_of() { find "$work/$1" -type f -printf '%f\n' | sort -n | nth "$2"; }
# end KIND PID: a number can be another's by now.
end() {
	! grep -qs "^PPid:.$$\$" "/proc/$2/status" || kill -9 "$2"
	wait "$2"
	rm "$work/$1/$2"
}
end_any() {
	victim=$(any_of "$1" "$2")
	[ -z "$victim" ] || end "$1" "$victim"
}
end_all() {
	while [ "$(number_of "$1")" -gt 0 ]; do end_any "$1" 0; done
}
make_room() {
	[ "$(number_of "$1")" -lt "$2" ] || end_any "$1" 0
}

a_port() { echo $((7480 + $1 % 12)); }

do_add() {
	poll=$(echo 'auto event auto event auto event busy hybrid:100' | tr ' ' '\n' | nth "$3")
	set -- "$1" $(($2 % 4))
	case $2 in
	0) set -- "$1" --class 4096:64-512@25% ;;
	1) set -- "$1" --class 4096:64-1024@50% --class big=64K:16-32@4 --shards 2 ;;
	2) set -- "$1" --class 4096:16 --shards 1 --copybreak 0 --quota 8 ;;
	3) set -- "$1" --class 4096:128-256@auto --aging 1 --budget 4M ;;
	esac
	run srqctl pool add "$@" --dev rxe0 --poll "$poll"
}
do_del() { run srqctl pool del "$1" --force; }
do_listen() {
	run srqctl listen add "$1" --addr $addr --port "$(a_port "$3")" \
		--mode "$(echo 'echo sink deliver' | tr ' ' '\n' | nth "$2")" --max-conns 64
}
do_unlisten() {
	listener=$(srqctl -j listen show | gojq -r '.[].id' | nth "$2")
	[ -z "$listener" ] || run srqctl listen del "$listener"
}
do_load() {
	make_room clients $most_clients
	srqload "$addr" "$(a_port "$3")" --connections $(($2 % 16 + 1)) \
		--messages $(($3 % 200 + 1)) --burst $(($2 % 8 + 1)) --size $sizes >/dev/null 2>&1 &
	started clients
}
do_flood() {
	make_room clients $most_clients
	"$peer" "$addr" "$(a_port "$3")" $(($2 % 4 + 1)) 0 1024 -1 >/dev/null 2>&1 &
	started clients
}
do_kill_client() { end_any clients "$2"; }
do_kill_conn() {
	conn=$(srqctl -j conn show | gojq -r '.[].id' | nth "$2")
	[ -z "$conn" ] || run srqctl conn kill "$conn"
}
do_set() { run srqctl pool set "$1" --class 4096:16-512@$(($2 % 101))% --aging $(($3 % 60 + 1)); }
do_look() {
	what=$(echo 'conn pool queue listen dev' | tr ' ' '\n' | nth "$2")
	run srqctl -j "$what" show && run srqctl -j pool stats
}
do_read() {
	make_room readers $most_readers
	mode=$(echo 'echo sink hold' | tr ' ' '\n' | nth "$2")
	if [ $(($3 % 2)) = 0 ]; then
		"$reader" -r64 "$1" "$mode" >/dev/null 2>&1 &
	else
		"$reader" "$1" "$mode" >/dev/null 2>&1 &
	fi
	started readers
}
do_receive() {
	make_room readers $most_readers
	srqctl recv "$1" >/dev/null 2>&1 &
	started readers
}
do_kill_reader() { end_any readers "$2"; }
do_reset() { run srqctl pool reset "$1"; }
# rxe of 6.12 has a use after free of its own when a device is deleted under user-space QPs.
do_device() {
	end_all clients
	rdma link delete rxe0 && rdma link add rxe0 type rxe netdev dummy0
}

churn() {
	step=0
	while read -r verb name a b; do
		step=$((step + 1))
		echo "$(date +%s%3N) $step $verb $name $a $b" >>"$steps_log"
		"do_$verb" "$name" "$a" "$b" </dev/null || {
			echo "step $step of seed $seed: $verb $name $a $b"
			return 1
		}
	done <"$work/plan"
}
# shellcheck disable=SC2154 # set below
churned() {
	tail -n 20 "$work/log"
	return "$result"
}
clear_all() {
	for name in $(srqctl -j pool show | gojq -r '.[].name'); do
		run srqctl pool del "$name" --force || return
	done
}
all_gone() { is "0 0 0" dev '| "\(.pools) \(.conns) \(.pinned)"'; }
served() {
	srqctl pool add p0 --dev rxe0 --class 4096:64-1024@25% &&
		srqctl listen add p0 --addr $addr --port 7471 --mode echo &&
		load 7471 --connections 20 --messages 50 --burst 8 --size $sizes --verify
}

ktap_print_header
ktap_set_plan 7
mkdir "$work/clients" "$work/readers"
plan_steps >"$work/plan"
ktap_print_msg "$steps steps of SEED=$seed"
began=$(date +%s)
churn >"$work/log" 2>&1
result=$?
end_all clients 2>/dev/null
end_all readers 2>/dev/null
mix=$(cut -d ' ' -f 1 "$work/plan" | sort | uniq -c | tr -s ' \n' ' ')
ktap_print_msg "in $(($(date +%s) - began)) s: $mix"
check "each of $steps steps of seed $seed is done or refused" churned
check "the pools that are left are deleted" clear_all
check "nothing is left on the device" all_gone
check "nothing refers to the module" wait_for 5 is 0 cat /sys/module/srqpool/refcnt
check "a normal load is served" served
check "every buffer is accounted for" wait_for 10 balanced p0
check "and that pool is deleted" srqctl pool del p0 --force

ktap_finished
