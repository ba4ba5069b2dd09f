/* SPDX-License-Identifier: GPL-2.0 */
/* known: names, ids and addresses that the kernel told, to be used where others are expected. */
#ifndef FUZZ_KNOWN_H
#define FUZZ_KNOWN_H

#include <string.h>
#include "random.h"
#include "spec.h"

#define KNOWN_MAX	64
#define KNOWN_BYTES	40

struct known {
	struct known_value {
		enum kind kind;
		const char *object;	/* the set's name */
		const char *name;	/* the attribute's */
		uint16_t len;
		uint8_t value[KNOWN_BYTES];
	} values[KNOWN_MAX];
	unsigned int nr;	/* ever noted */
};

static inline void known_note(struct known *k, int set, const struct attr *attr, const void *value,
			      uint16_t len)
{
	struct known_value v = { attr->kind, sets[set].name, attr->name, len, {} };
	unsigned int i;

	if (len > KNOWN_BYTES)
		return;
	memcpy(v.value, value, len);
	for (i = 0; i < KNOWN_MAX && i < k->nr; i++)
		if (!memcmp(&k->values[i], &v, sizeof(v)))
			return;
	k->values[k->nr++ % KNOWN_MAX] = v;
}

/* "pool" of a listener is the name of a pool: that, or a value of the same name. */
static inline int known_fits(const struct known_value *v, int set, const struct attr *attr)
{
	if (v->kind != attr->kind)
		return 0;
	return !strcmp(v->object, attr->name) || !strcmp(v->name, attr->name) ||
	       !strcmp(v->object, sets[set].name);
}

/* One that fits or, where none does, one of the same kind; NULL if there is none. */
static inline const struct known_value *known_pick(const struct known *k, struct rng *r, int set,
						   const struct attr *attr)
{
	unsigned int n = k->nr < KNOWN_MAX ? k->nr : KNOWN_MAX, start, i;
	const struct known_value *v, *other = NULL;

	if (!n)
		return NULL;
	start = rng_below(r, n);
	for (i = 0; i < n; i++) {
		v = &k->values[(start + i) % n];
		if (known_fits(v, set, attr))
			return v;
		if (v->kind == attr->kind)
			other = v;
	}
	return other;
}

#endif /* FUZZ_KNOWN_H */
