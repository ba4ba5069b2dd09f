#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# soak
# kernels: 6.1 6.12 newest debug
# vm: --bare
# The fuzzers, for twenty minutes each; what they print is kept.
# shellcheck source=selftests/lib.sh
. "$(dirname "$0")/../lib.sh"

export FUZZ_SECONDS="${FUZZ_SECONDS:-1200}"
run() { "$selftests/fuzz/$1.sh" >"$VM_OUT/$1.ktap" 2>&1 || { cat "$VM_OUT/$1.ktap" && false; }; }

ktap_print_header
ktap_set_plan 3
for fuzzer in netlink device wire; do check "$fuzzer" run $fuzzer; done
ktap_finished
