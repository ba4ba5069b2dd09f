/* SPDX-License-Identifier: GPL-2.0 */
/* What differs between the kernels srqpool builds for, 6.1 and later. */
#ifndef SRQPOOL_COMPAT_H
#define SRQPOOL_COMPAT_H

#include <net/genetlink.h>

static inline struct nlattr **compat_dump_attrs(struct netlink_callback *cb)
{
#ifdef HAVE_GENL_INFO_DUMP	/* since 6.6 */
	return genl_dumpit_info(cb)->info.attrs;
#else
	return genl_dumpit_info(cb)->attrs;
#endif
}

#endif /* SRQPOOL_COMPAT_H */
