# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# What every script here needs to know; sourced, never run.

# shellcheck disable=SC2034 # for those who source this
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cache=${SRQPOOL_CACHE:-${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/srqpool}
me=${0##*/}

say() { printf '%s: %s\n' "$me" "$*" >&2; }
die() { say "$*"; exit 1; }

as_root() {
	if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo -- "$@"; fi
}

# A kernel's name here is the Debian suite that carries it.
suite_of() {
	case $1 in
	6.1) echo bookworm ;;
	6.12 | debug) echo trixie ;;
	newest) echo sid ;;
	*) return 1 ;;
	esac
}

root_of() { echo "$cache/roots/$(suite_of "$1")"; }

# Where a kernel's boot/ and lib/modules/ are.
kernel_of() {
	if [ "$1" = debug ]; then echo "$cache/debug"; else root_of "$1"; fi
}

# The one kernel version under a directory that kernel_of names.
version_of() {
	local image
	for image in "$1"/boot/vmlinuz-*; do
		[ -e "$image" ] || return 1
		echo "${image##*/vmlinuz-}"
		return
	done
}

# in_root ROOT [HOST_DIR=GUEST_DIR]... -- COMMAND...
# Runs COMMAND in ROOT with /proc and the given directories mounted, in a mount
# namespace of its own, so that nothing stays mounted whatever happens.
in_root() {
	local root=$1 binds=()
	shift
	while [ "$1" != -- ]; do
		binds+=("$1")
		shift
	done
	shift
	# shellcheck disable=SC2016 # expanded by the inner shell
	as_root unshare -m --propagation unchanged sh -ec '
		root=$1 n=$2
		shift 2
		# In a chroot / need not be a mount point; then the root becomes one.
		mount --make-rprivate / 2>/dev/null || {
			mount --bind "$root" "$root"
			mount --make-rprivate "$root"
		}
		mount -t proc proc "$root/proc"
		while [ "$n" -gt 0 ]; do
			mkdir -p "$root${1#*=}"
			mount --bind "${1%%=*}" "$root${1#*=}"
			shift
			n=$((n - 1))
		done
		exec chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin \
			HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"
	' in_root "$root" "${#binds[@]}" "${binds[@]}" "$@"
}
