/* SPDX-License-Identifier: GPL-2.0 */
/* policy_cases: what the arithmetic of pools must do, for KUnit and for a host test. */
#ifndef SRQPOOL_POLICY_CASES_H
#define SRQPOOL_POLICY_CASES_H

#ifdef __KERNEL__
#include <kunit/test.h>
#else
#include "kunit_host.h"
#endif
#include "policy.h"

/* Ends with an empty one. */
extern struct kunit_case policy_cases[];

#endif /* SRQPOOL_POLICY_CASES_H */
