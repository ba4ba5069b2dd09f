#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# soak
# kernels: debug
# As faults/commands.sh: every command of the family, every call of /dev/srqpool and connects, and
# every allocation of each, and kmemleak after each.
cd "$(dirname "$0")/../faults" || exit
LEAKS=1 COMMANDS=$(./faults -l) exec ./commands.sh
