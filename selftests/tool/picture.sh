#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# What scripts/screenshot runs in the VM: a picture of srqctl top under load, in $VM_OUT/top.svg.
set -e
# shellcheck source=selftests/pool.sh
. "$(dirname "$0")/../pool.sh"
# shellcheck source=selftests/tool/terminal.sh
. "$(dirname "$0")/terminal.sh"

srqctl pool add web --dev rxe0 --class 4096:128-1024@25% --class 64K:32-64@50% --shards 2 \
	--budget 16M --quota 96 --aging 1
srqctl pool add log --dev rxe0 --class 512:128-256
srqctl listen add web --addr "$addr" --port 7471 --mode echo >/dev/null
srqctl listen add web --addr "$addr" --port 7472 --mode sink >/dev/null
term run 30 100 srqctl top --interval 0.5
term see 20 '> web'

# Bursts, quiet between them, and a peer that never takes its echoes.
"$(dirname "$0")/../fairness/peer" "$addr" 7471 1 60 2048 -1 >/dev/null 2>&1 &
for connections in 4 8 16 32; do
	srqload "$addr" 7471 --connections $connections --messages 30 --burst 16 --size 512-4000 \
		>/dev/null || :
done
srqload "$addr" 7471 --connections 24 --messages 100000 --burst 16 --size 512-4000 >/dev/null &
term see 60 'since reset .*[▁▂▃▄▅▆▇█]{40}'
term svg "$VM_OUT/top.svg" "srqctl top in a terminal: levels of two classes, rates, greatest holders"
term frame
term keys q
term end 20 0
