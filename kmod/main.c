// SPDX-License-Identifier: GPL-2.0
#include <linux/module.h>
#include <net/genetlink.h>
#include "chardev.h"
#include "event.h"
#include "fault.h"
#include "listener.h"
#include "map.h"
#include "netlink.h"
#include "pool.h"

static int __init srqpool_init(void)
{
	int ret;

	ret = event_init();
	if (ret)
		return ret;
	ret = map_init();
	if (ret)
		goto exit_event;
	ret = listener_init();
	if (ret)
		goto exit_map;
	ret = pool_init();
	if (ret)
		goto exit_listener;
	ret = netlink_init();
	if (ret)
		goto exit_pool;
	ret = chardev_init();
	if (ret)
		goto exit_netlink;
	fault_init();
	return 0;

exit_netlink:
	netlink_exit();
exit_pool:
	pool_exit();
exit_listener:
	listener_exit();
exit_map:
	map_exit();
exit_event:
	event_exit();
	return ret;
}

static void __exit srqpool_exit(void)
{
	fault_exit();
	chardev_exit();
	netlink_exit();
	pool_exit();
	listener_exit();
	event_exit();
	rcu_barrier();
	map_exit();
}

module_init(srqpool_init);
module_exit(srqpool_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("RDMA shared receive queue pools");
MODULE_ALIAS_GENL_FAMILY(SRQPOOL_GENL_NAME);
