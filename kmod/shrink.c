// SPDX-License-Identifier: GPL-2.0
#include <linux/mutex.h>
#include "compat.h"
#include "shrink.h"
#include "stock.h"

static LIST_HEAD(queues);
/* @queues. Nothing is allocated under it: the shrinker takes it by trylock. */
static DEFINE_MUTEX(queues_mutex);
static struct shrinker *shrinker;

/* In buffers; what is asked for and what is counted need not be exact. */
static unsigned long shrink_count(struct shrinker *s, struct shrink_control *sc)
{
	struct srqpool_queue *q;
	unsigned long n = 0;

	if (!mutex_trylock(&queues_mutex))
		return 0;
	list_for_each_entry(q, &queues, shrink)
		n += READ_ONCE(q->nr_free) - min(READ_ONCE(q->nr_reserve),
						 READ_ONCE(q->nr_free));
	mutex_unlock(&queues_mutex);
	return n ?: SHRINK_EMPTY;
}

static unsigned long shrink_scan(struct shrinker *s, struct shrink_control *sc)
{
	struct srqpool_slab *slab;
	struct srqpool_queue *q;
	unsigned long freed = 0;

	if (!mutex_trylock(&queues_mutex))
		return SHRINK_STOP;
	list_for_each_entry(q, &queues, shrink) {
		while (freed < sc->nr_to_scan &&
		       (slab = stock_take_surplus(q, U32_MAX))) {
			if (!buffer_slab_try_hide(q->mem, slab)) {
				stock_add(q, slab);
				break;
			}
			freed += slab->nr;
			stock_free_slab(q, slab);
		}
	}
	mutex_unlock(&queues_mutex);
	return freed ?: SHRINK_STOP;
}

/* From now on the free buffers of a queue can be taken. */
void shrink_add(struct srqpool_queue *q)
{
	mutex_lock(&queues_mutex);
	list_add_tail(&q->shrink, &queues);
	mutex_unlock(&queues_mutex);
}

/* And from now on they cannot. */
void shrink_del(struct srqpool_queue *q)
{
	mutex_lock(&queues_mutex);
	list_del_init(&q->shrink);
	mutex_unlock(&queues_mutex);
}

int shrink_init(void)
{
	shrinker = compat_shrinker_register(shrink_count, shrink_scan,
					    "srqpool");
	return shrinker ? 0 : -ENOMEM;
}

void shrink_exit(void)
{
	compat_shrinker_free(shrinker);
}
