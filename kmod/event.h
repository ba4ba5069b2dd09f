/* SPDX-License-Identifier: GPL-2.0 */
/* event: what operators are told, from any context, built in work; and what they were told. */
#ifndef SRQPOOL_EVENT_H
#define SRQPOOL_EVENT_H

#include <linux/atomic.h>
#include <linux/types.h>
#include <linux/srqpool.h>

#define EVENT_NO_SHARD	U32_MAX

/**
 * struct srqpool_event - one event
 * @seq: rises by one with each event raised, dropped ones included
 * @time_ns: CLOCK_REALTIME
 * @type: enum srqpool_event_type
 * @shard: EVENT_NO_SHARD if it concerns none
 * @conn: connection id, 0 if it concerns none
 * @pool: name
 * @class: name, empty if it concerns none
 * @text: for people
 */
struct srqpool_event {
	u32 seq;
	u32 type;
	u64 time_ns;
	u64 conn;
	u32 shard;
	char pool[SRQPOOL_NAME_MAX + 1];
	char class[SRQPOOL_NAME_MAX + 1];
	char text[96];
};

/**
 * struct event_cursor - where somebody is who reads the last events of a pool
 * @log: id of what is read, 0 at the beginning
 * @next: number of the event to read
 * @end: the one before which to end
 * @missed: some were gone before they were read
 */
struct event_cursor {
	u64 log;
	u64 next;
	u64 end;
	bool missed;
};

/* Rises when an object comes or goes, so that a dump can tell. */
extern atomic_t event_generation;

typedef void (*event_sink_t)(const struct srqpool_event *ev);

int event_init(void);
void event_exit(void);
void event_set_sink(event_sink_t sink);

int event_add_pool(const char *pool);
void event_del_pool(const char *pool);
bool event_next(const char *pool, struct event_cursor *at,
		struct srqpool_event *ev);

__printf(6, 7)
void event_raise(u32 type, const char *pool, const char *class, u32 shard,
		 u64 conn, const char *fmt, ...);

#endif /* SRQPOOL_EVENT_H */
