/* SPDX-License-Identifier: GPL-2.0 */
/* What policy_cases.c takes from KUnit, for a host test. */
#ifndef SRQPOOL_KUNIT_HOST_H
#define SRQPOOL_KUNIT_HOST_H

#ifdef __cplusplus
extern "C" {
#endif

struct kunit;

struct kunit_case {
    void (*run_case)(struct kunit *test);
    const char *name;
};

#define KUNIT_CASE(function)                                                                       \
    { function, #function }
#define KUNIT_FAIL(test, ...) kunit_host_fail(test, __VA_ARGS__)
#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

__attribute__((format(printf, 2, 3))) void kunit_host_fail(struct kunit *test, const char *format,
                                                           ...);

#ifdef __cplusplus
}
#endif

#endif
