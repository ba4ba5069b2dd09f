/* SPDX-License-Identifier: GPL-2.0 */
/* message: a request of the family, made from the spec and then broken. */
#ifndef FUZZ_MESSAGE_H
#define FUZZ_MESSAGE_H

#include <linux/netlink.h>
#include <string.h>
#include "known.h"
#include "random.h"
#include "spec.h"

#define MESSAGE_MAX	(48 * 1024)
#define SPOTS_MAX	256

struct message {
	uint8_t cmd, version;
	uint16_t flags;
	int32_t lie;	/* added to the length in its header */
	uint32_t len;
	uint8_t data[MESSAGE_MAX];	/* aligned as len is */
};

/* Where an attribute is. */
struct spot {
	uint32_t at;
	int32_t parent;		/* where the nest is that it is in, or -1 */
	int set;
	const struct attr *attr;	/* NULL: not of the spec */
};

struct maker {
	struct rng rng;
	struct known known;
	struct spot spots[SPOTS_MAX];
	unsigned int nr_spots;
};

static inline struct nlattr *message_attr(struct message *m, uint32_t at)
{
	return (struct nlattr *)(m->data + at);
}

static inline uint32_t spot_size(struct message *m, const struct spot *s)
{
	uint32_t size = NLA_ALIGN(message_attr(m, s->at)->nla_len);

	return size < m->len - s->at ? size : m->len - s->at;
}

static inline void find_spots_in(struct maker *k, struct message *m, uint32_t at, uint32_t end,
				 int32_t parent, int set)
{
	while (at + NLA_HDRLEN <= end && k->nr_spots < SPOTS_MAX) {
		struct nlattr *a = message_attr(m, at);
		const struct attr *attr = spec_attr(set, a->nla_type & NLA_TYPE_MASK);

		if (a->nla_len < NLA_HDRLEN || a->nla_len > end - at)
			return;
		k->spots[k->nr_spots++] = (struct spot) { at, parent, set, attr };
		if (attr && attr->kind == KIND_NEST && parent < 0)
			find_spots_in(k, m, at + NLA_HDRLEN, at + a->nla_len, at, attr->nested);
		at += NLA_ALIGN(a->nla_len);
	}
}

static inline void find_spots(struct maker *k, struct message *m)
{
	const struct command *c = spec_command(m->cmd);

	k->nr_spots = 0;
	find_spots_in(k, m, 0, m->len, -1, c ? c->set : 0);
}

/* Puts other bytes where some are; the nest around grows or shrinks with them. */
static inline void replace(struct message *m, uint32_t at, uint32_t del, const void *data,
			   uint32_t len, int32_t parent)
{
	if (m->len - del + len > MESSAGE_MAX)
		return;
	memmove(m->data + at + len, m->data + at + del, m->len - at - del);
	memcpy(m->data + at, data, len);
	m->len += len - del;
	if (parent >= 0)
		message_attr(m, parent)->nla_len += len - del;
}

static inline uint16_t make_string(struct maker *k, uint8_t *to)
{
	static const char * const odd[] = {
		"", ".", "..", "f0", "f1", "f2", "a b", "a/b", "\377", "%s%n",
	};
	static const uint16_t lengths[] = { 1, 30, 31, 32, 33, 63, 64, 254, 255, 256, 1000 };
	const char *chosen = odd[rng_below(&k->rng, sizeof(odd) / sizeof(odd[0]))];
	uint16_t len;

	if (rng_once_in(&k->rng, 2)) {
		memcpy(to, chosen, strlen(chosen) + 1);
		return strlen(chosen) + 1;
	}
	len = lengths[rng_below(&k->rng, sizeof(lengths) / sizeof(lengths[0]))];
	memset(to, 'a' + rng_below(&k->rng, 26), len);
	to[len] = '\0';
	return len + !rng_once_in(&k->rng, 8);
}

static inline uint16_t make_binary(struct maker *k, uint8_t *to)
{
	static const uint16_t lengths[] = { 0, 1, 3, 4, 4, 5, 8, 15, 16, 16, 17, 64, 1000 };
	uint16_t len = lengths[rng_below(&k->rng, sizeof(lengths) / sizeof(lengths[0]))];

	rng_bytes(&k->rng, to, len);
	return len;
}

static inline uint32_t make_attr(struct maker *k, uint8_t *to, int set, int number);

/* Most of what can be in it. */
static inline uint16_t make_nest(struct maker *k, uint8_t *to, int set)
{
	uint16_t len = 0;
	int i;

	for (i = 1; i < sets[set].nr; i++)
		if (sets[set].attrs[i].kind != KIND_NEST && !rng_once_in(&k->rng, 3))
			len += make_attr(k, to + len, set, i);
	return len;
}

static inline uint16_t make_value(struct maker *k, uint8_t *to, int set, const struct attr *attr)
{
	const struct known_value *v = NULL;
	uint64_t number = rng_number(&k->rng);

	if (!rng_once_in(&k->rng, 4))
		v = known_pick(&k->known, &k->rng, set, attr);
	if (v) {
		memcpy(to, v->value, v->len);
		return v->len;
	}
	switch (attr->kind) {
	case KIND_STRING:
		return make_string(k, to);
	case KIND_BINARY:
		return make_binary(k, to);
	case KIND_NEST:
		return make_nest(k, to, attr->nested);
	default:
		memcpy(to, &number, sizeof(number));
		return spec_width(attr->kind);
	}
}

/* A whole attribute; returns its aligned length. */
static inline uint32_t make_attr(struct maker *k, uint8_t *to, int set, int number)
{
	const struct attr *attr = spec_attr(set, number);
	struct nlattr *a = (struct nlattr *)to;
	uint16_t len = make_value(k, to + NLA_HDRLEN, set, attr);

	a->nla_type = number | (attr->kind == KIND_NEST ? NLA_F_NESTED : 0);
	a->nla_len = NLA_HDRLEN + len;
	memset(to + a->nla_len, 0, NLA_ALIGN(a->nla_len) - a->nla_len);
	return NLA_ALIGN(a->nla_len);
}

/* A command with most of what it can take. */
static inline void make_message(struct maker *k, struct message *m, const struct command *c)
{
	int i;

	m->cmd = c->cmd;
	m->version = 1;
	m->lie = 0;
	m->len = 0;
	m->flags = c->dumps && (!c->does || rng_once_in(&k->rng, 2)) ? NLM_F_DUMP : 0;
	for (i = 1; i < sets[c->set].nr; i++)
		if (c->wanted >> i & 1 && !rng_once_in(&k->rng, 4))
			m->len += make_attr(k, m->data + m->len, c->set, i);
}

/*
 * What can be wrong
 */

static inline void break_remove(struct maker *k, struct message *m, const struct spot *s)
{
	replace(m, s->at, spot_size(m, s), NULL, 0, s->parent);
}

static inline void break_repeat(struct maker *k, struct message *m, const struct spot *s)
{
	static uint8_t copy[MESSAGE_MAX];
	uint32_t size = spot_size(m, s), n = rng_once_in(&k->rng, 8) ? rng_below(&k->rng, 300) : 1;

	memcpy(copy, m->data + s->at, size);
	while (n--)
		replace(m, s->at, 0, copy, size, s->parent);
}

static inline void break_value(struct maker *k, struct message *m, const struct spot *s)
{
	uint32_t attr[2048];
	uint32_t len;

	if (!s->attr || s->attr->kind == KIND_UNKNOWN)
		return;
	len = make_attr(k, (uint8_t *)attr, s->set, s->attr - sets[s->set].attrs);
	replace(m, s->at, spot_size(m, s), attr, len, s->parent);
}

static inline void break_insert(struct maker *k, struct message *m, const struct spot *s)
{
	uint32_t attr[2048];
	uint32_t len = make_attr(k, (uint8_t *)attr, s->set,
				 1 + rng_below(&k->rng, sets[s->set].nr - 1));

	replace(m, s->at, 0, attr, len, s->parent);
}

/* Another type; of the set, or of none. */
static inline void break_type(struct maker *k, struct message *m, const struct spot *s)
{
	struct nlattr *a = message_attr(m, s->at);

	switch (rng_below(&k->rng, 4)) {
	case 0:
		a->nla_type ^= NLA_F_NESTED;
		break;
	case 1:
		a->nla_type ^= NLA_F_NET_BYTEORDER;
		break;
	case 2:
		a->nla_type = rng_below(&k->rng, sets[s->set].nr + 2);
		break;
	default:
		a->nla_type = rng_number(&k->rng);
	}
}

/* A length that says something else than there is. */
static inline void break_lie(struct maker *k, struct message *m, const struct spot *s)
{
	struct nlattr *a = message_attr(m, s->at);

	if (rng_once_in(&k->rng, 2))
		a->nla_len = rng_number(&k->rng);
	else
		a->nla_len += (int)rng_below(&k->rng, 9) - 4;
}

/* A length that is wrong for its type. */
static inline void break_length(struct maker *k, struct message *m, const struct spot *s)
{
	static uint32_t words[8192];
	uint8_t *bytes = (uint8_t *)words;
	struct nlattr *a = (struct nlattr *)bytes;
	uint32_t len = rng_below(&k->rng, rng_once_in(&k->rng, 16) ? 30000 : 40);

	a->nla_type = message_attr(m, s->at)->nla_type;
	a->nla_len = NLA_HDRLEN + len;
	rng_bytes(&k->rng, bytes + NLA_HDRLEN, NLA_ALIGN(len));
	replace(m, s->at, spot_size(m, s), bytes, NLA_ALIGN(a->nla_len), s->parent);
}

/* It is in a nest, in a nest. */
static inline void break_nesting(struct maker *k, struct message *m, const struct spot *s)
{
	uint16_t len = spot_size(m, s), depth = rng_once_in(&k->rng, 4) ? 200 : 1;
	struct nlattr a = { .nla_type = message_attr(m, s->at)->nla_type | NLA_F_NESTED };

	while (depth--) {
		len += NLA_HDRLEN;
		a.nla_len = len;
		replace(m, s->at, 0, &a, sizeof(a), s->parent);
	}
}

static inline void break_byte(struct maker *k, struct message *m, const struct spot *s)
{
	m->data[s->at + rng_below(&k->rng, spot_size(m, s))] ^= 1 << rng_below(&k->rng, 8);
}

static inline void break_end(struct maker *k, struct message *m, const struct spot *s)
{
	m->len = s->at + rng_below(&k->rng, spot_size(m, s));
}

/* The same attributes for another command, or as another kind of request. */
static inline void break_header(struct maker *k, struct message *m, const struct spot *s)
{
	switch (rng_below(&k->rng, 5)) {
	case 0:
		m->cmd = rng_below(&k->rng, SRQPOOL_CMD_MAX + 3);
		break;
	case 1:
		m->flags ^= NLM_F_DUMP;
		break;
	case 2:
		m->flags = rng_next(&k->rng);
		break;
	case 3:
		m->version = rng_number(&k->rng);
		break;
	default:
		m->lie = (int)rng_below(&k->rng, 65) - 32;
	}
}

static inline void break_once(struct maker *k, struct message *m)
{
	static void (* const ways[])(struct maker *k, struct message *m, const struct spot *s) = {
		break_value, break_value, break_value, break_value, break_insert, break_insert,
		break_remove, break_repeat, break_type, break_lie, break_length, break_nesting,
		break_byte, break_end, break_header,
	};
	const struct spot none = { .parent = -1 };

	find_spots(k, m);
	if (!k->nr_spots)
		break_header(k, m, &none);
	else
		ways[rng_below(&k->rng, sizeof(ways) / sizeof(ways[0]))]
			(k, m, &k->spots[rng_below(&k->rng, k->nr_spots)]);
}

#endif /* FUZZ_MESSAGE_H */
