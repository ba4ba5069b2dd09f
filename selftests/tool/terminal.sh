# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# For programs that draw: `. "$(dirname "$0")/terminal.sh"` starts ./terminal, and `term` asks it.
term_dir=$(mktemp -d)
mkfifo "$term_dir/in" "$term_dir/out"
"$(dirname "$0")/terminal" <"$term_dir/in" >"$term_dir/out" &
exec 3>"$term_dir/in" 4<"$term_dir/out"
export TERM=xterm-256color LC_ALL=C.UTF-8
unset NO_COLOR

# term COMMAND...: one of terminal.c's; fails with what it says.
term() {
	printf '%s\n' "$*" >&3
	while read -r term_line <&4; do
		case $term_line in
		ok) return 0 ;;
		failed) return 1 ;;
		*) printf '%s\n' "$term_line" ;;
		esac
	done
	echo "the terminal is gone"
	return 1
}
