#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# soak
# kernels: 6.1 6.12 newest debug
# vm: --bare
# As deliver/rounds.sh, for as long as a lost wake-up in a hundred thousand takes.
cd "$(dirname "$0")/../deliver" || exit
ROUNDS=100000 exec ./rounds.sh
