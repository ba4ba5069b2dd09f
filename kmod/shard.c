// SPDX-License-Identifier: GPL-2.0
#include <linux/completion.h>
#include <linux/ktime.h>
#include "event.h"
#include "shard.h"
#include "stock.h"

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

/* Any context; on rxe under the CQ's lock with interrupts off. */
static void shard_completion(struct ib_cq *cq, void *context)
{
	shard_kick(context);
}

/* The CQ holds every credit there is, so an overrun is a bug. */
static void shard_cq_event(struct ib_event *ev, void *context)
{
	struct srqpool_shard *shard = context;

	event_raise(SRQPOOL_EVENT_ERROR, shard->pool, NULL, shard->index, 0,
		    "the device reported a CQ error");
	WRITE_ONCE(shard->failed, true);
	shard_kick(shard);
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

static void empty_box(struct srqpool_shard *shard, enum shard_box box)
{
	struct llist_node *all = llist_del_all(&shard->box[box]);
	struct llist_node *node, *next;

	llist_for_each_safe(node, next, llist_reverse_order(all))
		shard->take[box](node);
}

static void empty_boxes(struct srqpool_shard *shard)
{
	enum shard_box box;

	for (box = 0; box < SHARD_BOXES; box++)
		if (!llist_empty(&shard->box[box]))
			empty_box(shard, box);
}

/* Before it is settled, shard_settle() will see what is in the boxes. */
static void empty_boxes_late(struct srqpool_shard *shard)
{
	unsigned long flags;

	spin_lock_irqsave(&shard->late_lock, flags);
	if (shard->settled)
		empty_boxes(shard);
	spin_unlock_irqrestore(&shard->late_lock, flags);
}

/**
 * shard_put - hand something to the poller
 * @shard: the shard; its instance may go as soon as the poller has seen it
 * @box: what it is
 * @node: in what the box is for
 *
 * Without a poller, it is dealt with at once.
 *
 * Context: any.
 */
void shard_put(struct srqpool_shard *shard, enum shard_box box,
	       struct llist_node *node)
{
	rcu_read_lock();
	llist_add(node, &shard->box[box]);
	if (READ_ONCE(shard->dead))
		empty_boxes_late(shard);
	else
		shard_kick(shard);
	rcu_read_unlock();
}

/**
 * shard_settle - there is no poller any more
 * @shard: its poller has stopped, and RCU was waited for since: who has not seen
 *	that has put into the boxes what it had
 *
 * Context: process.
 */
void shard_settle(struct srqpool_shard *shard)
{
	spin_lock_irq(&shard->late_lock);
	shard->settled = true;
	empty_boxes(shard);
	spin_unlock_irq(&shard->late_lock);
}

static void call_all(struct list_head *nodes, void (*call)(struct list_head *))
{
	struct list_head *node;

	while (!list_empty(nodes)) {
		node = nodes->next;
		list_del_init(node);
		call(node);
	}
}

static void tick(struct work_struct *work)
{
	struct srqpool_shard *shard = container_of(to_delayed_work(work),
						   struct srqpool_shard, tick);

	WRITE_ONCE(shard->ticked, true);
	shard_kick(shard);
}

/**
 * shard_watch - have the shard's check called for a node in a while
 * @shard: the shard
 * @node: on no list
 *
 * Context: the shard's poller.
 */
void shard_watch(struct srqpool_shard *shard, struct list_head *node)
{
	list_add_tail(node, &shard->over);
	queue_delayed_work(shard->wq, &shard->tick,
			   msecs_to_jiffies(SHARD_TICK_MS));
}

static void check_over(struct srqpool_shard *shard)
{
	LIST_HEAD(nodes);

	if (list_empty(&shard->over))
		return;
	/* Who closes waits for a barrier, and must not stay on the list. */
	if (!READ_ONCE(shard->ticked) && list_empty(&shard->watched))
		return;
	WRITE_ONCE(shard->ticked, false);
	list_splice_init(&shard->over, &nodes);
	call_all(&nodes, shard->check);
}

/**
 * shard_add_hook - have the poller look at something
 * @shard: the shard
 * @hook: what
 *
 * Context: process.
 */
void shard_add_hook(struct srqpool_shard *shard, struct shard_hook *hook)
{
	spin_lock_irq(&shard->wait_lock);
	list_add_tail_rcu(&hook->node, &shard->hooks);
	spin_unlock_irq(&shard->wait_lock);
	shard_kick(shard);
}

/**
 * shard_del_hook - have the poller look at it no more
 * @shard: the shard
 * @hook: on the shard; it may be looked at until RCU was waited for
 *
 * Context: process.
 */
void shard_del_hook(struct srqpool_shard *shard, struct shard_hook *hook)
{
	spin_lock_irq(&shard->wait_lock);
	list_del_rcu(&hook->node);
	spin_unlock_irq(&shard->wait_lock);
}

static void look_at_hooks(struct srqpool_shard *shard)
{
	struct shard_hook *hook;

	list_for_each_entry_rcu(hook, &shard->hooks, node)
		hook->look(hook);
}

/* Returns false if the poller has something to do. */
static bool stop_hooks(struct srqpool_shard *shard)
{
	struct shard_hook *hook;
	bool more = false;

	rcu_read_lock();
	list_for_each_entry_rcu(hook, &shard->hooks, node)
		more |= hook->stop(hook);
	rcu_read_unlock();
	return !more;
}

static void end_batch(struct srqpool_shard *shard)
{
	LIST_HEAD(nodes);
	u32 i;

	empty_boxes(shard);
	look_at_hooks(shard);
	if (shard->send_credits || !list_empty(&shard->watched))
		list_splice_init(&shard->blocked, &nodes);
	list_splice_tail_init(&shard->dirty, &nodes);
	call_all(&nodes, shard->flush);
	check_over(shard);
	for (i = 0; i < shard->nr_queues; i++)
		stock_end_batch(&shard->queues[i]);
}

static void fail(struct srqpool_shard *shard)
{
	WRITE_ONCE(shard->failed, false);
	shard->broken(shard);
}

/**
 * shard_poll_batch - take up to a batch of completions and deal with them
 * @shard: the shard
 *
 * Context: the shard's only poller, process.
 *
 * Return: how many; less than SHARD_BATCH if the CQ was seen empty.
 */
u32 shard_poll_batch(struct srqpool_shard *shard)
{
	struct ib_wc *wc = shard->wc;
	int n, i;

	watch_new_waiters(shard);
	n = max(ib_poll_cq(shard->cq, SHARD_BATCH, wc), 0);
	shard->empty = n < SHARD_BATCH;
	if (n)
		shard->now = ktime_get_ns();
	if (READ_ONCE(shard->failed))
		fail(shard);
	rcu_read_lock();
	WRITE_ONCE(shard->poller, current);
	for (i = 0; i < n; i++)
		wc[i].wr_cqe->done(shard->cq, &wc[i]);
	end_batch(shard);
	WRITE_ONCE(shard->poller, NULL);
	rcu_read_unlock();
	shard->consumed += n;
	if (n)
		hist_add(&shard->stats.batch, n);
	wake_waiters(shard, n < SHARD_BATCH);
	return n;
}

/**
 * shard_arm - ask for an event at the next completion
 * @shard: the shard
 *
 * Context: the shard's poller.
 *
 * Return: true if one will come; false if there is something to do already.
 */
bool shard_arm(struct srqpool_shard *shard)
{
	return stop_hooks(shard) &&
	       ib_req_notify_cq(shard->cq, IB_CQ_NEXT_COMP |
				IB_CQ_REPORT_MISSED_EVENTS) <= 0;
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

/* Before anybody can look at it. */
void shard_init(struct srqpool_shard *shard)
{
	enum shard_box box;

	arena_init(&shard->arena);
	INIT_LIST_HEAD(&shard->dirty);
	INIT_LIST_HEAD(&shard->blocked);
	INIT_LIST_HEAD(&shard->over);
	INIT_DELAYED_WORK(&shard->tick, tick);
	for (box = 0; box < SHARD_BOXES; box++)
		init_llist_head(&shard->box[box]);
	INIT_LIST_HEAD(&shard->hooks);
	spin_lock_init(&shard->late_lock);
	spin_lock_init(&shard->wait_lock);
	INIT_LIST_HEAD(&shard->waiters);
	INIT_LIST_HEAD(&shard->watched);
}

/**
 * shard_create - create the CQ
 * @shard: set up by shard_init(); @index, @pool, @nr_queues, @queues, @flush,
 *	@broken and @conns given
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

	cq = ib_create_cq(ibdev, shard_completion, shard_cq_event, shard, &attr);
	if (IS_ERR(cq))
		return policy_refuse(r, PTR_ERR(cq), -1, 0,
				     "device %s refused a CQ of %u entries (error %ld)",
				     dev_name(&ibdev->dev), cqe, PTR_ERR(cq));
	shard->cq = cq;
	shard->cqe = cqe;
	return 0;
}

/**
 * shard_destroy - destroy the CQ
 * @shard: its poller is stopped
 *
 * Context: process, sleeps.
 */
void shard_destroy(struct srqpool_shard *shard)
{
	cancel_delayed_work_sync(&shard->tick);
	if (shard->cq)
		ib_destroy_cq(shard->cq);
	shard->cq = NULL;
}
