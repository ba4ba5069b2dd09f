/* SPDX-License-Identifier: GPL-2.0 */
/* reader: the life of a program that receives, and whose connections are its own. */
#ifndef SRQPOOL_READER_H
#define SRQPOOL_READER_H

#include "reader_conn.h"

struct srqpool_reader *reader_open(const char *pool, u32 entries);
void reader_close(struct srqpool_reader *reader);
int reader_hang_up(struct srqpool_reader *reader, u64 number);
void reader_stats(struct srqpool_reader *reader,
		  struct srqpool_reader_stats *stats);

const char *reader_adopt(struct srqpool_conn *conn);
void reader_mute(struct reader_conn *rc);
void reader_forget(struct reader_conn *rc);

#endif /* SRQPOOL_READER_H */
