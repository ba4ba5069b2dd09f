/* SPDX-License-Identifier: GPL-2.0 */
/*
 * event_log: the last events of one pool, and how many of each kind it raised
 * in this second. A structure only: event.c has the lock.
 */
#ifndef SRQPOOL_EVENT_LOG_H
#define SRQPOOL_EVENT_LOG_H

#include <linux/list.h>
#include <linux/workqueue.h>
#include "event.h"
#include "policy.h"

#define EVENT_LOG_SIZE	256
#define EVENT_TYPES	(SRQPOOL_EVENT_DEGRADED + 1)

/**
 * struct event_log - a pool's
 * @named: where it is found by the pool's name
 * @id: never used twice
 * @pool: the name
 * @kept: events kept so far, of which the last EVENT_LOG_SIZE are there
 * @rates: of each kind of event
 * @rest: tells what was kept back, when the second is over
 * @events: number n is at n % EVENT_LOG_SIZE
 */
struct event_log {
	struct hlist_node named;
	u64 id;
	char pool[SRQPOOL_NAME_MAX + 1];
	u64 kept;
	struct policy_rate rates[EVENT_TYPES];
	struct delayed_work rest;
	struct srqpool_event events[EVENT_LOG_SIZE];
};

struct event_log *event_log_alloc(const char *pool);
void event_log_free(struct event_log *log);
void event_log_keep(struct event_log *log, const struct srqpool_event *ev);
bool event_log_read(const struct event_log *log, struct event_cursor *at,
		    struct srqpool_event *ev);

#endif /* SRQPOOL_EVENT_LOG_H */
