/* SPDX-License-Identifier: GPL-2.0 */
/* random: numbers that a seed repeats, and those at which programs break. */
#ifndef FUZZ_RANDOM_H
#define FUZZ_RANDOM_H

#include <stddef.h>
#include <stdint.h>

struct rng {
	uint64_t state;
};

static inline void rng_seed(struct rng *r, uint64_t seed)
{
	r->state = (seed + 1) * 0x9e3779b97f4a7c15ULL;
	if (!r->state)
		r->state = 1;
}

static inline uint64_t rng_next(struct rng *r)
{
	r->state ^= r->state << 13;
	r->state ^= r->state >> 7;
	r->state ^= r->state << 17;
	return r->state;
}

/* 0 to n - 1. */
static inline uint32_t rng_below(struct rng *r, uint32_t n)
{
	return (rng_next(r) >> 32) * n >> 32;
}

/* Once in n. */
static inline int rng_once_in(struct rng *r, uint32_t n)
{
	return !rng_below(r, n);
}

static inline void rng_bytes(struct rng *r, void *to, size_t len)
{
	uint8_t *at = to;

	while (len--)
		*at++ = rng_next(r) >> 32;
}

/* Small, a power of two or next to one, the largest or next to it, or anything. */
static inline uint64_t rng_number(struct rng *r)
{
	switch (rng_below(r, 6)) {
	case 0:
		return rng_below(r, 4);
	case 1:
		return 1ULL << rng_below(r, 64);
	case 2:
		return (1ULL << rng_below(r, 64)) - 1 + rng_below(r, 3);
	case 3:
		return ~0ULL - rng_below(r, 3);
	case 4:
		return rng_next(r) >> rng_below(r, 64);
	default:
		return rng_below(r, 1000);
	}
}

#endif /* FUZZ_RANDOM_H */
