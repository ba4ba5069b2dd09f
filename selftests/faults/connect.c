// SPDX-License-Identifier: GPL-2.0
/* Connects: the module serves them in the CM's threads and its own. */
#include <errno.h>
#include <linux/srqpool.h>
#include "faults.h"

static int setup_listener(void)
{
	return netlink_setup_pool() ?: netlink_listen(SRQPOOL_MODE_ECHO);
}

/* It is closed at once: what is left is nothing, whatever came out. */
static int connect_once(void)
{
	int err;

	fault_begin();
	err = client_connect();
	client_close();
	state_wait_conns(0);
	fault_end();
	return err;
}

#define CONNECT(_name, _setup, _kind, _quiet)	\
	{ .name = (_name), .setup = (_setup), .run = connect_once, .by_module = (_kind), \
	  .may_not_allocate = (_quiet), \
	  .errors = { ECONNREFUSED, ECONNRESET, ETIMEDOUT, EPROTO } }

const struct command connect_commands[] = {
	CONNECT("connect", setup_listener, "failslab", false),
	CONNECT("connect-pages", setup_listener, "fail_page_alloc", true),
	CONNECT("connect-ring", device_setup_ring, "failslab", false),
	CONNECT("connect-ring-pages", device_setup_ring, "fail_page_alloc", true),
	{}
};
