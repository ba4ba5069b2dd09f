/* SPDX-License-Identifier: GPL-2.0 */
/* spec: what the YAML spec says of commands and attributes, as table.awk writes it to table.h. */
#ifndef FUZZ_SPEC_H
#define FUZZ_SPEC_H

#include <linux/srqpool.h>
#include <stdint.h>

enum kind {
	KIND_UNKNOWN,
	KIND_PAD,
	KIND_FLAG,
	KIND_U8,
	KIND_U16,
	KIND_U32,
	KIND_U64,
	KIND_STRING,
	KIND_BINARY,
	KIND_NEST,
};

struct attr {
	const char *name;
	enum kind kind;
	int nested;	/* the set in it */
};

struct set {
	const char *name;
	const struct attr *attrs;
	int nr;		/* the largest attribute's number + 1 */
};

struct command {
	const char *name;
	uint8_t cmd;
	int set;
	int does, dumps;
	uint64_t wanted;	/* attributes of its requests, by bit */
};

#include "table.h"

/* Bytes of a number; 0 for what is none. */
static inline unsigned int spec_width(enum kind kind)
{
	switch (kind) {
	case KIND_U8:
		return 1;
	case KIND_U16:
		return 2;
	case KIND_U32:
		return 4;
	case KIND_U64:
		return 8;
	default:
		return 0;
	}
}

#define NR_COMMANDS	(sizeof(commands) / sizeof(commands[0]))

static inline const struct attr *spec_attr(int set, int number)
{
	return number < sets[set].nr ? &sets[set].attrs[number] : NULL;
}

static inline const struct command *spec_command(uint8_t cmd)
{
	unsigned int i;

	for (i = 0; i < NR_COMMANDS; i++)
		if (commands[i].cmd == cmd)
			return &commands[i];
	return NULL;
}

#endif /* FUZZ_SPEC_H */
