// SPDX-License-Identifier: GPL-2.0
#include "dedicated.h"
#include "refill.h"
#include "stock.h"

/**
 * dedicated_fill - give a QP its receives
 * @q: the queue whose buffers they are; it has no SRQ
 * @qp: the QP, with room for @depth receives; nothing completes on it yet
 * @posted: out, the buffers, the poller's from then on
 * @depth: how many
 *
 * Context: process, sleeps.
 *
 * Return: 0, or why not all could be had; dedicated_reclaim() follows.
 */
int dedicated_fill(struct srqpool_queue *q, struct ib_qp *qp,
		   struct list_head *posted, u32 depth)
{
	u32 nr = 0, n;
	int ret;

	while (nr < depth) {
		n = stock_post_own(q, qp, posted,
				   min_t(u32, depth - nr, QUEUE_CHAIN_MAX));
		nr += n;
		if (n)
			continue;
		if (READ_ONCE(q->nr_free))
			return -EIO;	/* there are some, the device took none */
		ret = refill_grow(q, min_t(u32, depth - nr, QUEUE_CHAIN_MAX));
		if (ret)
			return ret;
	}
	return 0;
}

/**
 * dedicated_repost - post received buffers to their QP again, as one chain
 * @q: the queue
 * @qp: the QP
 * @bufs: the buffers, held; those that could not be posted stay
 * @posted: where the others go
 *
 * Context: the shard's poller.
 */
void dedicated_repost(struct srqpool_queue *q, struct ib_qp *qp,
		      struct list_head *bufs, struct list_head *posted)
{
	const struct ib_recv_wr *bad = NULL;
	struct ib_recv_wr *first = NULL, **link = &first;
	struct srqpool_buf *buf, *next;
	u32 n = 0;

	list_for_each_entry(buf, bufs, list) {
		stock_prepare(q, buf);
		buf->state = BUFFER_POSTED;
		*link = &buf->rwr;
		link = &buf->rwr.next;
	}
	*link = NULL;
	if (ib_post_recv(qp, first, &bad) && !bad)
		bad = first;
	/* Only those before @bad are the device's now. */
	list_for_each_entry_safe(buf, next, bufs, list) {
		if (&buf->rwr == bad)
			break;
		list_move_tail(&buf->list, posted);
		n++;
	}
	list_for_each_entry(buf, bufs, list) {
		buffer_from_device(buf);
		buf->state = BUFFER_HELD;
	}
	stock_reposted(q, n);
}

/**
 * dedicated_reclaim - take back what a destroyed QP did not complete
 * @q: the queue
 * @posted: its buffers
 *
 * Memory that nobody needs any more is freed.
 *
 * Context: process; the QP's completions are dealt with.
 */
void dedicated_reclaim(struct srqpool_queue *q, struct list_head *posted)
{
	stock_reclaim_own(q, posted);
	refill_release(q);
}
