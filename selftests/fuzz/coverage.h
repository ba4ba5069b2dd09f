/* SPDX-License-Identifier: GPL-2.0 */
/*
 * coverage: has an input done something new? Reached code that no other has, where the kernel has
 * KCOV and the module is built with it; else the command was answered as never before.
 */
#ifndef FUZZ_COVERAGE_H
#define FUZZ_COVERAGE_H

#include <fcntl.h>
#include <linux/kcov.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

#define COVERAGE_PCS	(256 * 1024)
#define COVERAGE_BITS	20

struct coverage {
	uint64_t *pcs;		/* KCOV's, NULL without it */
	unsigned int seen;
	uint8_t bits[1 << COVERAGE_BITS];
};

static inline void coverage_open(struct coverage *c)
{
	int fd = open("/sys/kernel/debug/kcov", O_RDWR);
	void *at;

	if (fd < 0 || ioctl(fd, KCOV_INIT_TRACE, COVERAGE_PCS))
		return;
	at = mmap(NULL, COVERAGE_PCS * sizeof(uint64_t), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (at != MAP_FAILED && !ioctl(fd, KCOV_ENABLE, KCOV_TRACE_PC))
		c->pcs = at;
}

static inline void coverage_start(struct coverage *c)
{
	if (c->pcs)
		__atomic_store_n(&c->pcs[0], 0, __ATOMIC_RELAXED);
}

/* Returns 1 if it is new. */
static inline int coverage_note(struct coverage *c, uint64_t what)
{
	uint32_t at = what * 0x9e3779b97f4a7c15ULL >> (64 - COVERAGE_BITS);

	if (c->bits[at])
		return 0;
	c->bits[at] = 1;
	c->seen++;
	return 1;
}

/* What was reached since the start. Returns 1 if there is something new. */
static inline int coverage_note_code(struct coverage *c)
{
	uint64_t n = __atomic_load_n(&c->pcs[0], __ATOMIC_RELAXED), i;
	int news = 0;

	for (i = 1; i <= n; i++)
		news |= coverage_note(c, c->pcs[i]);
	return news;
}

/* Names and numbers make no answer a new one. */
static inline uint64_t coverage_answer(uint8_t cmd, int err, const char *text)
{
	uint64_t hash = cmd << 16 | err;
	unsigned int words = 0;

	for (; *text && words < 12; text++) {
		if (*text == ' ')
			words++;
		if (*text >= 'e' && *text <= 'z' && *text != 'f')
			hash = (hash ^ *text) * 0x100000001b3ULL;
	}
	return hash;
}

#endif /* FUZZ_COVERAGE_H */
