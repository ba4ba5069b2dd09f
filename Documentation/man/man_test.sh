#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The man pages against the tool's help: man_test.sh SRQCTL. Each command is in a page, with every
# option of it and every word that its value can be, and no page describes an option that is not
# there.
set -u
srqctl=$1
pages=$(cd "$(dirname "$0")" && pwd)

page_of() { # OBJECT
	case $1 in
	events) echo "$pages/srqctl-monitor.8.rst" ;;
	save | apply | diff) echo "$pages/srqctl-config.8.rst" ;;
	*) echo "$pages/srqctl-$1.8.rst" ;;
	esac
}

# commands [OBJECT]: what its help lists.
commands() { "$srqctl" help "$@" | sed -n '/^Subcommands:/,/^$/s/^  \([a-z]*\) .*/\1/p'; }

# options [OBJECT [COMMAND]]: as its help lists them, with their types, a line each.
options() { "$srqctl" help "$@" | sed -n '/^Options:/,/^$/s/^  \(-[^ ]*\( [^ ]*\)\?\).*/\1/p' |
	sed 's/ \(Needs\|Excludes\):$//'; }

# topics: all that there is help for, a line each.
topics() {
	for object in $(commands); do
		echo "$object"
		commands "$object" | sed "s/^/$object /"
	done
}

# described PAGE: the options that have a paragraph there.
described() { sed -n 's/^\(-[a-zA-Z]\( [A-Z]*\)\?, \)\?\(--[a-z][a-z-]*\).*/\3/p' "$1"; }

# has PAGE WORD: "--poll" is not in "--poll-usec".
has() { grep -qE -- "(^|[^a-z-])$2([^a-z-]|\$)" "$1"; }

# lacks PAGE [OBJECT [COMMAND]]: what of its help is not in the page.
lacks() {
	page=$1
	shift
	options "$@" | while read -r names type; do
		[ "$names" != -h,--help ] || [ $# = 0 ] || continue
		for word in $(echo "$names,$type" | sed 's/[|,]/\n/g' | sed -n 's/^\(-*[a-zA-Z]*[a-z][a-z-]*\|-[a-zA-Z]\).*/\1/p'); do
			has "$page" "$word" || echo "${page##*/} has no $word of srqctl $*"
		done
	done
}

findings() {
	lacks "$pages/srqctl.8.rst"
	topics | while read -r object command; do
		page=$(page_of "$object")
		[ -e "$page" ] || { echo "srqctl $object has no page"; continue; }
		has "$page" "srqctl $object${command:+ $command}" || has "$page" "[*|]$command" ||
			echo "${page##*/} has no srqctl $object $command"
		# shellcheck disable=SC2086 # none, or one
		lacks "$page" "$object" $command
	done
	known=$(topics | while read -r topic; do
		# shellcheck disable=SC2086 # words
		options $topic
	done; options)
	for object in $(commands); do page_of "$object"; done | sort -u | while read -r page; do
		for option in $(described "$page"); do
			echo "$known" | grep -qE -- "(^|,)$option( |\$)" || echo "${page##*/}: there is no $option"
		done
	done
}

[ "$(commands | wc -l)" -ge 7 ] || { echo "srqctl help lists too few objects"; exit 1; }
said=$(findings)
if [ -n "$said" ]; then
	echo "$said"
	exit 1
fi
echo "the man pages and the help agree"
