// SPDX-License-Identifier: GPL-2.0
#include <linux/slab.h>
#include "reader_conn.h"

/* Context: any, without the reader's lock. */
void reader_put(struct srqpool_reader *reader)
{
	pool_user_put(&reader->user);
}

static void reader_conn_free(struct kref *ref)
{
	struct reader_conn *rc = container_of(ref, struct reader_conn, ref);

	reader_put(rc->reader);
	kfree(rc);
}

/* Context: any, without the reader's lock. */
void reader_conn_put(struct reader_conn *rc)
{
	kref_put(&rc->ref, reader_conn_free);
}

/**
 * reader_conn_erase - the reader does not know a connection any more
 * @rc: one of its
 *
 * Context: any, under the reader's lock.
 *
 * Return: true if it did: the caller drops the table's reference.
 */
bool reader_conn_erase(struct reader_conn *rc)
{
	struct srqpool_reader *reader = rc->reader;

	lockdep_assert_held(&reader->lock);
	if (!xa_erase(&reader->conns, rc->number))
		return false;
	reader->nr_known--;
	return true;
}
