/* SPDX-License-Identifier: GPL-2.0 */
/* records: what a reader is told, in which order. */
#ifndef SRQPOOL_RECORDS_H
#define SRQPOOL_RECORDS_H

#include <linux/uio.h>
#include "reader_conn.h"

void records_init(struct srqpool_reader *reader);
void records_message(struct reader_conn *rc, struct srqpool_msg *msg);
void records_up(struct reader_conn *rc);
void records_tell(struct reader_conn *rc, enum srqpool_record_type what);
bool records_any(const struct reader_conn *rc);
int records_next_type(const struct reader_conn *rc, bool messages);
struct srqpool_msg *records_next(struct reader_conn *rc, bool messages,
				 struct srqpool_record *head);
void records_unpark(struct reader_conn *rc);
void records_drop(struct list_head *msgs);
ssize_t records_read(struct srqpool_reader *reader, struct iov_iter *to,
		     bool nonblock);
__poll_t records_poll(struct srqpool_reader *reader);

#endif /* SRQPOOL_RECORDS_H */
