# SPDX-License-Identifier: GPL-2.0
# The C tables of a YAML spec's attribute sets and commands, for the netlink fuzzer; the types are
# those of spec.h. By indentation, as scripts/uapi.awk.

function in_c(name) {
	gsub("-", "_", name)
	return toupper(name)
}

function flush_attr() {
	if (attr != "") {
		text = text sprintf("\t[%s%s] = { \"%s\", KIND_%s", prefix, in_c(attr), attr, in_c(type))
		if (nested != "")
			text = text sprintf(", .nested = SET_%s", in_c(nested))
		text = text " },\n"
	}
	attr = type = nested = ""
}

function flush_set() {
	flush_attr()
	if (set != "") {
		enums = enums sprintf("\tSET_%s,\n", in_c(set))
		arrays = arrays sprintf("static const struct attr %s_attrs[] = {\n%s};\n\n", set, text)
		list = list sprintf("\t[SET_%s] = { \"%s\", %s_attrs, ", in_c(set), set, set) \
			sprintf("sizeof(%s_attrs) / sizeof(%s_attrs[0]) },\n", set, set)
		prefixes[set] = prefix
	}
	set = text = ""
}

function flush_command() {
	if (command != "" && (asks["do"] || asks["dump"]))
		commands = commands sprintf("\t{ \"%s\", SRQPOOL_CMD_%s, SET_%s, %d, %d, 0%s },\n", command,
			in_c(command), in_c(of_set), asks["do"], asks["dump"], wanted)
	command = of_set = wanted = how = part = ""
	delete asks
}

/^[a-z]/ { section = $1; flush_set(); flush_command() }

section == "attribute-sets:" && /^    name: / { flush_set(); set = $2 }
section == "attribute-sets:" && /^    name-prefix: / { prefix = in_c($2) }
section == "attribute-sets:" && /^        name: / { flush_attr(); attr = $2 }
section == "attribute-sets:" && /^        type: / { type = $2 }
section == "attribute-sets:" && /^        nested-attributes: / { nested = $2 }

section == "operations:" && /^      name: / { flush_command(); command = $2 }
section == "operations:" && /^      attribute-set: / { of_set = $2 }
section == "operations:" && /^      (do|dump|event):/ {
	how = substr($1, 1, length($1) - 1)
	asks[how] = 1
}
section == "operations:" && /^        (request|reply):/ { part = $1 }
section == "operations:" && /^            - / && part == "request:" {
	wanted = wanted sprintf(" | 1ULL << %s%s", prefixes[of_set], in_c($2))
}

END {
	flush_set()
	flush_command()
	printf "enum {\n%s\tNR_SETS\n};\n\n%s", enums, arrays
	printf "static const struct set sets[NR_SETS] = {\n%s};\n\n", list
	printf "static const struct command commands[] = {\n%s};\n", commands
}
