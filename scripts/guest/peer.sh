# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh disable=SC2154 # port
# How the two guests of --peer talk: lines over a port between them, commands and what they print
# in a directory that both share. Sourced by guest/main.

# A port can be opened only once: one process sends, what is written to this pipe.
open_peer_port() {
	mkdir -p /run/vm/share /run/vm/peer
	mount -t 9p -o trans=virtio,version=9p2000.L,msize=512000,cache=none peer /run/vm/share &&
		mkfifo /run/vm/peer/send && find_port peer && exec 8<>"$port" || return
	cat <>/run/vm/peer/send >&8 &
}

# In the second guest: runs what the first asks for, until it is told to die.
serve_main() {
	need open_peer_port
	echo ready >/run/vm/peer/send
	while read -r word id <&8; do
		[ "$word" = run ] || poweroff_now
		(
			exec 8>&- 9>&-
			dir=/run/vm/share/$id
			setsid -w sh "$dir/command" </dev/null >"$dir/stdout" 2>"$dir/stderr"
			echo $? >"$dir/status"
			echo "done $id" >/run/vm/peer/send
		) &
	done
}

# In the first guest: waits for the second, and wakes each on-peer when its command has ended.
meet_peer() {
	need open_peer_port
	(
		exec 9>&-
		while read -r word id <&8; do
			case $word in
			ready) : >/run/vm/peer/ready ;;
			done) [ ! -p "/run/vm/peer/$id" ] || echo "done" 1<>"/run/vm/peer/$id" ;;
			esac
		done
		: >/run/vm/peer/gone
		while :; do
			for waiting in /run/vm/peer/??????????; do
				[ ! -p "$waiting" ] || echo gone 1<>"$waiting"
			done
			sleep 0.5
		done
	) &
	for _ in $(seq 1200); do
		[ ! -e /run/vm/peer/gone ] || return 1
		[ ! -e /run/vm/peer/ready ] || return 0
		sleep 0.1
	done
	return 1
}
