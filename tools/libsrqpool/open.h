// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#pragma once

#include <srqpool/srqpool.h>

#include "system.h"

namespace srqpool::device {

/// srqpool_reader_open() on a given system.
int open_reader(System &system, const char *pool, const srqpool_reader_options *options,
                srqpool_reader **reader) noexcept;

} // namespace srqpool::device
