#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# soak
# kernels: 6.1 6.12 newest debug
# As teardown/churn.sh, for long.
cd "$(dirname "$0")/../teardown" || exit
STEPS=5000 exec ./churn.sh
