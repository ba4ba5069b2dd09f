/* SPDX-License-Identifier: GPL-2.0 */
/* stats: counters with one writer each, and what they add up to. */
#ifndef SRQPOOL_STATS_H
#define SRQPOOL_STATS_H

#include <linux/bitops.h>
#include <linux/compiler.h>
#include <rdma/ib_verbs.h>
#include <linux/srqpool.h>

#define STATS_WC_STATUSES	(IB_WC_GENERAL_ERR + 1)

/**
 * struct srqpool_hist_data - a histogram; see enum srqpool_hist
 * @count: values seen
 * @sum: of the values
 * @buckets: by power of two
 */
struct srqpool_hist_data {
	u64 count;
	u64 sum;
	u64 buckets[SRQPOOL_HIST_BUCKETS];
};

/**
 * struct srqpool_totals - everything a pool counts
 *
 * The fields are those of enum srqpool_stats_attr. A shard's poller and a
 * queue's lock holder each count in one of their own: no counter is shared.
 */
struct srqpool_totals {
	u64 rx_msgs;
	u64 rx_bytes;
	u64 tx_msgs;
	u64 tx_bytes;
	u64 limit_events;
	u64 spurious_events;
	u64 watchdog_refills;
	u64 refills;
	u64 refill_posted;
	u64 post_errors;
	u64 alloc_failures;
	u64 starved_events;
	u64 starved_ns;
	u64 copied;
	u64 quota_hits;
	u64 oversize;
	u64 wc_errors[STATS_WC_STATUSES];
	struct srqpool_hist_data refill_latency_ns;
	struct srqpool_hist_data hold_ns;
	struct srqpool_hist_data msg_bytes;
	struct srqpool_hist_data batch;
};

/* One writer; readers see each word whole on 64-bit kernels. */
static inline void stats_add(u64 *counter, u64 n)
{
	WRITE_ONCE(*counter, *counter + n);
}

static inline void hist_add(struct srqpool_hist_data *hist, u64 value)
{
	unsigned int bucket = value ? __fls(value) : 0;

	stats_add(&hist->count, 1);
	stats_add(&hist->sum, value);
	stats_add(&hist->buckets[bucket], 1);
}

/* Totals are nothing but u64 words, so they add and subtract as an array. */
static inline void totals_add(struct srqpool_totals *sum,
			      const struct srqpool_totals *part)
{
	const u64 *from = (const u64 *)part;
	u64 *to = (u64 *)sum;
	size_t i;

	for (i = 0; i < sizeof(*sum) / sizeof(u64); i++)
		to[i] += READ_ONCE(from[i]);
}

static inline void totals_sub(struct srqpool_totals *sum,
			      const struct srqpool_totals *part)
{
	const u64 *from = (const u64 *)part;
	u64 *to = (u64 *)sum;
	size_t i;

	for (i = 0; i < sizeof(*sum) / sizeof(u64); i++)
		to[i] -= from[i];
}

#endif /* SRQPOOL_STATS_H */
