# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Completion of srqctl in bash: srqctl itself says what can come next.

_srqctl() {
	local words word line prefix=
	read -ra words <<<"${COMP_LINE:0:COMP_POINT}"
	case ${COMP_LINE:0:COMP_POINT} in *[[:blank:]]) words+=('') ;; esac
	word=${words[-1]}
	# Bash takes what follows one of these for a word of its own.
	[[ $COMP_WORDBREAKS != *:* ]] || prefix=${word%"${word##*:}"}
	[[ $COMP_WORDBREAKS != *=* || ${word#"$prefix"} != *=* ]] || prefix=${word%"${word##*=}"}

	COMPREPLY=()
	while IFS= read -r line; do
		if [ "$line" = / ]; then
			compopt -o default
			continue
		fi
		line=${line%%$'\t'*}
		printf -v line %q "${line#"$prefix"}"
		COMPREPLY+=("$line")
	done < <("${words[0]}" __complete "${words[@]:1}" 2>/dev/null)
}

complete -F _srqctl srqctl
