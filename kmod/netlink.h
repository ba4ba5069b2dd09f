/* SPDX-License-Identifier: GPL-2.0 */
/* netlink: the generic netlink family; translates and owns no logic. */
#ifndef SRQPOOL_NETLINK_H
#define SRQPOOL_NETLINK_H

int netlink_init(void);
void netlink_exit(void);

#endif /* SRQPOOL_NETLINK_H */
