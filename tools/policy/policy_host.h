/* SPDX-License-Identifier: GPL-2.0 */
/* What policy.c takes from the kernel, for a host test. */
#ifndef SRQPOOL_POLICY_HOST_H
#define SRQPOOL_POLICY_HOST_H

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef uint32_t u32;
typedef uint64_t u64;

#define __printf(a, b) __attribute__((format(printf, a, b)))

#endif
