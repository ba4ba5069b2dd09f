// SPDX-License-Identifier: GPL-2.0
#include <linux/minmax.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "event_log.h"

/**
 * event_log_alloc - make an empty log
 * @pool: name of the pool
 *
 * Return: the log, or NULL. @named, @id and @rest are the caller's.
 */
struct event_log *event_log_alloc(const char *pool)
{
	struct event_log *log = kvzalloc(sizeof(*log), GFP_KERNEL);

	if (log)
		strscpy(log->pool, pool, sizeof(log->pool));
	return log;
}

void event_log_free(struct event_log *log)
{
	kvfree(log);
}

/**
 * event_log_keep - add an event, in place of the oldest if the log is full
 * @log: the log
 * @ev: the event
 */
void event_log_keep(struct event_log *log, const struct srqpool_event *ev)
{
	log->events[log->kept++ % EVENT_LOG_SIZE] = *ev;
}

static u64 oldest(const struct event_log *log)
{
	return log->kept - min_t(u64, log->kept, EVENT_LOG_SIZE);
}

/**
 * event_log_read - read the event at a cursor
 * @log: the log
 * @at: where; one of another log, or of none, begins here
 * @ev: out, the event
 *
 * What is added after the cursor began is not read. What it had not read and
 * was replaced meanwhile is missed.
 *
 * Return: false at the end.
 */
bool event_log_read(const struct event_log *log, struct event_cursor *at,
		    struct srqpool_event *ev)
{
	if (at->log != log->id) {
		at->missed |= at->next < at->end;
		at->log = log->id;
		at->next = oldest(log);
		at->end = log->kept;
	}
	if (at->next < at->end && at->next < oldest(log)) {
		at->missed = true;
		at->next = oldest(log);
	}
	if (at->next >= at->end)
		return false;
	*ev = log->events[at->next % EVENT_LOG_SIZE];
	return true;
}
