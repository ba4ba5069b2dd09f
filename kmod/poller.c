// SPDX-License-Identifier: GPL-2.0
#include <linux/kthread.h>
#include <linux/ktime.h>
#include <linux/sched.h>
#include "poller.h"

/* Automatic polling spins for so long, where batches are smaller than this. */
#define AUTO_SPIN_USEC		20
#define AUTO_SPIN_BATCH		2
/* After so many spins it looks how many found something: half must. */
#define AUTO_TRIES		16
/* Else it arms so often without a spin. */
#define AUTO_PAUSE		256
/* The mean batch is kept in sixteenths. */
#define BATCH_SHIFT		4

static void learn_batch(struct shard_spin *spin, u32 n)
{
	spin->batch = spin->batch - (spin->batch >> BATCH_SHIFT) + n;
}

static void learn_spin(struct shard_spin *spin, bool found)
{
	spin->tries++;
	spin->hits += found;
	if (spin->tries < AUTO_TRIES)
		return;
	if (spin->hits < AUTO_TRIES / 2)
		spin->pause = AUTO_PAUSE;
	spin->tries = 0;
	spin->hits = 0;
}

static u32 auto_usec(struct shard_spin *spin)
{
	if (spin->pause) {
		spin->pause--;
		return 0;
	}
	return spin->batch < AUTO_SPIN_BATCH << BATCH_SHIFT ? AUTO_SPIN_USEC : 0;
}

static u32 spin_usec(struct srqpool_shard *shard)
{
	switch (READ_ONCE(shard->mode.kind)) {
	case SRQPOOL_POLL_HYBRID:
		return READ_ONCE(shard->mode.usec);
	case SRQPOOL_POLL_AUTO:
		return auto_usec(&shard->spin);
	default:
		return 0;
	}
}

/* Returns true if something completed while it span. */
static bool spin(struct srqpool_shard *shard)
{
	u32 usec = spin_usec(shard);
	u64 end = ktime_get_ns() + usec * NSEC_PER_USEC;
	bool found = false;

	if (!usec)
		return false;
	do {
		cpu_relax();
		found = shard_poll_batch(shard);
	} while (!found && !need_resched() && ktime_get_ns() < end);
	learn_spin(&shard->spin, found);
	return found;
}

static void poll_work(struct work_struct *work)
{
	struct srqpool_shard *shard = container_of(work, struct srqpool_shard,
						   poll);
	int left;
	u32 n;

	if (READ_ONCE(shard->dead) ||
	    READ_ONCE(shard->mode.kind) == SRQPOOL_POLL_BUSY)
		return;
	for (left = SHARD_BUDGET; left > 0; left -= SHARD_BATCH) {
		n = shard_poll_batch(shard);
		learn_batch(&shard->spin, n);
		/* Armed: what came in between is looked for once more. */
		if (n < SHARD_BATCH && !spin(shard) && shard_arm(shard))
			return;
		cond_resched();
	}
	shard_kick(shard);
}

static int busy_thread(void *data)
{
	struct srqpool_shard *shard = data;

	while (!kthread_should_stop()) {
		shard_poll_batch(shard);
		cond_resched();
	}
	return 0;
}

/* The work item is idle and stays so. */
static int start_busy(struct srqpool_shard *shard)
{
	struct task_struct *thread;

	thread = kthread_create_on_node(busy_thread, shard,
					ibdev_to_node(shard->cq->device),
					"srqpool/%u", shard->index);
	if (IS_ERR(thread))
		return PTR_ERR(thread);
	shard->busy = thread;
	wake_up_process(thread);
	return 0;
}

static void stop_busy(struct srqpool_shard *shard)
{
	if (shard->busy)
		kthread_stop(shard->busy);
	shard->busy = NULL;
}

/**
 * poller_set_mode - change how a shard is polled
 * @shard: its poller is started
 * @mode: how
 *
 * Context: process, sleeps; one caller at a time.
 *
 * Return: 0, or why no thread could be had: then it is polled by event.
 */
int poller_set_mode(struct srqpool_shard *shard, struct shard_poll mode)
{
	int ret = 0;

	if (mode.kind == SRQPOOL_POLL_BUSY && shard->busy)
		return 0;
	stop_busy(shard);
	WRITE_ONCE(shard->mode.usec, mode.usec);
	WRITE_ONCE(shard->mode.kind, mode.kind);
	if (mode.kind == SRQPOOL_POLL_BUSY) {
		cancel_work_sync(&shard->poll);
		ret = start_busy(shard);
		if (ret)
			WRITE_ONCE(shard->mode.kind, SRQPOOL_POLL_EVENT);
	}
	shard_kick(shard);
	return ret;
}

/**
 * poller_init - before the CQ is created
 * @shard: the shard
 * @wq: where it is polled
 */
void poller_init(struct srqpool_shard *shard, struct workqueue_struct *wq)
{
	shard->wq = wq;
	INIT_WORK(&shard->poll, poll_work);
}

/**
 * poller_stop - poll no more
 * @shard: its QPs are gone, so nothing completes any more
 *
 * Context: process, sleeps.
 */
void poller_stop(struct srqpool_shard *shard)
{
	WRITE_ONCE(shard->dead, true);
	stop_busy(shard);
	if (shard->wq)
		cancel_work_sync(&shard->poll);
}

/**
 * poller_settle - make sure that it has stopped
 * @shard: stopped, and its CQ is destroyed
 *
 * A completion may have passed the check of @dead before it was set: the caller
 * has waited for RCU since.
 *
 * Context: process, sleeps.
 */
void poller_settle(struct srqpool_shard *shard)
{
	if (!shard->wq)
		return;
	cancel_work_sync(&shard->poll);
	shard_settle(shard);
}
