// SPDX-License-Identifier: GPL-2.0
#include <linux/cpumask.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <net/net_namespace.h>
#include "device.h"
#include "event.h"
#include "fault.h"

static LIST_HEAD(devices);
static DEFINE_MUTEX(devices_lock);
static const struct srqpool_device_ops *device_ops;

static void device_event(struct ib_event_handler *handler, struct ib_event *ev)
{
	if (ev->event == IB_EVENT_SRQ_LIMIT_REACHED ||
	    ev->event == IB_EVENT_SRQ_ERR)
		device_ops->srq_event(ev->element.srq);
}

static int client_add(struct ib_device *ibdev);
static void client_remove(struct ib_device *ibdev, void *data);

static struct ib_client client = {
	.name	= "srqpool",
	.add	= client_add,
	.remove	= client_remove,
};

static int client_add(struct ib_device *ibdev)
{
	struct srqpool_device *dev;

	/* One that is moved there was removed here. */
	if (!net_eq(read_pnet(&ibdev->coredev.rdma_net), &init_net))
		return -EOPNOTSUPP;
	dev = kzalloc(sizeof(*dev), GFP_KERNEL);
	if (!dev)
		return -ENOMEM;
	dev->ibdev = ibdev;
	refcount_set(&dev->users, 1);
	init_completion(&dev->idle);
	INIT_IB_EVENT_HANDLER(&dev->event_handler, ibdev, device_event);
	ib_register_event_handler(&dev->event_handler);
	ib_set_client_data(ibdev, &client, dev);

	mutex_lock(&devices_lock);
	list_add_tail(&dev->list, &devices);
	mutex_unlock(&devices_lock);
	atomic_inc(&event_generation);
	device_ops->added(dev);
	return 0;
}

static void client_remove(struct ib_device *ibdev, void *data)
{
	struct srqpool_device *dev = data;

	mutex_lock(&devices_lock);
	dev->gone = true;
	list_del(&dev->list);
	mutex_unlock(&devices_lock);
	atomic_inc(&event_generation);

	device_ops->removed(dev);
	device_put(dev);
	/* What still holds a reference is tearing down or refused soon. */
	wait_for_completion(&dev->idle);
	ib_unregister_event_handler(&dev->event_handler);
	kfree(dev);
}

/**
 * device_get - find a device and take a reference
 * @name: as in "rxe0"
 *
 * Context: process.
 *
 * Return: the device or NULL. device_put() it soon: its removal waits.
 */
struct srqpool_device *device_get(const char *name)
{
	struct srqpool_device *dev;

	mutex_lock(&devices_lock);
	list_for_each_entry(dev, &devices, list) {
		if (!strcmp(dev_name(&dev->ibdev->dev), name)) {
			refcount_inc(&dev->users);
			mutex_unlock(&devices_lock);
			return dev;
		}
	}
	mutex_unlock(&devices_lock);
	return NULL;
}

/**
 * device_next - walk the devices
 * @index: how many to skip
 *
 * Return: the device with a reference, or NULL after the last.
 */
struct srqpool_device *device_next(u32 index)
{
	struct srqpool_device *dev;

	mutex_lock(&devices_lock);
	list_for_each_entry(dev, &devices, list) {
		if (!index--) {
			refcount_inc(&dev->users);
			mutex_unlock(&devices_lock);
			return dev;
		}
	}
	mutex_unlock(&devices_lock);
	return NULL;
}

/* Another reference, by somebody who holds one. */
void device_hold(struct srqpool_device *dev)
{
	refcount_inc(&dev->users);
}

void device_put(struct srqpool_device *dev)
{
	if (refcount_dec_and_test(&dev->users))
		complete(&dev->idle);
}

/**
 * device_limits - what a device allows a pool
 * @dev: the device
 * @lim: filled in
 */
void device_limits(struct srqpool_device *dev, struct srqpool_limits *lim)
{
	const struct ib_device_attr *attrs = &dev->ibdev->attrs;

	lim->max_srq = max(attrs->max_srq, 0);
	lim->max_srq_wr = fault_limit(FAULT_MAX_SRQ_WR, max(attrs->max_srq_wr, 0));
	lim->max_cqe = fault_limit(FAULT_MAX_CQE, max(attrs->max_cqe, 0));
	lim->vectors = max(dev->ibdev->num_comp_vectors, 1);
	lim->cpus = num_online_cpus();
}

/* The counters by which devices tell that they found no receive posted. */
static bool is_rnr_counter(const char *name)
{
	return !strcmp(name, "send_rnr_err") ||	/* rxe */
	       !strcmp(name, "out_of_buffer");	/* mlx5 */
}

static bool port_rnr_naks(struct ib_device *ibdev, u32 port, u64 *naks)
{
	struct rdma_hw_stats *stats = ibdev->ops.alloc_hw_port_stats(ibdev, port);
	bool found = false;
	int i;

	if (!stats)
		return false;
	if (ibdev->ops.get_hw_stats(ibdev, stats, port, stats->num_counters) < 0)
		goto out;
	for (i = 0; i < stats->num_counters; i++) {
		if (is_rnr_counter(stats->descs[i].name)) {
			*naks += stats->value[i];
			found = true;
		}
	}
out:
	rdma_free_hw_stats_struct(stats);
	return found;
}

/**
 * device_rnr_naks - RNR NAKs a device sent since it is there
 * @dev: the device
 * @naks: out
 *
 * Context: process.
 *
 * Return: false if the device does not count them.
 */
bool device_rnr_naks(struct srqpool_device *dev, u64 *naks)
{
	struct ib_device *ibdev = dev->ibdev;
	bool found = false;
	u32 port;

	*naks = 0;
	if (!ibdev->ops.alloc_hw_port_stats || !ibdev->ops.get_hw_stats)
		return false;
	rdma_for_each_port(ibdev, port)
		found |= port_rnr_naks(ibdev, port, naks);
	return found;
}

/**
 * device_init - start to see devices
 * @ops: called for each device there is, at once, and for what follows
 *
 * Return: 0 or a negative errno.
 */
int device_init(const struct srqpool_device_ops *ops)
{
	device_ops = ops;
	return ib_register_client(&client);
}

void device_exit(void)
{
	ib_unregister_client(&client);
}
