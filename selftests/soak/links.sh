#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# soak
# kernels: 6.1 6.12
# The device is removed and comes back 1000 times under load, as in teardown/loops.sh.
cd "$(dirname "$0")/../teardown" || exit
KINDS=links LOOPS=1000 exec ./loops.sh
