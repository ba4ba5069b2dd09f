#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Every JSON value in the transcripts is as Documentation/srqctl.schema.json says, and would not be
# with a key more or less:  schema_test.sh SCHEMA TRANSCRIPTS
# Exits with 77, skipped, without python3-jsonschema and jq.
set -eu
validator=/usr/bin/jsonschema
if [ ! -x "$validator" ] || ! command -v jq >/dev/null; then
	echo "jsonschema (python3-jsonschema) or jq is not here"
	exit 77
fi
schema=$1
transcripts=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
# Described before srqctl has the command.
later=save

# The definition that the output of a command has: pool_show, events. `any` is one of all.
# shellcheck disable=SC2016 # for awk
split='
function definition(line,   words, n, i, object, command) {
	n = split(line, words, " ")
	object = command = ""
	for (i = 3; i <= n; i++) {
		if (words[i] == "-b" || words[i] == "--batch")
			return "any"
		if (words[i] == "-c" || words[i] == "--color")
			i++
		else if (words[i] !~ /^-/ && object == "")
			object = words[i]
		else if (words[i] !~ /^-/ && command == "")
			command = words[i]
	}
	if (object == "")
		return "version"
	if (object !~ /^(dev|pool|queue|listen|conn)$/)
		return object
	if (command == "stats" && line ~ / --interval /)
		return "pool_rates"
	return object "_" (command == "" ? "show" : command)
}
function value(name, text,   file) {
	file = dir "/" name "." ++count
	print text >file
	close(file)
}
function flush() {
	if (open != "")
		value(name, open)
	open = ""
}
/^[$@#!?] / { flush(); name = "" }
/^\$ srqctl / && !/ --format (hex|raw)/ { name = definition($0) }
name == "" { next }
open != "" { open = open "\n" $0; next }
/^[[{]$/ { open = $0; next }
/^\{"error":/ { value("error", $0); next }
/^[[{]/ { value(name, $0) }
END { flush() }
'
mkdir "$work/value"
awk -v dir="$work/value" "$split" "$transcripts"/*.txt

# What a value must not be: without one of its keys, or with another one. Those of counters by
# name come and go, and one counter is not there if the device does not count it.
# shellcheck disable=SC2016 # for jq
wrong='. as $value
	| [paths(type == "object")], [[]] | .[] as $at | $value | getpath($at) | select(type == "object")
	| (keys[] | select(. != "rnr_naks" and ($at[-1] | . != "wc_errors" and . != "hist"))
		as $key | $value | delpaths([$at + [$key]])),
	  ($value | setpath($at + ["another"]; 1))'

# validate DEFINITION OPTION... -i VALUE...
validate() {
	definition=$1
	shift
	if [ "$definition" = any ]; then
		jq . "$schema"
	else
		jq --arg ref "#/\$defs/$definition" 'del(.anyOf) | .["$ref"] = $ref' "$schema"
	fi >"$work/schema"
	"$validator" "$@" "$work/schema"
}

# check DEFINITION VALUE...
check() {
	definition=$1
	shift
	[ "$definition" = any ] || jq -e --arg name "$definition" '."$defs"[$name]' "$schema" >/dev/null || {
		echo "$schema has no definition $definition, but a transcript has such an output"
		return 1
	}
	instances=
	for file; do instances="$instances -i $file"; done
	# shellcheck disable=SC2086 # names without blanks
	validate "$definition" -F '{error.message} in {error.instance}
' $instances || return 1

	mkdir "$work/wrong"
	jq -c "$wrong" "$@" | sort -u | split -l 1 -a 4 - "$work/wrong/"
	instances=
	for file in "$work"/wrong/*; do [ ! -e "$file" ] || instances="$instances -i $file"; done
	# shellcheck disable=SC2086
	accepted=$([ "$definition" = any ] || [ -z "$instances" ] ||
		validate "$definition" -o pretty $instances 2>/dev/null | sed -n 's/^===\[SUCCESS\]===(\(.*\))===$/\1/p')
	# shellcheck disable=SC2086
	[ -z "$accepted" ] || {
		echo "$definition: it takes what is not so:"
		cat $accepted
		return 1
	}
	echo "$definition: $# values, $(find "$work/wrong" -type f | wc -l) wrong ones refused"
	rm -r "$work/wrong"
}

jq -e . "$schema" >/dev/null
for definition in $(find "$work/value" -type f -printf '%f\n' | sed 's/\.[0-9]*$//' | sort -u); do
	check "$definition" "$work/value/$definition".* || failed=1
	rm -rf "$work/wrong"
done
# Each that a command prints is in a transcript.
for definition in $(jq -r '.anyOf[]["$ref"] | sub(".*/"; "")' "$schema"); do
	[ -z "$(find "$work/value" -name "$definition.*" -print -quit)" ] || continue
	echo "$definition: in no transcript"
	case " $later " in *" $definition "*) ;; *) failed=1 ;; esac
done
exit "$failed"
