# SPDX-License-Identifier: GPL-2.0
# What requests may carry, in the same words from kmod/netlink.c and from the YAML spec:
# "SET ATTRIBUTE TYPE", and "nested" where that is an attribute within another. Of those the spec
# does not say which only answers have.

function in_c(name) {
	gsub("-", "_", name)
	return toupper(name)
}

function found(set, attribute, type) {
	lines[in_c(set) " " in_c(attribute) " " type] = 1
}

# The kernel: an entry can go over two lines.
/^static const struct nla_policy / {
	split($5, part, "_policy")
	set = part[1]
}
set != "" && /^\t\[SRQPOOL_A_/ { entry = "" }
set != "" && /^\t/ { entry = entry $0 }
set != "" && entry ~ /NLA_[A-Z0-9_]+.*,$/ {
	attribute = entry
	sub(/^\t\[SRQPOOL_A_/, "", attribute)
	sub(/\].*/, "", attribute)
	sub("^" toupper(set) "_", "", attribute)
	type = entry
	if (type ~ /NLA_POLICY_NESTED/) {
		sub(/.*NLA_POLICY_NESTED\(/, "", type)
		sub(/_policy.*/, "", type)
		inners[type] = 1
		type = "nest"
	} else {
		gsub(/NLA_POLICY_[A-Z]+/, "", type)
		sub(/.*NLA_/, "", type)
		sub(/[^A-Z0-9_].*/, "", type)
		type = type == "NUL_STRING" ? "string" : tolower(type)
	}
	found(set, attribute, type)
	entry = ""
}
/^};/ { set = "" }

# The spec: types of the sets, then which of them requests have.
/^attribute-sets:/ { part_of = "sets" }
/^operations:/ { part_of = "operations" }
part_of == "sets" && /^    name: / { spec_set = $2 }
part_of == "sets" && /^        name: / { name = $2; type = "" }
part_of == "sets" && /^        type: / { types[spec_set " " name] = $2 }
part_of == "sets" && /^        nested-attributes: / { nested[spec_set " " name] = $2 }
part_of == "operations" && /^      attribute-set: / { spec_set = $2 }
part_of == "operations" && /^        (request|reply):/ { requests = $1 == "request:" }
part_of == "operations" && /^            - / && requests {
	found(spec_set, $2, types[spec_set " " $2])
	inner = nested[spec_set " " $2]
	if (inner != "")
		inners[inner] = 1
}

END {
	for (key in types) {
		split(key, part, " ")
		if (part[1] in inners)
			found(part[1], part[2], types[key])
	}
	for (line in lines) {
		split(line, part, " ")
		print line (tolower(part[1]) in inners ? " nested" : "")
	}
}
