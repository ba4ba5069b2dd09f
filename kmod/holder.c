// SPDX-License-Identifier: GPL-2.0
#include <linux/mutex.h>
#include <linux/sched/task.h>
#include "holder.h"

static LIST_HEAD(holders);
static DEFINE_MUTEX(holders_lock);
static u64 last_number;
atomic_t holder_generation;

/**
 * holder_add - somebody holds the module from now on
 * @holder: set up by this
 * @module: its name; NULL: the current task
 *
 * Context: process, sleeps.
 */
void holder_add(struct srqpool_holder *holder, const char *module)
{
	memset(holder, 0, sizeof(*holder));
	if (module)
		strscpy(holder->module, module, sizeof(holder->module));
	else
		holder->pid = get_pid(task_tgid(current));
	mutex_lock(&holders_lock);
	holder->number = ++last_number;
	list_add_tail(&holder->node, &holders);
	mutex_unlock(&holders_lock);
	atomic_inc(&holder_generation);
}

/**
 * holder_attached - it uses a pool
 * @holder: added
 * @pool: name of the pool
 * @dev: name of its device
 *
 * Context: process, sleeps.
 */
void holder_attached(struct srqpool_holder *holder, const char *pool,
		     const char *dev)
{
	mutex_lock(&holders_lock);
	strscpy(holder->pool, pool, sizeof(holder->pool));
	strscpy(holder->dev, dev, sizeof(holder->dev));
	mutex_unlock(&holders_lock);
	atomic_inc(&holder_generation);
}

/**
 * holder_del - it does not hold the module any more
 * @holder: added
 *
 * Context: process, sleeps.
 */
void holder_del(struct srqpool_holder *holder)
{
	mutex_lock(&holders_lock);
	list_del(&holder->node);
	mutex_unlock(&holders_lock);
	put_pid(holder->pid);
	atomic_inc(&holder_generation);
}

/* Its name: that of the program it runs now. */
static void name_task(struct srqpool_holder *holder)
{
	struct task_struct *task = get_pid_task(holder->pid, PIDTYPE_TGID);

	if (!task)
		return;
	get_task_comm(holder->comm, task);
	put_task_struct(task);
}

/**
 * holder_next - walk them
 * @number: to start at
 * @copy: out, the first from there on; its pid is referenced
 *
 * Context: process, sleeps.
 *
 * Return: false after the last.
 */
bool holder_next(u64 number, struct srqpool_holder *copy)
{
	struct srqpool_holder *holder;

	mutex_lock(&holders_lock);
	list_for_each_entry(holder, &holders, node) {
		if (holder->number < number)
			continue;
		*copy = *holder;
		get_pid(copy->pid);
		mutex_unlock(&holders_lock);
		name_task(copy);
		return true;
	}
	mutex_unlock(&holders_lock);
	return false;
}
