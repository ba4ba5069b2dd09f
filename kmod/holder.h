/* SPDX-License-Identifier: GPL-2.0 */
/* holder: programs and modules because of which the module cannot be unloaded. */
#ifndef SRQPOOL_HOLDER_H
#define SRQPOOL_HOLDER_H

#include <linux/atomic.h>
#include <linux/list.h>
#include <linux/module.h>
#include <linux/pid.h>
#include <linux/sched/signal.h>
#include <linux/srqpool.h>

/**
 * struct srqpool_holder - one of them; embedded in what it has
 * @node: all of them
 * @number: rises; to walk them
 * @pid: who opened the device, referenced; NULL for a module
 * @comm: its name; only in a copy
 * @module: name of the module, or empty
 * @pool: what it is attached to, or empty
 * @dev: that pool's device
 */
struct srqpool_holder {
	struct list_head node;
	u64 number;
	struct pid *pid;
	char comm[TASK_COMM_LEN];
	char module[MODULE_NAME_LEN];
	char pool[SRQPOOL_NAME_MAX + 1];
	char dev[64];
};

/* Rises when one comes, goes or attaches, so that a dump can tell. */
extern atomic_t holder_generation;

void holder_add(struct srqpool_holder *holder, const char *module);
void holder_attached(struct srqpool_holder *holder, const char *pool,
		     const char *dev);
void holder_del(struct srqpool_holder *holder);
bool holder_next(u64 number, struct srqpool_holder *copy);

#endif /* SRQPOOL_HOLDER_H */
