# SPDX-License-Identifier: GPL-2.0
# Counts what run_kselftest.sh prints. -v tests="area:test ..." names what should have run.
# Prints a line for each failure and each skip, and last `passed failed skipped`.

function failure(what) { failed++; print "FAIL " what }
function skip(what) { skipped++; print "SKIP " what }

/^# selftests: [^ ]+: [^ ]+$/ {
	name = $3 $4
	plan = -1
	results = bad = 0
	reason = ""
	next
}

/^# 1\.\.[0-9]+/ {
	plan = substr($2, 4) + 0
	if (sub(/^.*# SKIP */, ""))
		reason = $0
}

/^# (not )?ok [0-9]+/ {
	results++
	title = $0
	sub(/^# (not )?ok [0-9]+ *(- )?/, "", title)
	if ($2 == "not") {
		bad++
		failure(name ": " title)
	} else if (title ~ /# SKIP/)
		skip(name ": " title)
	else
		passed++
}

/^(not )?ok [0-9]+ selftests: / {
	ended[name] = 1
	if (/# SKIP/ && $1 == "ok") {
		if (!results)
			skip(name ": " reason)
	} else if (results < plan)
		failure(name ": only " results " of " plan " results; " $0)
	else if (!results)
		failure(name ": no result; " $0)
	else if ($1 == "not" && !bad)
		failure(name ": " $0)
}

END {
	n = split(tests, expected, " ")
	for (i = 1; i <= n; i++)
		if (!(expected[i] in ended))
			failure(expected[i] ": did not end")
	print passed + 0, failed + 0, skipped + 0
}
