/* SPDX-License-Identifier: GPL-2.0 */
/* writes: what a reader sends. */
#ifndef SRQPOOL_WRITES_H
#define SRQPOOL_WRITES_H

#include <linux/uio.h>
#include "reader_conn.h"

ssize_t writes_send(struct srqpool_reader *reader, struct iov_iter *from);

#endif /* SRQPOOL_WRITES_H */
