#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# kernels: 6.12
# Commands from a file, one a line.
# shellcheck source=selftests/pool.sh
. "$(dirname "$0")/../pool.sh"

ktap_print_header
ktap_set_plan 13

file=$(mktemp)
out=$(mktemp)
pools() { srqctl -j pool show | gojq -r 'map(.name) | join(" ")'; }
ports() { srqctl -j listen show | gojq -c 'map(.port)'; }
lines() { wc -l <"$out"; }

cat >"$file" <<-END
	# Twenty commands.
	pool add a --dev $rdma_dev --class "small=512:128-256@20%" --class 64K:16

	pool add b --dev $rdma_dev --class 4096:128
	pool add 'c' --dev $rdma_dev --class 4096:128   # quotes
	pool set a --quota 20
	pool set a --poll busy
	pool set b --aging 0
	pool set c --class 4096:128@50%
	listen add a --addr $addr --port 7471 --mode echo
	listen add a --addr $addr --port 7472 --class 65536
	listen add b --addr $addr --port 7473 --mode deliver
	listen show
	pool show
	pool stats a
	queue show b
	conn show
	dev show $rdma_dev
	pool reset
	pool reset a
	pool del c
	save b
END
check "twenty commands" sh -c "srqctl -j -b $file >$out"
check "a line of JSON for each" is 20 lines
check "each is JSON" is 20 gojq -s length "$out"
check "two of three pools are left" is "a b" pools
check "with their listeners" is '[7471,7472,7473]' ports
check "and their knobs" is "20 busy" pool a '| "\(.quota) \(.poll)"'

cat >"$file" <<-END
	pool set a --quota 21
	pool del nosuch

	listen add a --addr $addr --port 7471
	pool set a --quota 22
END
check "the first that fails ends it, with its exit code" refused 3 "$file:2: there is no pool" \
	srqctl -b "$file"
check "what came before is done" is 21 pool a .quota
check "with --force it goes on" refused 3 "$file:4: " srqctl -b "$file" --force
check "to its end" is 22 pool a .quota
check "it can be read from a pipe" sh -c "echo 'pool set a --quota 23' | srqctl -b -"
check "which is done" is 23 pool a .quota
check "all is deleted" sh -c "printf 'pool del a --force\npool del b --force\n' | srqctl -b -"

ktap_finished
