// SPDX-License-Identifier: GPL-2.0
#include <linux/ktime.h>
#include "event.h"
#include "fault.h"
#include "stock.h"

/* What has not completed so long after a later one is taken for lost. */
#define LOST_AFTER_NS	(60ULL * NSEC_PER_SEC)

void stock_init(struct srqpool_queue *q)
{
	INIT_LIST_HEAD(&q->back);
	INIT_LIST_HEAD(&q->free);
	INIT_LIST_HEAD(&q->slabs);
}

/*
 * Free buffers. Those of the floor are posted first, so that the others come
 * to rest and their memory can go.
 */

static void push_free(struct srqpool_queue *q, struct srqpool_buf *buf)
{
	buf->state = BUFFER_FREE;
	buf->slab->nr_free++;
	if (buf->slab->keep)
		list_add(&buf->list, &q->free);
	else
		list_add_tail(&buf->list, &q->free);
}

static struct srqpool_buf *pop_free(struct srqpool_queue *q)
{
	struct srqpool_buf *buf = list_first_entry(&q->free, struct srqpool_buf,
						   list);

	list_del(&buf->list);
	buf->slab->nr_free--;
	return buf;
}

/* Length of @free: the handler reserve is not on it. */
static u32 nr_at_hand(const struct srqpool_queue *q)
{
	return q->nr_free - q->nr_reserve;
}

static u32 room(const struct srqpool_queue *q)
{
	return q->max_wr - q->posted;
}

/**
 * stock_add - take buffers in as free ones
 * @q: the queue
 * @slab: now the queue's
 *
 * Context: process.
 */
void stock_add(struct srqpool_queue *q, struct srqpool_slab *slab)
{
	u32 i;

	slab->nr_free = 0;
	spin_lock_irq(&q->lock);
	list_add_tail(&slab->list, &q->slabs);
	for (i = 0; i < slab->nr; i++) {
		slab->buf[i].queue = q;
		push_free(q, &slab->buf[i]);
	}
	q->nr_free += slab->nr;
	q->total += slab->nr;
	spin_unlock_irq(&q->lock);
}

/* Free buffers that neither the target nor the handler reserve asks for. */
static u32 surplus(const struct srqpool_queue *q)
{
	u32 need = q->reserve_size - min(q->reserve_size, q->nr_reserve);

	if (q->target > q->posted)
		need += q->target - q->posted;
	return nr_at_hand(q) - min(need, nr_at_hand(q));
}

/* The ceiling was lowered: whole slabs go until it holds. */
static bool too_many(const struct srqpool_queue *q)
{
	return q->total - q->lost > q->depth;
}

static bool can_go(const struct srqpool_queue *q, const struct srqpool_slab *slab,
		   u32 max)
{
	return slab->nr_free == slab->nr && slab->nr <= max &&
	       (too_many(q) || q->total - q->lost >= q->floor + slab->nr);
}

/* The newest first: the floor's are the oldest. */
static struct srqpool_slab *last_to_go(struct srqpool_queue *q, u32 max)
{
	struct srqpool_slab *slab;

	list_for_each_entry_reverse(slab, &q->slabs, list)
		if (can_go(q, slab, max))
			return slab;
	return NULL;
}

/**
 * stock_take_surplus - take free buffers out of a queue
 * @q: the queue
 * @max: most buffers
 *
 * Context: process, or with the lock free for a trylock: see stock_shrink().
 *
 * Return: a slab of at most @max buffers, all free and not needed here, that
 * is not the queue's any more; or NULL.
 */
struct srqpool_slab *stock_take_surplus(struct srqpool_queue *q, u32 max)
{
	struct srqpool_slab *slab = NULL;
	u32 i;

	if (!spin_trylock_irq(&q->lock))
		return NULL;
	if (q->stopping || q->rebuilding)
		goto unlock;
	if (!too_many(q))
		max = min(max, surplus(q));
	slab = max ? last_to_go(q, max) : NULL;
	if (!slab)
		goto unlock;
	for (i = 0; i < slab->nr; i++)
		list_del(&slab->buf[i].list);
	list_del(&slab->list);
	q->nr_free -= slab->nr;
	q->total -= slab->nr;
	slab->keep = false;
unlock:
	spin_unlock_irq(&q->lock);
	return slab;
}

/* Context: process. Frees what stock_take_surplus() gave. */
void stock_free_slab(struct srqpool_queue *q, struct srqpool_slab *slab)
{
	buffer_slab_free(q->mem, slab);
}

/*
 * Posting
 */

static void note_starved(struct srqpool_queue *q)
{
	if (q->posted) {
		if (!q->starved_since)
			return;
		stats_add(&q->stats.starved_ns, ktime_get_ns() - q->starved_since);
		q->starved_since = 0;
		event_raise(SRQPOOL_EVENT_RECOVERED, q->pool, q->cls.name,
			    q->shard, 0, "%u buffers posted again", q->posted);
		return;
	}
	if (q->starved_since)
		return;
	q->starved_since = ktime_get_ns();
	stats_add(&q->stats.starved_events, 1);
	event_raise(SRQPOOL_EVENT_STARVED, q->pool, q->cls.name, q->shard, 0,
		    "nothing posted, %u of %u held", q->held, q->total);
}

static void note_refill_latency(struct srqpool_queue *q)
{
	u64 since;

	if (!READ_ONCE(q->event_ns))
		return;
	since = xchg(&q->event_ns, 0);
	if (since)
		hist_add(&q->stats.refill_latency_ns, ktime_get_ns() - since);
}

/**
 * stock_prepare - make a buffer ready to be posted, the device's from now on
 * @q: the queue
 * @buf: owned by the CPU
 *
 * Context: any.
 */
void stock_prepare(struct srqpool_queue *q, struct srqpool_buf *buf)
{
	buf->cqe.done = q->recv;
	buf->rwr.wr_cqe = &buf->cqe;
	buf->rwr.sg_list = &buf->sge;
	buf->rwr.num_sge = 1;
	buf->sge.length = q->cls.size;
	buffer_to_device(q->mem->pd->device, buf);
}

/* Takes @n free buffers and makes a chain of them, the device's from now on. */
static struct ib_recv_wr *make_chain(struct srqpool_queue *q, u32 n)
{
	struct ib_recv_wr *first = NULL, **link = &first;
	struct srqpool_buf *buf;

	while (n--) {
		buf = pop_free(q);
		stock_prepare(q, buf);
		*link = &buf->rwr;
		link = &buf->rwr.next;
	}
	*link = NULL;
	return first;
}

/* Takes a chain, or the rest of one, back as free. */
static u32 unmake_chain(struct srqpool_queue *q, const struct ib_recv_wr *wr)
{
	struct srqpool_buf *buf;
	u32 n = 0;

	while (wr) {
		buf = container_of(wr, struct srqpool_buf, rwr);
		wr = wr->next;
		buffer_from_device(buf);
		push_free(q, buf);
		n++;
	}
	return n;
}

static int post_to(struct srqpool_queue *q, struct ib_qp *qp,
		   struct ib_recv_wr *first, const struct ib_recv_wr **bad)
{
	return qp ? ib_post_recv(qp, first, bad) :
		    fault_post_srq_recv(q->srq, first, bad);
}

/*
 * Posts a chain of @n, counted as free so far, to the SRQ or to a QP. Returns
 * how many were taken.
 */
static u32 post_chain(struct srqpool_queue *q, struct ib_qp *qp,
		      struct ib_recv_wr *first, u32 n)
{
	const struct ib_recv_wr *bad = NULL;
	struct ib_recv_wr *wr;

	for (wr = first; wr; wr = wr->next) {
		struct srqpool_buf *buf = container_of(wr, struct srqpool_buf,
						       rwr);

		buf->state = BUFFER_POSTED;
		buf->seq = ++q->seq;
		buf->since = 0;
	}
	if (post_to(q, qp, first, &bad)) {
		stats_add(&q->stats.post_errors, 1);
		/* A provider that names no element looked at none. */
		n -= unmake_chain(q, bad ? bad : first);
	}
	q->nr_free -= n;
	q->posted += n;
	if (n) {
		note_refill_latency(q);
		note_starved(q);
	}
	return n;
}

static bool may_post(const struct srqpool_queue *q)
{
	return !q->stopping && !q->rebuilding;
}

static u32 post_locked(struct srqpool_queue *q, u32 max)
{
	u32 want;

	if (!may_post(q) || q->target <= q->posted)
		return 0;
	want = min3(q->target - q->posted, room(q), nr_at_hand(q));
	want = min(want, max);
	return want ? post_chain(q, NULL, make_chain(q, want), want) : 0;
}

static u32 post_reserve_locked(struct srqpool_queue *q)
{
	struct ib_recv_wr *first = q->reserve;
	u32 n = q->nr_reserve;

	if (!n || !may_post(q) || room(q) < n)
		return 0;
	q->reserve = NULL;
	q->nr_reserve = 0;
	return post_chain(q, NULL, first, n);
}

/**
 * stock_post - post free buffers, as far as the target and the SRQ allow
 * @q: the queue
 * @max: most to post, up to QUEUE_CHAIN_MAX
 *
 * Context: any.
 *
 * Return: how many were posted.
 */
u32 stock_post(struct srqpool_queue *q, u32 max)
{
	unsigned long flags;
	u32 n;

	spin_lock_irqsave(&q->lock, flags);
	n = post_locked(q, max);
	spin_unlock_irqrestore(&q->lock, flags);
	return n;
}

/**
 * stock_post_reserve - post the handler reserve, whatever the target says
 * @q: the queue
 *
 * Context: any, IRQs maybe off under a lock of the driver that its
 * ib_post_srq_recv() does not take.
 *
 * Return: how many were posted.
 */
u32 stock_post_reserve(struct srqpool_queue *q)
{
	unsigned long flags;
	u32 n;

	spin_lock_irqsave(&q->lock, flags);
	n = post_reserve_locked(q);
	if (n) {
		stats_add(&q->stats.refills, 1);
		stats_add(&q->stats.refill_posted, n);
	}
	spin_unlock_irqrestore(&q->lock, flags);
	return n;
}

/**
 * stock_make_reserve - make the handler reserve as long as it can be
 * @q: the queue
 *
 * Context: the refill work, or before it runs.
 */
void stock_make_reserve(struct srqpool_queue *q)
{
	struct ib_recv_wr *chain, *last;
	u32 n;

	spin_lock_irq(&q->lock);
	if (q->nr_reserve >= q->reserve_size || !may_post(q))
		goto unlock;
	n = min(q->reserve_size - q->nr_reserve, nr_at_hand(q));
	/* What the target asks for goes first. */
	if (!n || q->posted < q->target)
		goto unlock;
	chain = make_chain(q, n);
	for (last = chain; last->next;)
		last = last->next;
	last->next = q->reserve;
	q->reserve = chain;
	q->nr_reserve += n;
unlock:
	spin_unlock_irq(&q->lock);
}

/**
 * stock_trim_reserve - make the handler reserve no longer than it should be
 * @q: the queue
 *
 * Context: under the queue's lock.
 */
void stock_trim_reserve(struct srqpool_queue *q)
{
	struct ib_recv_wr *wr;

	lockdep_assert_held(&q->lock);
	while (q->nr_reserve > q->reserve_size) {
		wr = q->reserve;
		q->reserve = wr->next;
		q->nr_reserve--;
		wr->next = NULL;
		unmake_chain(q, wr);
	}
}

static enum queue_level level_locked(const struct srqpool_queue *q)
{
	u32 mark = queue_mark(q, q->target);

	if (!q->posted || q->posted < mark)
		return QUEUE_LOW;
	return q->posted > mark ? QUEUE_ABOVE : QUEUE_AT_MARK;
}

/**
 * stock_level - where the posted buffers are to the mark
 * @q: the queue
 *
 * QUEUE_LOW is certain; the others are not, because consumed buffers may
 * still be in the CQ.
 *
 * Context: process.
 */
enum queue_level stock_level(struct srqpool_queue *q)
{
	enum queue_level level;

	spin_lock_irq(&q->lock);
	level = level_locked(q);
	spin_unlock_irq(&q->lock);
	return level;
}

/*
 * The way back, all in the shard's poller
 */

/**
 * stock_took - a receive completed, well or not
 * @q: the queue
 * @buf: now held
 *
 * Context: the shard's poller.
 */
void stock_took(struct srqpool_queue *q, struct srqpool_buf *buf)
{
	buffer_from_device(buf);
	if (buf->state == BUFFER_LOST)
		q->revived++;
	q->taken++;
	buf->state = BUFFER_HELD;
	if (buf->seq > q->done)
		WRITE_ONCE(q->done, buf->seq);
}

/**
 * stock_give_back - give a held buffer back from the poller
 * @q: the queue
 * @buf: held
 *
 * Context: the shard's poller; it is posted at the end of the batch.
 */
void stock_give_back(struct srqpool_queue *q, struct srqpool_buf *buf)
{
	list_add_tail(&buf->list, &q->back);
	q->nr_back++;
	if (q->immediate)
		stock_end_batch(q);
}

static void account_batch(struct srqpool_queue *q)
{
	struct srqpool_buf *buf, *next;

	q->posted -= q->taken - q->revived;
	q->lost -= q->revived;
	q->held += q->taken;
	q->consumed += q->taken;
	q->low_water = min(q->low_water, q->posted);
	q->max_in_use = max(q->max_in_use, q->held);
	q->held -= q->nr_back + q->reposted;
	q->posted += q->reposted;
	q->nr_free += q->nr_back;
	list_for_each_entry_safe(buf, next, &q->back, list)
		push_free(q, buf);
	INIT_LIST_HEAD(&q->back);
}

/* Nothing is left and nothing free: what waits for the handler must do. */
static void post_last(struct srqpool_queue *q)
{
	if (q->dedicated)
		return;
	if (!q->posted)
		post_reserve_locked(q);
	if (!q->stopping && !q->rebuilding)
		note_starved(q);
}

static void scan_lost(struct srqpool_queue *q);

/**
 * stock_end_batch - account a batch and post what came back, in one chain
 * @q: the queue
 *
 * Context: the shard's poller.
 */
void stock_end_batch(struct srqpool_queue *q)
{
	unsigned long flags;
	bool kick;

	if (test_bit(QUEUE_SCAN, &q->flags) &&
	    test_and_clear_bit(QUEUE_SCAN, &q->flags))
		scan_lost(q);
	if (!q->taken && !q->nr_back && !q->reposted)
		return;

	spin_lock_irqsave(&q->lock, flags);
	account_batch(q);
	while (post_locked(q, q->immediate ? 1 : QUEUE_CHAIN_MAX))
		;
	post_last(q);
	/* Without an SRQ what comes back is nobody's, and is to be freed. */
	kick = q->dedicated ? q->nr_back :
	       q->filled && !READ_ONCE(q->armed) && queue_mark(q, q->target) &&
	       level_locked(q) == QUEUE_ABOVE;
	spin_unlock_irqrestore(&q->lock, flags);

	q->taken = 0;
	q->revived = 0;
	q->nr_back = 0;
	q->reposted = 0;
	if (kick)
		queue_kick(q);
}

/*
 * Buffers that a QP has for itself
 */

/**
 * stock_post_own - post free buffers to a QP
 * @q: the queue
 * @qp: the QP; nothing completes on it yet
 * @posted: those that were posted are added
 * @max: most to post, up to QUEUE_CHAIN_MAX
 *
 * Context: process.
 *
 * Return: how many were posted.
 */
u32 stock_post_own(struct srqpool_queue *q, struct ib_qp *qp,
		   struct list_head *posted, u32 max)
{
	struct ib_recv_wr *wr;
	u32 n = 0, i;

	spin_lock_irq(&q->lock);
	max = min(max, nr_at_hand(q));
	if (!max || !may_post(q))
		goto unlock;
	wr = make_chain(q, max);
	n = post_chain(q, qp, wr, max);
	for (i = 0; i < n; i++, wr = wr->next)
		list_add_tail(&container_of(wr, struct srqpool_buf, rwr)->list,
			      posted);
unlock:
	spin_unlock_irq(&q->lock);
	return n;
}

/**
 * stock_reposted - count buffers that went from held to posted
 * @q: the queue
 * @n: how many
 *
 * Context: the shard's poller.
 */
void stock_reposted(struct srqpool_queue *q, u32 n)
{
	q->reposted += n;
}

static void reclaim(struct srqpool_queue *q, struct srqpool_buf *buf)
{
	if (buf->state == BUFFER_POSTED)
		q->posted--;
	else if (buf->state == BUFFER_LOST)
		q->lost--;
	else
		return;
	buffer_from_device(buf);
	push_free(q, buf);
	q->nr_free++;
}

/**
 * stock_reclaim_own - take back what a destroyed QP had
 * @q: the queue
 * @posted: its buffers that did not complete
 *
 * Context: process; the QP's completions are dealt with.
 */
void stock_reclaim_own(struct srqpool_queue *q, struct list_head *posted)
{
	struct srqpool_buf *buf, *next;

	spin_lock_irq(&q->lock);
	list_for_each_entry_safe(buf, next, posted, list) {
		list_del(&buf->list);
		reclaim(q, buf);
	}
	spin_unlock_irq(&q->lock);
}

/*
 * Lost buffers: the device took them, and will not complete them. It fills
 * them in the order of the posts, so what has not completed though a later
 * one has is overdue: its message is under way, or it was swallowed.
 */

/**
 * stock_overdue - can there be buffers that were overtaken?
 * @q: the queue
 *
 * Context: process.
 */
bool stock_overdue(struct srqpool_queue *q)
{
	bool overdue;

	spin_lock_irq(&q->lock);
	overdue = q->posted > q->seq - min(READ_ONCE(q->done), q->seq);
	spin_unlock_irq(&q->lock);
	return overdue;
}

/*
 * Epochs tell whether all connections that were bound at some time are gone:
 * two are counted, and a new one begins when the older has none left.
 */
static bool outlived(const struct srqpool_queue *q, u32 epoch)
{
	return !queue_conns(q) || q->epoch - epoch >= 2 ||
	       (q->epoch != epoch && !q->epoch_conns[epoch & 1]);
}

static void next_epoch(struct srqpool_queue *q)
{
	if (!q->epoch_conns[(q->epoch + 1) & 1])
		q->epoch++;
}

static void scan_buffer(struct srqpool_queue *q, struct srqpool_buf *buf, u64 now)
{
	if (buf->state != BUFFER_POSTED || buf->seq >= q->done)
		return;
	if (!buf->since) {
		buf->since = now;
		buf->epoch = q->epoch;
	}
	if (!outlived(q, buf->epoch) && now - buf->since < LOST_AFTER_NS)
		return;
	buf->state = BUFFER_LOST;
	q->posted--;
	q->lost++;
}

static void scan_lost(struct srqpool_queue *q)
{
	struct srqpool_slab *slab;
	u64 now = ktime_get_ns();
	u32 before, i;
	bool degraded;

	spin_lock_irq(&q->lock);
	before = q->lost;
	next_epoch(q);
	list_for_each_entry(slab, &q->slabs, list)
		for (i = 0; i < slab->nr; i++)
			scan_buffer(q, &slab->buf[i], now);
	degraded = policy_degraded(q->lost, q->depth) &&
		   !policy_degraded(before, q->depth);
	/* They are made up for. */
	if (q->lost > before)
		queue_kick(q);
	spin_unlock_irq(&q->lock);
	if (degraded)
		event_raise(SRQPOOL_EVENT_DEGRADED, q->pool, q->cls.name,
			    q->shard, 0, "%u buffers lost, the ceiling is %u",
			    q->lost, q->depth);
}

/*
 * The end
 */

/**
 * stock_reclaim - take back what a destroyed SRQ had
 * @q: its SRQ is gone, and so are its connections and their completions;
 *	nothing is posted and nobody takes slabs
 *
 * Context: the refill work.
 */
void stock_reclaim(struct srqpool_queue *q)
{
	struct srqpool_slab *slab;
	u32 i;

	/* Nobody changes the list now; each slab is short. */
	list_for_each_entry(slab, &q->slabs, list) {
		spin_lock_irq(&q->lock);
		for (i = 0; i < slab->nr; i++)
			reclaim(q, &slab->buf[i]);
		spin_unlock_irq(&q->lock);
	}
}

/**
 * stock_free - free all buffers
 * @q: its SRQ, if there was one, is destroyed, and so is its CQ
 * @lock: what buffers that are still held are given back under by now, by
 *	buffer_give_back_late()
 *
 * Context: process, sleeps.
 */
void stock_free(struct srqpool_queue *q, spinlock_t *lock)
{
	struct srqpool_slab *slab, *next;
	LIST_HEAD(slabs);

	spin_lock_irq(&q->lock);
	q->total = 0;
	q->posted = 0;
	q->held = 0;
	q->nr_free = 0;
	q->nr_reserve = 0;
	q->reserve = NULL;
	q->lost = 0;
	INIT_LIST_HEAD(&q->free);
	list_splice_init(&q->slabs, &slabs);
	spin_unlock_irq(&q->lock);
	list_for_each_entry_safe(slab, next, &slabs, list)
		buffer_slab_leave(q->mem, slab, lock);
}
