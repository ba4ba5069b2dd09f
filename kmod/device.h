/* SPDX-License-Identifier: GPL-2.0 */
/* device: the RDMA devices there are, and their coming and going. */
#ifndef SRQPOOL_DEVICE_H
#define SRQPOOL_DEVICE_H

#include <linux/completion.h>
#include <linux/list.h>
#include <linux/refcount.h>
#include <rdma/ib_verbs.h>
#include "policy.h"

/* QPs that closed without LAST_WQE_REACHED before nobody waits for it. */
#define DEVICE_LAST_WQE_PATIENCE	8

/**
 * struct srqpool_device - one RDMA device
 * @list: all devices
 * @ibdev: the device; valid while a reference is held
 * @users: references; the removal callback waits until they are gone
 * @idle: completed by the last reference
 * @gone: being removed, no new reference is given
 * @no_last_wqe: QPs that closed without LAST_WQE_REACHED in a row
 * @event_handler: for drivers that report SRQ events only device-wide
 */
struct srqpool_device {
	struct list_head list;
	struct ib_device *ibdev;
	refcount_t users;
	struct completion idle;
	bool gone;
	atomic_t no_last_wqe;
	struct ib_event_handler event_handler;
};

/**
 * struct srqpool_device_ops - who wants to know
 * @added: a device is there; process context, may sleep
 * @removed: a device goes away: drop every reference, whatever it takes;
 *	process context
 * @srq_event: an SRQ event that came device-wide; any context, IRQs maybe off.
 *	@srq is only an address to compare
 */
struct srqpool_device_ops {
	void (*added)(struct srqpool_device *dev);
	void (*removed)(struct srqpool_device *dev);
	void (*srq_event)(struct ib_srq *srq);
};

int device_init(const struct srqpool_device_ops *ops);
void device_exit(void);
struct srqpool_device *device_get(const char *name);
void device_hold(struct srqpool_device *dev);
void device_put(struct srqpool_device *dev);
struct srqpool_device *device_next(u32 index);
void device_limits(struct srqpool_device *dev, struct srqpool_limits *lim);
bool device_rnr_naks(struct srqpool_device *dev, u64 *naks);

#endif /* SRQPOOL_DEVICE_H */
