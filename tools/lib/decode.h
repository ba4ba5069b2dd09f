// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#pragma once

#include "attributes.h"
#include "objects.h"

namespace srqpool {

// Attributes of an answer into objects.

Dev decode_dev(const Attributes &attributes);
Holder decode_holder(const Attributes &attributes);
Pool decode_pool(const Attributes &attributes);
Queue decode_queue(const Attributes &attributes);
Listener decode_listener(const Attributes &attributes);
Conn decode_conn(const Attributes &attributes);
Stats decode_stats(const Attributes &attributes);
Event decode_event(const Attributes &attributes);

} // namespace srqpool
