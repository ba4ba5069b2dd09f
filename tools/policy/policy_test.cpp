// SPDX-License-Identifier: GPL-2.0
// Runs the cases of selftests/kunit/policy_cases.c.
#include <gtest/gtest.h>

#include <cstdarg>
#include <cstdio>

extern "C" {
#include "policy_cases.h"
}

struct kunit {};

void kunit_host_fail(struct kunit * /*test*/, const char *format, ...) {
    char text[512];
    va_list args;
    va_start(args, format);
    std::vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    ADD_FAILURE() << text;
}

namespace {

class Case : public testing::Test {
  public:
    explicit Case(const kunit_case &c) : run(c.run_case) {}
    void TestBody() override {
        kunit test;
        run(&test);
    }

  private:
    void (*run)(kunit *);
};

} // namespace

int main(int argc, char **argv) {
    for (const kunit_case *c = policy_cases; c->run_case; c++)
        testing::RegisterTest("Policy", c->name, nullptr, nullptr, __FILE__, __LINE__,
                              [c]() -> testing::Test * { return new Case(*c); });
    testing::InitGoogleTest(&argc, argv);
    return RUN_ALL_TESTS();
}
