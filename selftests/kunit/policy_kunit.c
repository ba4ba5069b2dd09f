// SPDX-License-Identifier: GPL-2.0
#include <linux/module.h>
#include "policy_cases.h"

/* srqpool exports none of it: the arithmetic is compiled once more. */
#include "policy.c"

static struct kunit_suite policy_suite = {
	.name = "srqpool_policy",
	.test_cases = policy_cases,
};

kunit_test_suite(policy_suite);

MODULE_DESCRIPTION("KUnit tests of srqpool's policy");
MODULE_LICENSE("GPL");
