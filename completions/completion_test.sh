#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Completes command lines in a shell, with a srqctl that answers the same each time and with the
# real one: completion_test.sh bash|zsh|fish SRQCTL. Exits with 4 if the shell is not here.
set -u
shell=$1
srqctl=$(realpath "$2")
scripts=$(cd "$(dirname "$0")" && pwd)
command -v "$shell" >/dev/null || exit 4

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
export ASKED="$dir/asked" LINE='' scripts
cat >"$dir/srqctl" <<'END'
#!/bin/sh
printf '<%s>' "$@" >"$ASKED"
case $* in *nothing*) exit 0 ;; esac
printf 'web\tactive on rxe0\nwebcam\t\nfe80::1%%eth0\tan address\nbig=64:8-8@12%%\tas it is\n--mode=echo\n'
case $* in *file*) echo / ;; esac
END
chmod +x "$dir/srqctl"
failed=0

# candidates LINE: what the shell is offered at its end, sorted; FILES for the names of files.
# shellcheck disable=SC2016 # the variables are the shell's
candidates() {
	LINE=$1
	case $shell in
	bash) bash --norc -c '
		. "$scripts/srqctl.bash"
		compopt() { echo FILES; }
		COMP_LINE=$LINE COMP_POINT=${#LINE} COMP_WORDBREAKS=$'\'' \t\n"<>=;|&(:'\''
		_srqctl srqctl
		[ "${#COMPREPLY[@]}" = 0 ] || printf "%s\n" "${COMPREPLY[@]}"' ;;
	zsh) zsh -f -c '
		_call_program() { shift; eval "$@" }
		_files() { print FILES }
		_describe() {
			local entry
			for entry in "${(@P)2}"; do
				entry=${entry//\\:/$'\''\1'\''}
				print -r -- ${${entry%%:*}//$'\''\1'\''/:}
			done
		}
		fpath=($scripts) words=("${(@f)$(print -rl -- ${(z)LINE})}")
		[[ $LINE != *" " ]] || words+=("")
		CURRENT=$#words
		autoload -U _srqctl
		_srqctl' ;;
	fish) fish --no-config -c '
		source "$scripts/srqctl.fish"
		function __fish_complete_path; echo FILES; end
		complete -C"$LINE"' | sed 's/\t.*//' ;;
	esac | sort
}

# check LINE ARGUMENTS CANDIDATE...: ARGUMENTS is what srqctl is asked, or - if that does not matter.
check() {
	line=$1 asked=$2
	shift 2
	got=$(candidates "$line")
	wanted=$(printf '%s\n' "$@" | sort)
	[ "$asked" != - ] && [ "$(cat "$ASKED")" != "$asked" ] &&
		echo "$shell: '$line': srqctl was asked $(cat "$ASKED"), not $asked" && failed=1
	[ "$got" = "$wanted" ] && return
	failed=1
	printf "$shell: '%s':\n%s\nand not:\n%s\n" "$line" "$got" "$wanted"
}

PATH=$dir:$PATH
# bash and zsh are given what the tool says, fish looks itself which of them fit.
case $shell in
fish) check 'srqctl pool show we' '<__complete><pool><show><we>' web webcam ;;
*)
	check 'srqctl pool show we' '<__complete><pool><show><we>' web webcam fe80::1%eth0 \
		big=64:8-8@12% --mode=echo
	;;
esac
check 'srqctl -j nothing ' '<__complete><-j><nothing><>' ''
case $shell in
bash)
	# What stands before the last of its separators bash leaves as it is.
	check 'srqctl listen add web --addr fe80::' '<__complete><listen><add><web><--addr><fe80::>' \
		web webcam 1%eth0 big=64:8-8@12% --mode=echo
	check 'srqctl listen add web --mode=' '<__complete><listen><add><web><--mode=>' \
		web webcam fe80::1%eth0 big=64:8-8@12% echo
	check 'srqctl file' - FILES web webcam fe80::1%eth0 big=64:8-8@12% --mode=echo
	;;
zsh) check 'srqctl file' - FILES web webcam fe80::1%eth0 big=64:8-8@12% --mode=echo ;;
fish)
	check 'srqctl listen add web --addr fe80::' '<__complete><listen><add><web><--addr><fe80::>' fe80::1%eth0
	check 'srqctl file F' - FILES
	;;
esac

ln -sf "$srqctl" "$dir/srqctl"
check 'srqctl pool a' - add
check 'srqctl pool add web --refill ' - watermark immediate
check 'srqctl help mon' - monitor
check 'srqctl conn show --po' - --pool
[ "$failed" = 0 ] && echo "$shell completes"
exit $failed
