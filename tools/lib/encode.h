// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#pragma once

#include "message.h"
#include "objects.h"

namespace srqpool {

// Specifications into attributes of a request.

void encode(Message &message, const PoolSpec &spec);
void encode(Message &message, const ListenerSpec &spec);

} // namespace srqpool
