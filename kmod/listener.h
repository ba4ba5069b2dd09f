/* SPDX-License-Identifier: GPL-2.0 */
/* listener: an address and port where a pool accepts connections. */
#ifndef SRQPOOL_LISTENER_H
#define SRQPOOL_LISTENER_H

#include "accept.h"
#include "pool.h"

#define LISTENER_MAX_CONNS	1048576
#define LISTENER_DEFAULT_CONNS	16384

/**
 * struct listener_config - a listener as it was asked for
 * @class: name of the class, empty for the pool's first
 * @addr: where to listen, with the port
 * @mode: enum srqpool_mode
 * @max_conns: most pending and open connections
 */
struct listener_config {
	char class[SRQPOOL_NAME_MAX + 1];
	struct sockaddr_storage addr;
	u32 mode;
	u32 max_conns;
};

/**
 * struct srqpool_listener - a listener
 * @user: on the pool
 * @id: for users
 * @cfg: as asked for
 * @class: index of the class
 * @consumer: of its connections' messages
 * @created: visible
 * @deleting: somebody deletes it
 * @cm_id: listens, while attached; NULL while its address is not there
 * @listen: listens anew
 * @listened: it was possible to listen
 * @leaving: it is detached, or being so
 * @inst: the pool on its device, while attached
 * @group: its connections
 */
struct srqpool_listener {
	struct pool_user user;
	u64 id;
	struct listener_config cfg;
	u32 class;
	const struct accept_consumer *consumer;
	bool created;
	atomic_t deleting;
	struct rdma_cm_id *cm_id;
	struct delayed_work listen;
	bool listened;
	bool leaving;
	struct srqpool_instance *inst;
	struct conn_group group;
};

int listener_create(struct srqpool_pool *pool, const struct listener_config *cfg,
		    u64 *id, struct srqpool_refusal *r);
int listener_delete(struct srqpool_listener *listener,
		    struct srqpool_refusal *r);
struct srqpool_listener *listener_get(u64 id);
struct srqpool_listener *listener_next(u64 id);
void listener_put(struct srqpool_listener *listener);
int listener_init(void);
void listener_exit(void);

#endif /* SRQPOOL_LISTENER_H */
