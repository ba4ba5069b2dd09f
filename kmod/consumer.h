/* SPDX-License-Identifier: GPL-2.0 */
/* consumer: the consumers that live in the module. */
#ifndef SRQPOOL_CONSUMER_H
#define SRQPOOL_CONSUMER_H

#include "accept.h"

extern const struct accept_consumer consumer_sink;
extern const struct accept_consumer consumer_echo;
extern const struct accept_consumer consumer_deliver;

#endif /* SRQPOOL_CONSUMER_H */
