/* SPDX-License-Identifier: GPL-2.0 */
/* chardev: /dev/srqpool, for programs that receive. */
#ifndef SRQPOOL_CHARDEV_H
#define SRQPOOL_CHARDEV_H

int chardev_init(void);
void chardev_exit(void);

#endif /* SRQPOOL_CHARDEV_H */
