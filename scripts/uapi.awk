# SPDX-License-Identifier: GPL-2.0
# What uapi/linux/srqpool.h or its YAML spec define, in the same words for both: "NAME VALUE" of a
# constant, "ENUM NAME VALUE TYPE" of a member of an enum, with the type of an attribute.

function in_c(name) {
	gsub("-", "_", name)
	return toupper(name)
}

function flush() {
	if (name != "")
		print enum, name, value++, type
	name = type = ""
}

# The header. Bytes are written as (4U << 20).
function number(text, part) {
	gsub(/[()U]/, "", text)
	split(text, part, " << ")
	return part[1] * 2 ^ part[2]
}

/^ \* @SRQPOOL_A_/ {
	sub(":", "", $2)
	sub(/[,;]/, "", $3)
	types[substr($2, 2)] = $3 == "padding" ? "pad" : $3
}
# The device is no part of the spec.
/^#define SRQPOOL_DEVICE/ { flush(); exit }
/^#define SRQPOOL_/ && !/"|SRQPOOL_GENL_VERSION/ {
	text = $0
	sub(/^#define [A-Z0-9_]+[ \t]+/, "", text)
	print $2, number(text)
}
/^enum srqpool_/ { enum = $2; value = 0 }
/^\tSRQPOOL_[A-Z0-9_]+_UNSPEC,/ { value = 1; next }
/^\tSRQPOOL_[A-Z0-9_]+,/ {
	name = substr($1, 1, length($1) - 1)
	type = types[name]
	flush()
}

# The spec, by its indentation. The numbers of attributes and commands begin at 1.
/^attribute-sets:|^operations:/ { flush(); first = 1 }
/^operations:/ { prefix = "SRQPOOL_CMD_" }
/^    name: / { flush(); const = $2 }
/^    value: / { print "SRQPOOL_" in_c(const), $2 }
/^(  |    )enum-name: / { enum = $2; gsub("-", "_", enum); value = first }
/^    name-prefix: / { prefix = in_c($2) }
/^(        |      )name: / { flush(); name = prefix in_c($2) }
/^        type: / { type = $2 }
/^mcast-groups:/ { flush(); exit }
