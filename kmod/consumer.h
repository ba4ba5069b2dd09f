/* SPDX-License-Identifier: GPL-2.0 */
/* consumer: the consumers that live in the module. */
#ifndef SRQPOOL_CONSUMER_H
#define SRQPOOL_CONSUMER_H

#include "conn.h"

extern const struct srqpool_ops consumer_sink;
extern const struct srqpool_ops consumer_echo;

#endif /* SRQPOOL_CONSUMER_H */
