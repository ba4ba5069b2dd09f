#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# soak
# kernels: 6.1 6.12
# The module is loaded and unloaded 200 times under load, as in teardown/loops.sh.
cd "$(dirname "$0")/../teardown" || exit
KINDS=modules LOOPS=200 exec ./loops.sh
