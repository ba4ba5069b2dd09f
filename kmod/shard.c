// SPDX-License-Identifier: GPL-2.0
#include <linux/completion.h>
#include "event.h"
#include "shard.h"

/**
 * struct shard_waiter - a caller of shard_barrier()
 * @list: in the shard's waiters, then in its watched ones
 * @until: value of the shard's consumed counter that ends the wait
 * @done: the wait is over
 */
struct shard_waiter {
	struct list_head list;
	u64 until;
	struct completion done;
};

/**
 * shard_kick - have the poller run
 * @shard: the shard
 *
 * Context: any.
 */
void shard_kick(struct srqpool_shard *shard)
{
	if (!READ_ONCE(shard->dead))
		queue_work(shard->wq, &shard->poll);
}

/* Any context; on rxe under the CQ's lock with interrupts off. */
static void shard_completion(struct ib_cq *cq, void *context)
{
	shard_kick(context);
}

static void shard_cq_event(struct ib_event *ev, void *context)
{
	struct srqpool_shard *shard = context;

	/* The CQ holds every credit there is, so this is a bug of ours. */
	event_raise(SRQPOOL_EVENT_ERROR, shard->pool, NULL, shard->index, 0,
		    "the device reported a CQ error");
}

static void watch_new_waiters(struct srqpool_shard *shard)
{
	struct shard_waiter *w;

	if (list_empty_careful(&shard->waiters))
		return;
	spin_lock_irq(&shard->wait_lock);
	list_for_each_entry(w, &shard->waiters, list)
		w->until = shard->consumed + shard->cq->cqe;
	list_splice_tail_init(&shard->waiters, &shard->watched);
	spin_unlock_irq(&shard->wait_lock);
}

static void wake_waiters(struct srqpool_shard *shard, bool empty)
{
	struct shard_waiter *w, *next;

	list_for_each_entry_safe(w, next, &shard->watched, list) {
		if (!empty && shard->consumed < w->until)
			continue;
		list_del(&w->list);
		complete(&w->done);
	}
}

static void end_batch(struct srqpool_shard *shard)
{
	struct list_head *node;
	u32 i;

	while (!list_empty(&shard->dirty)) {
		node = shard->dirty.next;
		list_del_init(node);
		shard->flush(node);
	}
	for (i = 0; i < shard->nr_queues; i++)
		queue_end_batch(&shard->queues[i]);
}

/* Returns true if the CQ was seen empty. */
static bool poll_batch(struct srqpool_shard *shard)
{
	struct ib_wc *wc = shard->wc;
	int n, i;

	watch_new_waiters(shard);
	n = max(ib_poll_cq(shard->cq, SHARD_BATCH, wc), 0);
	rcu_read_lock();
	for (i = 0; i < n; i++)
		wc[i].wr_cqe->done(shard->cq, &wc[i]);
	end_batch(shard);
	rcu_read_unlock();
	shard->consumed += n;
	if (n)
		hist_add(&shard->stats.batch, n);
	wake_waiters(shard, n < SHARD_BATCH);
	return n < SHARD_BATCH;
}

static void shard_poll(struct work_struct *work)
{
	struct srqpool_shard *shard = container_of(work, struct srqpool_shard,
						   poll);
	int left;

	if (READ_ONCE(shard->dead))
		return;
	for (left = SHARD_BUDGET; left > 0; left -= SHARD_BATCH) {
		if (!poll_batch(shard))
			continue;
		/* Armed: what came in between is looked for once more. */
		if (ib_req_notify_cq(shard->cq, IB_CQ_NEXT_COMP |
				     IB_CQ_REPORT_MISSED_EVENTS) <= 0)
			return;
	}
	shard_kick(shard);
}

/**
 * shard_barrier - wait until all that had completed before is dealt with
 * @shard: the shard
 *
 * Returns once the poller has, after the call, seen the CQ empty or taken as
 * many completions as the CQ can hold: so the wait is bounded. After it the
 * poller sees what the caller wrote before.
 *
 * Context: process, sleeps; not from the poller.
 */
void shard_barrier(struct srqpool_shard *shard)
{
	struct shard_waiter w;

	init_completion(&w.done);
	spin_lock_irq(&shard->wait_lock);
	list_add_tail(&w.list, &shard->waiters);
	spin_unlock_irq(&shard->wait_lock);
	shard_kick(shard);
	wait_for_completion(&w.done);
}

/**
 * shard_create - create the CQ and start its poller
 * @shard: zeroed but for @index, @pool, @nr_queues, @queues, @flush and @wq;
 *	@conns is set up
 * @ibdev: the device
 * @cqe: entries of the CQ
 * @r: out, the refusal
 *
 * Context: process, sleeps.
 *
 * Return: 0 or what ib_create_cq() returned.
 */
int shard_create(struct srqpool_shard *shard, struct ib_device *ibdev, u32 cqe,
		 struct srqpool_refusal *r)
{
	struct ib_cq_init_attr attr = {
		.cqe = cqe,
		.comp_vector = shard->index % ibdev->num_comp_vectors,
	};
	struct ib_cq *cq;

	INIT_LIST_HEAD(&shard->dirty);
	INIT_WORK(&shard->poll, shard_poll);
	spin_lock_init(&shard->wait_lock);
	INIT_LIST_HEAD(&shard->waiters);
	INIT_LIST_HEAD(&shard->watched);

	cq = ib_create_cq(ibdev, shard_completion, shard_cq_event, shard, &attr);
	if (IS_ERR(cq))
		return policy_refuse(r, PTR_ERR(cq), -1, 0,
				     "device %s refused a CQ of %u entries (error %ld)",
				     dev_name(&ibdev->dev), cqe, PTR_ERR(cq));
	shard->cq = cq;
	shard->cqe = cqe;
	shard_kick(shard);
	return 0;
}

/**
 * shard_stop - stop the poller
 * @shard: its QPs are gone, so nothing completes any more
 *
 * Context: process, sleeps.
 */
void shard_stop(struct srqpool_shard *shard)
{
	WRITE_ONCE(shard->dead, true);
	if (shard->cq)
		cancel_work_sync(&shard->poll);
}

/**
 * shard_destroy - destroy the CQ
 * @shard: stopped
 *
 * Context: process, sleeps.
 */
void shard_destroy(struct srqpool_shard *shard)
{
	if (!shard->cq)
		return;
	ib_destroy_cq(shard->cq);
	shard->cq = NULL;
	/* A completion may have passed the check of @dead before it was set. */
	cancel_work_sync(&shard->poll);
}
