/* SPDX-License-Identifier: (GPL-2.0 WITH Linux-syscall-note) OR BSD-3-Clause */
/*
 * srqpool: generic netlink interface, and /dev/srqpool at the end.
 *
 * Every command works on one object and takes and gives that object's own
 * attribute set: SRQPOOL_CMD_POOL_* carry SRQPOOL_A_POOL_*, and so on.
 * Documentation/netlink/specs/srqpool.yaml describes the same for machines.
 *
 * Commands that change something need CAP_NET_ADMIN in the initial user
 * namespace and a socket of the initial network namespace, else EPERM.
 * GET commands need no privilege there; in another network namespace no
 * object is visible. A refusal carries an extended-ACK message; an accepted
 * request can carry one too, which is then a warning.
 */
#ifndef _UAPI_LINUX_SRQPOOL_H
#define _UAPI_LINUX_SRQPOOL_H

#include <linux/ioctl.h>
#include <linux/types.h>

#define SRQPOOL_GENL_NAME	"srqpool"
#define SRQPOOL_MCGRP_EVENTS	"events"

/*
 * A client built for another major must not talk to the module; another
 * minor only means that one side knows attributes the other does not.
 * Reported as the family's version (CTRL_ATTR_VERSION): major << 8 | minor.
 */
#define SRQPOOL_UAPI_MAJOR	1
#define SRQPOOL_UAPI_MINOR	4
#define SRQPOOL_GENL_VERSION	((SRQPOOL_UAPI_MAJOR << 8) | SRQPOOL_UAPI_MINOR)

/* Longest pool and class names, without the terminating NUL. */
#define SRQPOOL_NAME_MAX	31
/* Most classes in a pool. */
#define SRQPOOL_CLASSES_MAX	8
/* Smallest and largest receive buffer, in bytes. */
#define SRQPOOL_SIZE_MIN	64
#define SRQPOOL_SIZE_MAX	(4U << 20)

/* First words of struct srqpool_connect_data. */
#define SRQPOOL_CONNECT_MAGIC	0x73727170	/* "srqp" */
#define SRQPOOL_CONNECT_VERSION	1

/**
 * struct srqpool_connect_data - what a peer may put in its connect request
 * @magic: SRQPOOL_CONNECT_MAGIC; other private data is not looked at
 * @version: SRQPOOL_CONNECT_VERSION
 * @reserved: 0
 * @max_message: bytes of the largest message it will send: it gets the smallest
 *	class that holds one, instead of the listener's
 *
 * Private data of an RDMA-CM connect request, big endian.
 */
struct srqpool_connect_data {
	__be32 magic;
	__be16 version;
	__be16 reserved;
	__be32 max_message;
};

/**
 * enum srqpool_cmd - commands of the family
 * @SRQPOOL_CMD_DEV_GET: do (DEV_NAME) or dump the RDMA devices
 * @SRQPOOL_CMD_POOL_NEW: create a pool. Needs POOL_NAME, POOL_DEV and at
 *	least one POOL_CLASS. EEXIST: the name is taken; ENODEV: no such
 *	device; EOPNOTSUPP: the device has no SRQ; ENOSPC: over the budget;
 *	ERANGE: over a limit of the device
 * @SRQPOOL_CMD_POOL_SET: change a pool (POOL_NAME): all or nothing of
 *	POOL_BUDGET, POOL_RNR_TIMER_US (for later connections), POOL_POLL,
 *	POOL_POLL_USEC, POOL_QUOTA, POOL_QUOTA_POLICY, POOL_RESERVE,
 *	POOL_COPYBREAK, POOL_AGING, POOL_KEEPALIVE, and of a class the mark,
 *	the floor, and the ceiling. EOPNOTSUPP: a live pool cannot change it;
 *	EBUSY: a ceiling can be raised only while the class has no connection;
 *	ENOSPC: over the budget or the credits of the CQ
 * @SRQPOOL_CMD_POOL_DEL: delete a pool (POOL_NAME). EBUSY: it has listeners
 *	or connections and POOL_FORCE is not given. Returns when all is freed
 * @SRQPOOL_CMD_POOL_GET: do (POOL_NAME) or dump
 * @SRQPOOL_CMD_POOL_RESET: restart the statistics of a pool (POOL_NAME)
 * @SRQPOOL_CMD_QUEUE_GET: dump the queues; QUEUE_POOL filters
 * @SRQPOOL_CMD_LISTENER_NEW: listen. Needs LISTENER_POOL, LISTENER_ADDR and
 *	LISTENER_PORT; the reply carries LISTENER_ID. EADDRINUSE: the port is
 *	taken; EADDRNOTAVAIL: not an address of the pool's device
 * @SRQPOOL_CMD_LISTENER_DEL: stop listening (LISTENER_ID) and close the
 *	connections it accepted
 * @SRQPOOL_CMD_LISTENER_GET: do (LISTENER_ID) or dump
 * @SRQPOOL_CMD_CONN_GET: do (CONN_ID) or dump; CONN_POOL filters
 * @SRQPOOL_CMD_CONN_DEL: close a connection (CONN_ID). Returns at once
 * @SRQPOOL_CMD_STATS_GET: do (STATS_NAME) or dump the pools' statistics
 * @SRQPOOL_CMD_EVENT_NTF: notification on the "events" group
 * @SRQPOOL_CMD_HOLDER_GET: dump the programs that have the device file open, and
 *	the modules that use pools: while there is one, the module stays loaded
 * @SRQPOOL_CMD_EVENT_GET: dump the last 256 events of a pool (EVENT_POOL), the
 *	oldest first; they are forgotten with the pool. EINVAL: no pool is named
 */
enum srqpool_cmd {
	SRQPOOL_CMD_UNSPEC,
	SRQPOOL_CMD_DEV_GET,
	SRQPOOL_CMD_POOL_NEW,
	SRQPOOL_CMD_POOL_SET,
	SRQPOOL_CMD_POOL_DEL,
	SRQPOOL_CMD_POOL_GET,
	SRQPOOL_CMD_POOL_RESET,
	SRQPOOL_CMD_QUEUE_GET,
	SRQPOOL_CMD_LISTENER_NEW,
	SRQPOOL_CMD_LISTENER_DEL,
	SRQPOOL_CMD_LISTENER_GET,
	SRQPOOL_CMD_CONN_GET,
	SRQPOOL_CMD_CONN_DEL,
	SRQPOOL_CMD_STATS_GET,
	SRQPOOL_CMD_EVENT_NTF,
	SRQPOOL_CMD_HOLDER_GET,
	SRQPOOL_CMD_EVENT_GET,

	__SRQPOOL_CMD_MAX,
	SRQPOOL_CMD_MAX = (__SRQPOOL_CMD_MAX - 1)
};

/**
 * enum srqpool_holder_attr - attributes of a holder (SRQPOOL_A_HOLDER_*)
 * @SRQPOOL_A_HOLDER_DEV: string, device of its pool; not there without a pool
 * @SRQPOOL_A_HOLDER_POOL: string, the pool it attached to, which may be gone
 * @SRQPOOL_A_HOLDER_PID: u32, process that opened the device file, in the PID
 *	namespace of who asks; 0 if it is not there
 * @SRQPOOL_A_HOLDER_COMM: string, its name; only with a PID that is not 0
 * @SRQPOOL_A_HOLDER_MODULE: string, the module; then there is no PID and no COMM
 */
enum srqpool_holder_attr {
	SRQPOOL_A_HOLDER_UNSPEC,
	SRQPOOL_A_HOLDER_DEV,
	SRQPOOL_A_HOLDER_POOL,
	SRQPOOL_A_HOLDER_PID,
	SRQPOOL_A_HOLDER_COMM,
	SRQPOOL_A_HOLDER_MODULE,

	__SRQPOOL_A_HOLDER_MAX,
	SRQPOOL_A_HOLDER_MAX = (__SRQPOOL_A_HOLDER_MAX - 1)
};

/**
 * enum srqpool_dev_attr - an RDMA device
 * @SRQPOOL_A_DEV_NAME: string
 * @SRQPOOL_A_DEV_GUID: u64, node GUID, host byte order
 * @SRQPOOL_A_DEV_SRQ: u8, 1 when the device has shared receive queues
 * @SRQPOOL_A_DEV_MAX_SRQ: u32, most SRQs of the device
 * @SRQPOOL_A_DEV_MAX_SRQ_WR: u32, deepest SRQ
 * @SRQPOOL_A_DEV_MAX_CQE: u32, largest CQ
 * @SRQPOOL_A_DEV_VECTORS: u32, completion vectors
 * @SRQPOOL_A_DEV_POOLS: u32, pools on it
 * @SRQPOOL_A_DEV_CONNS: u32, connections of these pools
 * @SRQPOOL_A_DEV_PINNED: u64, bytes these pools pin
 * @SRQPOOL_A_DEV_PAD: padding
 */
enum srqpool_dev_attr {
	SRQPOOL_A_DEV_UNSPEC,
	SRQPOOL_A_DEV_NAME,
	SRQPOOL_A_DEV_GUID,
	SRQPOOL_A_DEV_SRQ,
	SRQPOOL_A_DEV_MAX_SRQ,
	SRQPOOL_A_DEV_MAX_SRQ_WR,
	SRQPOOL_A_DEV_MAX_CQE,
	SRQPOOL_A_DEV_VECTORS,
	SRQPOOL_A_DEV_POOLS,
	SRQPOOL_A_DEV_CONNS,
	SRQPOOL_A_DEV_PINNED,
	SRQPOOL_A_DEV_PAD,

	__SRQPOOL_A_DEV_MAX,
	SRQPOOL_A_DEV_MAX = (__SRQPOOL_A_DEV_MAX - 1)
};

/**
 * enum srqpool_pool_state - state of a pool
 * @SRQPOOL_POOL_ACTIVE: on its device, serving
 * @SRQPOOL_POOL_DEGRADED: serving, but too many buffers are lost
 * @SRQPOOL_POOL_DETACHED: its device is gone; the configuration is kept
 * @SRQPOOL_POOL_DELETING: being torn down
 */
enum srqpool_pool_state {
	SRQPOOL_POOL_ACTIVE,
	SRQPOOL_POOL_DEGRADED,
	SRQPOOL_POOL_DETACHED,
	SRQPOOL_POOL_DELETING,
};

/**
 * enum srqpool_poll - how the completion queues are polled
 * @SRQPOOL_POLL_AUTO: by event, with a short spin where batches are small and
 *	spinning is seen to find more
 * @SRQPOOL_POLL_EVENT: arm, wait for the interrupt, poll
 * @SRQPOOL_POLL_BUSY: a kernel thread for each shard never stops polling
 * @SRQPOOL_POLL_HYBRID: spin for POOL_POLL_USEC after the last completion,
 *	then arm
 */
enum srqpool_poll {
	SRQPOOL_POLL_AUTO,
	SRQPOOL_POLL_EVENT,
	SRQPOOL_POLL_BUSY,
	SRQPOOL_POLL_HYBRID,
};

/* Longest spin of SRQPOOL_POLL_HYBRID, and the one if none is given, in us. */
#define SRQPOOL_POLL_USEC_MAX		10000
#define SRQPOOL_POLL_USEC_DEFAULT	50

/**
 * enum srqpool_refill - when buffers are posted again
 * @SRQPOOL_REFILL_WATERMARK: in chains, and when the limit event says so
 * @SRQPOOL_REFILL_IMMEDIATE: each buffer alone as it comes back, no event; a
 *	baseline to compare with
 */
enum srqpool_refill {
	SRQPOOL_REFILL_WATERMARK,
	SRQPOOL_REFILL_IMMEDIATE,
};

/**
 * enum srqpool_quota_policy - what happens to a connection over its quota
 * @SRQPOOL_QUOTA_COPY: its messages are copied into the arena; once that is
 *	full, it is closed when it stayed over its quota for 100 ms in which
 *	buffers of other connections came back
 * @SRQPOOL_QUOTA_DISCONNECT: it is closed
 */
enum srqpool_quota_policy {
	SRQPOOL_QUOTA_COPY,
	SRQPOOL_QUOTA_DISCONNECT,
};

/**
 * enum srqpool_pool_attr - a pool
 * @SRQPOOL_A_POOL_ID: u64, never used twice while the module is loaded
 * @SRQPOOL_A_POOL_NAME: string, 1 to SRQPOOL_NAME_MAX bytes of printable
 *	ASCII without '/' or blank
 * @SRQPOOL_A_POOL_DEV: string, name of the RDMA device
 * @SRQPOOL_A_POOL_STATE: u32, enum srqpool_pool_state
 * @SRQPOOL_A_POOL_SHARDS: u32, 1 to 256; 0 or absent in a request: one for
 *	each of min(vectors, online CPUs, smallest class floor / 32), at least 1
 * @SRQPOOL_A_POOL_BUDGET: u64, most bytes the pool may pin; default 256 MiB
 * @SRQPOOL_A_POOL_PINNED: u64, bytes it pins now
 * @SRQPOOL_A_POOL_RNR_TIMER_US: u32, microseconds a peer waits after an RNR
 *	NAK; one of the values of IBTA 9.7.5.2.8, table 45, 10 to 655360;
 *	default 640
 * @SRQPOOL_A_POOL_CONNS: u32, connections
 * @SRQPOOL_A_POOL_CLASS: nest of SRQPOOL_A_CLASS_*, once per class
 * @SRQPOOL_A_POOL_FORCE: flag, delete even with listeners and connections
 * @SRQPOOL_A_POOL_PAD: padding
 * @SRQPOOL_A_POOL_POLL: u32, enum srqpool_poll; default auto
 * @SRQPOOL_A_POOL_POLL_USEC: u32, microseconds that hybrid polling spins, 1 to
 *	SRQPOOL_POLL_USEC_MAX; default SRQPOOL_POLL_USEC_DEFAULT
 * @SRQPOOL_A_POOL_REFILL: u32, enum srqpool_refill; default watermark
 * @SRQPOOL_A_POOL_DEDICATED: u32, depth of a receive queue of its own for each
 *	connection; default 0: all share the SRQs. A baseline to compare with
 * @SRQPOOL_A_POOL_QUOTA: u32, most buffers one connection may hold; 0 or
 *	absent in a request: max(16, ceiling / 8) of its class. Shown as it
 *	is for the first class
 * @SRQPOOL_A_POOL_QUOTA_POLICY: u32, enum srqpool_quota_policy; default copy
 * @SRQPOOL_A_POOL_RESERVE: u32, posted buffers of a class below which messages
 *	are copied rather than held; absent in a request: max(8, floor / 8),
 *	at most half the floor. Less than the floor of every class. Shown as it
 *	is for the first class
 * @SRQPOOL_A_POOL_COPYBREAK: u32, bytes up to which a message that would be
 *	held is copied; default 256; 0: never for its size
 * @SRQPOOL_A_POOL_AGING: u32, seconds without a low-water crossing after which
 *	a queue's target is halved towards its floor, 1 to 86400; 0: never;
 *	default 60
 * @SRQPOOL_A_POOL_ARENA: u64, bytes of POOL_PINNED that are for copies: 1/16 of
 *	the ceilings, at most half of what the budget leaves above the floors,
 *	taken with the pool; 0 with DEDICATED
 * @SRQPOOL_A_POOL_KEEPALIVE: u32, seconds after which a peer that sent nothing is
 *	asked whether it is there, by an RDMA WRITE of no bytes, and one that takes
 *	nothing is closed, 1 to 86400; 0: never; default 30. The peer's QP has to
 *	allow remote writes, as librdmacm's do
 */
enum srqpool_pool_attr {
	SRQPOOL_A_POOL_UNSPEC,
	SRQPOOL_A_POOL_ID,
	SRQPOOL_A_POOL_NAME,
	SRQPOOL_A_POOL_DEV,
	SRQPOOL_A_POOL_STATE,
	SRQPOOL_A_POOL_SHARDS,
	SRQPOOL_A_POOL_BUDGET,
	SRQPOOL_A_POOL_PINNED,
	SRQPOOL_A_POOL_RNR_TIMER_US,
	SRQPOOL_A_POOL_CONNS,
	SRQPOOL_A_POOL_CLASS,
	SRQPOOL_A_POOL_FORCE,
	SRQPOOL_A_POOL_PAD,
	SRQPOOL_A_POOL_POLL,
	SRQPOOL_A_POOL_POLL_USEC,
	SRQPOOL_A_POOL_REFILL,
	SRQPOOL_A_POOL_DEDICATED,
	SRQPOOL_A_POOL_QUOTA,
	SRQPOOL_A_POOL_QUOTA_POLICY,
	SRQPOOL_A_POOL_RESERVE,
	SRQPOOL_A_POOL_COPYBREAK,
	SRQPOOL_A_POOL_AGING,
	SRQPOOL_A_POOL_ARENA,
	SRQPOOL_A_POOL_KEEPALIVE,

	__SRQPOOL_A_POOL_MAX,
	SRQPOOL_A_POOL_MAX = (__SRQPOOL_A_POOL_MAX - 1)
};

/**
 * enum srqpool_mark_kind - how a watermark is given
 * @SRQPOOL_MARK_COUNT: buffers, pool-wide: 0 (never armed) to the ceiling
 * @SRQPOOL_MARK_PERCENT: percent of the target, 0 to 100
 * @SRQPOOL_MARK_AUTO: what is consumed while a refill takes place, measured,
 *	times a margin; the value says nothing
 */
enum srqpool_mark_kind {
	SRQPOOL_MARK_COUNT,
	SRQPOOL_MARK_PERCENT,
	SRQPOOL_MARK_AUTO,
};

/**
 * enum srqpool_class_attr - a class: receive buffers of one size
 *
 * Counts are sums over the shards, each shard read under its own lock:
 * POSTED + HELD + FREE + LOST == TOTAL.
 *
 * @SRQPOOL_A_CLASS_NAME: string as for pools; default: the size in bytes
 * @SRQPOOL_A_CLASS_SIZE: u32, bytes of a buffer, SRQPOOL_SIZE_MIN to
 *	SRQPOOL_SIZE_MAX
 * @SRQPOOL_A_CLASS_FLOOR: u32, fewest buffers, at least 1 per shard
 * @SRQPOOL_A_CLASS_CEILING: u32, most buffers; default: the floor
 * @SRQPOOL_A_CLASS_MARK_KIND: u32, enum srqpool_mark_kind; default percent
 * @SRQPOOL_A_CLASS_MARK_VALUE: u32, the configured watermark; default 12
 * @SRQPOOL_A_CLASS_TARGET: u32, buffers that should be posted now
 * @SRQPOOL_A_CLASS_MARK: u32, the effective watermark
 * @SRQPOOL_A_CLASS_ARMED: u8, 1 when the limit of every queue is armed
 * @SRQPOOL_A_CLASS_TOTAL: u32
 * @SRQPOOL_A_CLASS_POSTED: u32, in the SRQs
 * @SRQPOOL_A_CLASS_HELD: u32, received and not yet given back
 * @SRQPOOL_A_CLASS_FREE: u32
 * @SRQPOOL_A_CLASS_LOST: u32, swallowed by the device
 * @SRQPOOL_A_CLASS_LOW_WATER: u32, lowest POSTED since the last reset; 0 once
 *	a queue stood empty or the device sent an RNR NAK
 * @SRQPOOL_A_CLASS_MAX_IN_USE: u32, highest HELD since the last reset
 */
enum srqpool_class_attr {
	SRQPOOL_A_CLASS_UNSPEC,
	SRQPOOL_A_CLASS_NAME,
	SRQPOOL_A_CLASS_SIZE,
	SRQPOOL_A_CLASS_FLOOR,
	SRQPOOL_A_CLASS_CEILING,
	SRQPOOL_A_CLASS_MARK_KIND,
	SRQPOOL_A_CLASS_MARK_VALUE,
	SRQPOOL_A_CLASS_TARGET,
	SRQPOOL_A_CLASS_MARK,
	SRQPOOL_A_CLASS_ARMED,
	SRQPOOL_A_CLASS_TOTAL,
	SRQPOOL_A_CLASS_POSTED,
	SRQPOOL_A_CLASS_HELD,
	SRQPOOL_A_CLASS_FREE,
	SRQPOOL_A_CLASS_LOST,
	SRQPOOL_A_CLASS_LOW_WATER,
	SRQPOOL_A_CLASS_MAX_IN_USE,

	__SRQPOOL_A_CLASS_MAX,
	SRQPOOL_A_CLASS_MAX = (__SRQPOOL_A_CLASS_MAX - 1)
};

/**
 * enum srqpool_queue_state - state of a queue
 * @SRQPOOL_QUEUE_FILLING: being filled to its floor for the first time
 * @SRQPOOL_QUEUE_ACTIVE: serving
 * @SRQPOOL_QUEUE_STARVED: nothing posted and nothing to post
 * @SRQPOOL_QUEUE_ERROR: the device reported an error
 */
enum srqpool_queue_state {
	SRQPOOL_QUEUE_FILLING,
	SRQPOOL_QUEUE_ACTIVE,
	SRQPOOL_QUEUE_STARVED,
	SRQPOOL_QUEUE_ERROR,
};

/**
 * enum srqpool_queue_attr - a queue: one SRQ, a class in a shard
 * @SRQPOOL_A_QUEUE_POOL: string
 * @SRQPOOL_A_QUEUE_CLASS: string
 * @SRQPOOL_A_QUEUE_SHARD: u32
 * @SRQPOOL_A_QUEUE_DEPTH: u32, its share of the ceiling
 * @SRQPOOL_A_QUEUE_TARGET: u32
 * @SRQPOOL_A_QUEUE_MARK: u32, the limit that is armed, or will be
 * @SRQPOOL_A_QUEUE_ARMED: u8
 * @SRQPOOL_A_QUEUE_DEVICE_LIMIT: u32, what the device answered when queried;
 *	absent if it cannot be queried
 * @SRQPOOL_A_QUEUE_STATE: u32, enum srqpool_queue_state
 * @SRQPOOL_A_QUEUE_TOTAL: u32
 * @SRQPOOL_A_QUEUE_POSTED: u32
 * @SRQPOOL_A_QUEUE_HELD: u32
 * @SRQPOOL_A_QUEUE_FREE: u32
 * @SRQPOOL_A_QUEUE_LOST: u32
 * @SRQPOOL_A_QUEUE_CONNS: u32
 * @SRQPOOL_A_QUEUE_EVENTS: u64, limit events since the last reset
 * @SRQPOOL_A_QUEUE_CQ_USED: u32, credits of the shard's CQ in use
 * @SRQPOOL_A_QUEUE_CQ_MAX: u32, credits of the shard's CQ
 * @SRQPOOL_A_QUEUE_PAD: padding
 */
enum srqpool_queue_attr {
	SRQPOOL_A_QUEUE_UNSPEC,
	SRQPOOL_A_QUEUE_POOL,
	SRQPOOL_A_QUEUE_CLASS,
	SRQPOOL_A_QUEUE_SHARD,
	SRQPOOL_A_QUEUE_DEPTH,
	SRQPOOL_A_QUEUE_TARGET,
	SRQPOOL_A_QUEUE_MARK,
	SRQPOOL_A_QUEUE_ARMED,
	SRQPOOL_A_QUEUE_DEVICE_LIMIT,
	SRQPOOL_A_QUEUE_STATE,
	SRQPOOL_A_QUEUE_TOTAL,
	SRQPOOL_A_QUEUE_POSTED,
	SRQPOOL_A_QUEUE_HELD,
	SRQPOOL_A_QUEUE_FREE,
	SRQPOOL_A_QUEUE_LOST,
	SRQPOOL_A_QUEUE_CONNS,
	SRQPOOL_A_QUEUE_EVENTS,
	SRQPOOL_A_QUEUE_CQ_USED,
	SRQPOOL_A_QUEUE_CQ_MAX,
	SRQPOOL_A_QUEUE_PAD,

	__SRQPOOL_A_QUEUE_MAX,
	SRQPOOL_A_QUEUE_MAX = (__SRQPOOL_A_QUEUE_MAX - 1)
};

/**
 * enum srqpool_transport - transport of a listener and its connections
 * @SRQPOOL_TRANSPORT_RC: reliable connected
 */
enum srqpool_transport {
	SRQPOOL_TRANSPORT_RC,
};

/**
 * enum srqpool_mode - who gets the messages of a listener's connections
 * @SRQPOOL_MODE_SINK: nobody; they are counted and the buffer given back
 * @SRQPOOL_MODE_ECHO: sent back unchanged on the same connection
 * @SRQPOOL_MODE_DELIVER: programs that read /dev/srqpool, see struct srqpool_attach;
 *	without one connections are rejected
 */
enum srqpool_mode {
	SRQPOOL_MODE_SINK,
	SRQPOOL_MODE_ECHO,
	SRQPOOL_MODE_DELIVER,
};

/**
 * enum srqpool_listener_attr - a listener
 * @SRQPOOL_A_LISTENER_ID: u64, never used twice while the module is loaded
 * @SRQPOOL_A_LISTENER_POOL: string
 * @SRQPOOL_A_LISTENER_CLASS: string; default: the pool's first class
 * @SRQPOOL_A_LISTENER_ADDR: binary, 4 (IPv4) or 16 (IPv6) bytes in network
 *	order; an address of the pool's device, no wildcard
 * @SRQPOOL_A_LISTENER_SCOPE_ID: u32, interface index of a link-local IPv6
 *	address
 * @SRQPOOL_A_LISTENER_PORT: u16, host byte order, 1 to 65535
 * @SRQPOOL_A_LISTENER_TRANSPORT: u32, enum srqpool_transport; default RC
 * @SRQPOOL_A_LISTENER_MODE: u32, enum srqpool_mode; default sink
 * @SRQPOOL_A_LISTENER_CONNS: u32, pending and open connections
 * @SRQPOOL_A_LISTENER_MAX_CONNS: u32, most of these, 1 to 1048576; default
 *	16384. A connect above it is rejected
 * @SRQPOOL_A_LISTENER_PAD: padding
 */
enum srqpool_listener_attr {
	SRQPOOL_A_LISTENER_UNSPEC,
	SRQPOOL_A_LISTENER_ID,
	SRQPOOL_A_LISTENER_POOL,
	SRQPOOL_A_LISTENER_CLASS,
	SRQPOOL_A_LISTENER_ADDR,
	SRQPOOL_A_LISTENER_SCOPE_ID,
	SRQPOOL_A_LISTENER_PORT,
	SRQPOOL_A_LISTENER_TRANSPORT,
	SRQPOOL_A_LISTENER_MODE,
	SRQPOOL_A_LISTENER_CONNS,
	SRQPOOL_A_LISTENER_MAX_CONNS,
	SRQPOOL_A_LISTENER_PAD,

	__SRQPOOL_A_LISTENER_MAX,
	SRQPOOL_A_LISTENER_MAX = (__SRQPOOL_A_LISTENER_MAX - 1)
};

/**
 * enum srqpool_conn_state - state of a connection
 * @SRQPOOL_CONN_CONNECTING: accepted, the peer has not confirmed yet
 * @SRQPOOL_CONN_UP: established
 * @SRQPOOL_CONN_CLOSING: being drained and destroyed
 */
enum srqpool_conn_state {
	SRQPOOL_CONN_CONNECTING,
	SRQPOOL_CONN_UP,
	SRQPOOL_CONN_CLOSING,
};

/**
 * enum srqpool_conn_attr - a connection
 * @SRQPOOL_A_CONN_ID: u64, never used twice while the module is loaded
 * @SRQPOOL_A_CONN_POOL: string
 * @SRQPOOL_A_CONN_LISTENER: u64, the listener that accepted it
 * @SRQPOOL_A_CONN_CLASS: string
 * @SRQPOOL_A_CONN_SHARD: u32
 * @SRQPOOL_A_CONN_TRANSPORT: u32, enum srqpool_transport
 * @SRQPOOL_A_CONN_PEER_ADDR: binary, 4 or 16 bytes, network order
 * @SRQPOOL_A_CONN_PEER_PORT: u16, host byte order
 * @SRQPOOL_A_CONN_LOCAL_ADDR: binary
 * @SRQPOOL_A_CONN_LOCAL_PORT: u16
 * @SRQPOOL_A_CONN_STATE: u32, enum srqpool_conn_state
 * @SRQPOOL_A_CONN_HELD: u32, buffers it holds
 * @SRQPOOL_A_CONN_RX_MSGS: u64
 * @SRQPOOL_A_CONN_RX_BYTES: u64
 * @SRQPOOL_A_CONN_TX_MSGS: u64
 * @SRQPOOL_A_CONN_TX_PENDING: u32, sends waiting for room or completion
 * @SRQPOOL_A_CONN_IDLE_MS: u64, since its last message either way
 * @SRQPOOL_A_CONN_PAD: padding
 * @SRQPOOL_A_CONN_COPIED: u64, messages copied into the arena
 */
enum srqpool_conn_attr {
	SRQPOOL_A_CONN_UNSPEC,
	SRQPOOL_A_CONN_ID,
	SRQPOOL_A_CONN_POOL,
	SRQPOOL_A_CONN_LISTENER,
	SRQPOOL_A_CONN_CLASS,
	SRQPOOL_A_CONN_SHARD,
	SRQPOOL_A_CONN_TRANSPORT,
	SRQPOOL_A_CONN_PEER_ADDR,
	SRQPOOL_A_CONN_PEER_PORT,
	SRQPOOL_A_CONN_LOCAL_ADDR,
	SRQPOOL_A_CONN_LOCAL_PORT,
	SRQPOOL_A_CONN_STATE,
	SRQPOOL_A_CONN_HELD,
	SRQPOOL_A_CONN_RX_MSGS,
	SRQPOOL_A_CONN_RX_BYTES,
	SRQPOOL_A_CONN_TX_MSGS,
	SRQPOOL_A_CONN_TX_PENDING,
	SRQPOOL_A_CONN_IDLE_MS,
	SRQPOOL_A_CONN_PAD,
	SRQPOOL_A_CONN_COPIED,

	__SRQPOOL_A_CONN_MAX,
	SRQPOOL_A_CONN_MAX = (__SRQPOOL_A_CONN_MAX - 1)
};

/**
 * enum srqpool_stats_attr - statistics of a pool since its last reset
 * @SRQPOOL_A_STATS_NAME: string, the pool
 * @SRQPOOL_A_STATS_RX_MSGS: u64, messages received
 * @SRQPOOL_A_STATS_RX_BYTES: u64
 * @SRQPOOL_A_STATS_TX_MSGS: u64, messages sent
 * @SRQPOOL_A_STATS_TX_BYTES: u64
 * @SRQPOOL_A_STATS_LIMIT_EVENTS: u64, limit events of armed queues
 * @SRQPOOL_A_STATS_SPURIOUS_EVENTS: u64, limit events of disarmed queues
 * @SRQPOOL_A_STATS_WATCHDOG_REFILLS: u64, refills only the watchdog noticed
 * @SRQPOOL_A_STATS_REFILLS: u64, rounds of the refill work that posted
 * @SRQPOOL_A_STATS_REFILL_POSTED: u64, buffers they posted
 * @SRQPOOL_A_STATS_POST_ERRORS: u64, posts the device refused
 * @SRQPOOL_A_STATS_ALLOC_FAILURES: u64, buffers that could not be allocated
 * @SRQPOOL_A_STATS_STARVED_EVENTS: u64, times a queue stood empty
 * @SRQPOOL_A_STATS_STARVED_NS: u64, nanoseconds queues stood empty
 * @SRQPOOL_A_STATS_OVERSIZE: u64, messages larger than their buffer
 * @SRQPOOL_A_STATS_RNR_NAKS: u64, RNR NAKs the device sent; absent if it
 *	does not count them
 * @SRQPOOL_A_STATS_WC_ERROR: nest of SRQPOOL_A_WC_*, once per status seen
 * @SRQPOOL_A_STATS_HIST: nest of SRQPOOL_A_HIST_*, once per histogram
 * @SRQPOOL_A_STATS_PAD: padding
 * @SRQPOOL_A_STATS_COPIED: u64, messages copied into the arena
 * @SRQPOOL_A_STATS_QUOTA_HITS: u64, messages received over the quota
 */
enum srqpool_stats_attr {
	SRQPOOL_A_STATS_UNSPEC,
	SRQPOOL_A_STATS_NAME,
	SRQPOOL_A_STATS_RX_MSGS,
	SRQPOOL_A_STATS_RX_BYTES,
	SRQPOOL_A_STATS_TX_MSGS,
	SRQPOOL_A_STATS_TX_BYTES,
	SRQPOOL_A_STATS_LIMIT_EVENTS,
	SRQPOOL_A_STATS_SPURIOUS_EVENTS,
	SRQPOOL_A_STATS_WATCHDOG_REFILLS,
	SRQPOOL_A_STATS_REFILLS,
	SRQPOOL_A_STATS_REFILL_POSTED,
	SRQPOOL_A_STATS_POST_ERRORS,
	SRQPOOL_A_STATS_ALLOC_FAILURES,
	SRQPOOL_A_STATS_STARVED_EVENTS,
	SRQPOOL_A_STATS_STARVED_NS,
	SRQPOOL_A_STATS_OVERSIZE,
	SRQPOOL_A_STATS_RNR_NAKS,
	SRQPOOL_A_STATS_WC_ERROR,
	SRQPOOL_A_STATS_HIST,
	SRQPOOL_A_STATS_PAD,
	SRQPOOL_A_STATS_COPIED,
	SRQPOOL_A_STATS_QUOTA_HITS,

	__SRQPOOL_A_STATS_MAX,
	SRQPOOL_A_STATS_MAX = (__SRQPOOL_A_STATS_MAX - 1)
};

/**
 * enum srqpool_wc_attr - work completions that failed with one status
 * @SRQPOOL_A_WC_STATUS: u32, enum ib_wc_status
 * @SRQPOOL_A_WC_COUNT: u64
 * @SRQPOOL_A_WC_PAD: padding
 */
enum srqpool_wc_attr {
	SRQPOOL_A_WC_UNSPEC,
	SRQPOOL_A_WC_STATUS,
	SRQPOOL_A_WC_COUNT,
	SRQPOOL_A_WC_PAD,

	__SRQPOOL_A_WC_MAX,
	SRQPOOL_A_WC_MAX = (__SRQPOOL_A_WC_MAX - 1)
};

/**
 * enum srqpool_hist - what a histogram counts
 * @SRQPOOL_HIST_REFILL_LATENCY_NS: limit event to first buffer posted
 * @SRQPOOL_HIST_HOLD_NS: buffer received to buffer given back
 * @SRQPOOL_HIST_MSG_BYTES: size of a message
 * @SRQPOOL_HIST_BATCH: completions taken in one poll
 */
enum srqpool_hist {
	SRQPOOL_HIST_REFILL_LATENCY_NS,
	SRQPOOL_HIST_HOLD_NS,
	SRQPOOL_HIST_MSG_BYTES,
	SRQPOOL_HIST_BATCH,
};

/* Buckets of a histogram; bucket i counts [2^i, 2^(i+1)), 0 in bucket 0. */
#define SRQPOOL_HIST_BUCKETS	64

/**
 * enum srqpool_hist_attr - a histogram
 * @SRQPOOL_A_HIST_KIND: u32, enum srqpool_hist
 * @SRQPOOL_A_HIST_COUNT: u64
 * @SRQPOOL_A_HIST_SUM: u64
 * @SRQPOOL_A_HIST_BUCKETS: binary, SRQPOOL_HIST_BUCKETS times u64, host order
 * @SRQPOOL_A_HIST_PAD: padding
 */
enum srqpool_hist_attr {
	SRQPOOL_A_HIST_UNSPEC,
	SRQPOOL_A_HIST_KIND,
	SRQPOOL_A_HIST_COUNT,
	SRQPOOL_A_HIST_SUM,
	SRQPOOL_A_HIST_BUCKETS,
	SRQPOOL_A_HIST_PAD,

	__SRQPOOL_A_HIST_MAX,
	SRQPOOL_A_HIST_MAX = (__SRQPOOL_A_HIST_MAX - 1)
};

/**
 * enum srqpool_event_type - what happened
 * @SRQPOOL_EVENT_LOW: a queue fell under its watermark
 * @SRQPOOL_EVENT_GROWN: a queue's target was raised
 * @SRQPOOL_EVENT_STARVED: a queue stands empty
 * @SRQPOOL_EVENT_RECOVERED: it no longer does
 * @SRQPOOL_EVENT_BUDGET_HIT: growth stopped at the budget
 * @SRQPOOL_EVENT_CONN_UP: a connection was established
 * @SRQPOOL_EVENT_CONN_DOWN: a connection is gone; the text says why
 * @SRQPOOL_EVENT_DEV_GONE: the device of a pool was removed
 * @SRQPOOL_EVENT_DEV_BACK: it came back and the pool serves again
 * @SRQPOOL_EVENT_ERROR: the device reported an error
 * @SRQPOOL_EVENT_SHRUNK: a queue's target was lowered
 * @SRQPOOL_EVENT_QUOTA_HIT: a connection went over its quota
 * @SRQPOOL_EVENT_DEGRADED: more than a quarter of a class's ceiling is lost
 */
enum srqpool_event_type {
	SRQPOOL_EVENT_LOW,
	SRQPOOL_EVENT_GROWN,
	SRQPOOL_EVENT_STARVED,
	SRQPOOL_EVENT_RECOVERED,
	SRQPOOL_EVENT_BUDGET_HIT,
	SRQPOOL_EVENT_CONN_UP,
	SRQPOOL_EVENT_CONN_DOWN,
	SRQPOOL_EVENT_DEV_GONE,
	SRQPOOL_EVENT_DEV_BACK,
	SRQPOOL_EVENT_ERROR,
	SRQPOOL_EVENT_SHRUNK,
	SRQPOOL_EVENT_QUOTA_HIT,
	SRQPOOL_EVENT_DEGRADED,
};

/**
 * enum srqpool_event_attr - an event
 * @SRQPOOL_A_EVENT_SEQ: u32, rises by one with each event of any pool; in
 *	notifications a gap means that some were dropped, by the kernel or by the
 *	reader's socket. What a pool raises too often in a second has no number:
 *	one event of the type, without class, shard and connection, then says in
 *	its text how many more there were
 * @SRQPOOL_A_EVENT_TIME_NS: u64, CLOCK_REALTIME
 * @SRQPOOL_A_EVENT_TYPE: u32, enum srqpool_event_type
 * @SRQPOOL_A_EVENT_POOL: string
 * @SRQPOOL_A_EVENT_CLASS: string, if it concerns one
 * @SRQPOOL_A_EVENT_SHARD: u32, if it concerns one
 * @SRQPOOL_A_EVENT_CONN: u64, if it concerns one
 * @SRQPOOL_A_EVENT_TEXT: string, for people
 * @SRQPOOL_A_EVENT_PAD: padding
 */
enum srqpool_event_attr {
	SRQPOOL_A_EVENT_UNSPEC,
	SRQPOOL_A_EVENT_SEQ,
	SRQPOOL_A_EVENT_TIME_NS,
	SRQPOOL_A_EVENT_TYPE,
	SRQPOOL_A_EVENT_POOL,
	SRQPOOL_A_EVENT_CLASS,
	SRQPOOL_A_EVENT_SHARD,
	SRQPOOL_A_EVENT_CONN,
	SRQPOOL_A_EVENT_TEXT,
	SRQPOOL_A_EVENT_PAD,

	__SRQPOOL_A_EVENT_MAX,
	SRQPOOL_A_EVENT_MAX = (__SRQPOOL_A_EVENT_MAX - 1)
};

/*
 * /dev/srqpool: programs receive the messages of listeners of mode deliver.
 *
 * An open file is attached to a pool once, and is then one of its readers.
 * Each new connection is given to one of these, in turn, and stays with it.
 *
 * read() gives one record: struct srqpool_record and, if it is a message, its
 * bytes. Records of a connection come in order: that it is up, its messages,
 * that it is down; connections with something to tell take turns. Errors:
 * EMSGSIZE if the record does not fit, EAGAIN if there is none and the file is
 * O_NONBLOCK, EINTR, EFAULT: then nothing is lost; ENOTCONN before it is
 * attached; ENODEV when the pool was deleted or its device is gone, for ever:
 * to go on, open the device again.
 *
 * write() takes struct srqpool_send and the bytes of one message, which are
 * copied. It does not wait. Errors: EAGAIN while there is no room for the
 * connection: a record says when there is; EMSGSIZE if the message is larger
 * than what its peer has announced for its own, or than the connection's class; ENOTCONN if
 * there is no such connection of this reader, or it is closed, or the file is
 * not attached; EINVAL without a whole head or for unknown flags; ENOBUFS if
 * the pool's budget leaves nothing to copy to, or its completion queue nothing
 * to send with; EFAULT; ENODEV as above. That
 * it succeeds does not mean that the peer has the message.
 *
 * poll() tells EPOLLIN when there is a record, EPOLLOUT always, EPOLLHUP when
 * read() gives ENODEV. Before the file is attached it tells EPOLLERR, and an
 * epoll that watches it already is not told more.
 *
 * Several threads and, after fork(), several processes may use one file: each
 * record goes to one of them. When it was closed everywhere, its connections
 * are closed, too, and what was not read is gone.
 *
 * Ring mode, chosen when the file is attached, is without copies and almost
 * without system calls. read() is refused with EINVAL; write(), poll() and
 * the other ioctls are as above, and poll() tells EPOLLIN while a ring has
 * something to take. The program, of 64 bits, opens the file O_RDWR and maps
 *
 * - each ring, PROT_READ | PROT_WRITE, MAP_SHARED, at SRQPOOL_MMAP_RING(number),
 *   exactly struct srqpool_ring_info::ring_bytes: struct srqpool_ring, then
 *   the descriptors, then the returns. A connection's records all come by one
 *   ring. One thread at a time may use a ring, different ones different rings;
 * - the pool's buffers, PROT_READ, MAP_SHARED, at SRQPOOL_MMAP_BUFFERS and as
 *   much after that as it likes. A buffer has one place there as long as it
 *   exists, and a place is never used again: what the pool gets later is
 *   found in the same mapping. What it gave up raises SIGBUS. No buffer
 *   crosses a multiple of SRQPOOL_SIZE_MAX.
 *
 * Errors of mmap(): ENOTCONN, ENODEV as above; EINVAL in read mode, without
 * MAP_SHARED, for another offset or size of a ring, or behind
 * SRQPOOL_MMAP_BUFFERS_END; EACCES to write to or execute buffers. The mappings are not
 * inherited by fork().
 *
 * Taking records: while desc_tail != desc_head (load-acquire), the descriptor
 * is number desc_tail % entries; then desc_tail + 1 is stored with release.
 * A message is the program's until it is returned, and its bytes stay as they
 * are: return number return_head % entries is written, then return_head + 1
 * stored with release. There are never more than @entries messages with the
 * program and in the ring, so there is always room for a return; while it has
 * so many it is told other things, but gets no message.
 *
 * Kicks: after it stored return_head, and before it waits for something, the
 * program needs a full barrier, then reads @flags: with SRQPOOL_RING_KICK_RETURN
 * it has to call SRQPOOL_IOC_KICK. The same goes for desc_tail and
 * SRQPOOL_RING_KICK_TAKE. The kernel looks once more after it has set a flag, so
 * one look after each store is enough.
 *
 * When the pool is gone SRQPOOL_RING_DEAD is set, then poll() tells EPOLLHUP, and
 * every buffer raises SIGBUS. The rings stay mapped; what is in them is void.
 */
#define SRQPOOL_DEVICE	"/dev/srqpool"

/* Flag of struct srqpool_attach: ring mode. */
#define SRQPOOL_ATTACH_RING	1U

/* Fewest and most entries of a ring. */
#define SRQPOOL_RING_MIN	8
#define SRQPOOL_RING_MAX	32768

/**
 * struct srqpool_attach - which pool, and how
 * @pool: name
 * @flags: SRQPOOL_ATTACH_RING
 * @entries: of each ring, a power of two, SRQPOOL_RING_MIN to
 *	SRQPOOL_RING_MAX; 0 without SRQPOOL_ATTACH_RING
 */
struct srqpool_attach {
	char pool[SRQPOOL_NAME_MAX + 1];
	__u32 flags;
	__u32 entries;
};

/**
 * enum srqpool_record_type - what a record tells
 * @SRQPOOL_RECORD_MESSAGE: a message, whose bytes follow
 * @SRQPOOL_RECORD_UP: a connection is established
 * @SRQPOOL_RECORD_DOWN: it is closed; the last one of it
 * @SRQPOOL_RECORD_WRITABLE: a write that had no room can be tried again
 */
enum srqpool_record_type {
	SRQPOOL_RECORD_MESSAGE,
	SRQPOOL_RECORD_UP,
	SRQPOOL_RECORD_DOWN,
	SRQPOOL_RECORD_WRITABLE,
};

/* Flag of struct srqpool_record: @imm came with the message. */
#define SRQPOOL_RECORD_IMM	1U

/**
 * struct srqpool_record - what read() gives
 * @conn: id of the connection
 * @time_ns: CLOCK_REALTIME; when the message was received
 * @type: enum srqpool_record_type
 * @len: bytes that follow
 * @class_index: of the connection's class in the pool
 * @flags: SRQPOOL_RECORD_IMM
 * @imm: immediate data, as it came
 * @reserved: 0
 */
struct srqpool_record {
	__u64 conn;
	__u64 time_ns;
	__u32 type;
	__u32 len;
	__u32 class_index;
	__u32 flags;
	__be32 imm;
	__u32 reserved;
};

/* Where to map a ring, and where the buffers. */
#define SRQPOOL_MMAP_RING(number)	(SRQPOOL_MMAP_BUFFERS_END + ((__u64)(number) << 32))
#define SRQPOOL_MMAP_BUFFERS		0ULL
#define SRQPOOL_MMAP_BUFFERS_END	0x4000000000000000ULL

/* Flags of struct srqpool_ring. */
#define SRQPOOL_RING_KICK_RETURN	1U	/* after returns: SRQPOOL_IOC_KICK */
#define SRQPOOL_RING_KICK_TAKE		2U	/* after taking: SRQPOOL_IOC_KICK */
#define SRQPOOL_RING_DEAD		4U	/* the pool is gone */

/**
 * struct srqpool_ring - the head of a ring
 * @desc_head: descriptors given so far, modulo 2^32; the kernel's
 * @flags: SRQPOOL_RING_*; the kernel's
 * @pad0: so that kernel and program write to different cache lines
 * @desc_tail: descriptors taken so far; the program's
 * @return_head: returns given so far; the program's
 * @pad1: see @pad0
 * @return_tail: returns taken so far; the kernel's, for looks only
 * @pad2: see @pad0
 */
struct srqpool_ring {
	__u32 desc_head;
	__u32 flags;
	__u32 pad0[14];
	__u32 desc_tail;
	__u32 return_head;
	__u32 pad1[14];
	__u32 return_tail;
	__u32 pad2[15];
};

/**
 * struct srqpool_desc - a record in a ring
 * @record: what happened
 * @offset: of a message: where its bytes are in the mapping of the buffers; they
 *	are in one piece
 * @index: of a message: what to return, less than the entries
 * @reserved: 0
 */
struct srqpool_desc {
	struct srqpool_record record;
	__u64 offset;
	__u32 index;
	__u32 reserved[3];
};

/* Flag of struct srqpool_return: send it back first. */
#define SRQPOOL_RETURN_SEND	1U

/**
 * struct srqpool_return - a message is given back
 * @index: of its descriptor
 * @flags: SRQPOOL_RETURN_SEND: the first @len bytes are sent to where they came
 *	from, with immediate data if they came with it; without a copy, and in
 *	order with other returns of the connection, not with write()
 * @len: at most the message's; 0 unless it is sent
 * @reserved: 0
 *
 * One that is wrong is counted in struct srqpool_reader_stats::bad_returns;
 * if @index is that of a message which the program has, that is given back
 * all the same. A connection that is gone is not wrong.
 */
struct srqpool_return {
	__u32 index;
	__u32 flags;
	__u32 len;
	__u32 reserved;
};

/* Where the descriptors and the returns of a ring begin, in bytes. */
#define SRQPOOL_RING_DESCS		sizeof(struct srqpool_ring)
#define SRQPOOL_RING_RETURNS(entries)	\
	(SRQPOOL_RING_DESCS + (__u64)(entries) * sizeof(struct srqpool_desc))

/**
 * struct srqpool_ring_info - the rings of a reader
 * @rings: how many, one for each shard of the pool
 * @entries: of each, as asked for
 * @ring_bytes: of the mapping of one
 */
struct srqpool_ring_info {
	__u32 rings;
	__u32 entries;
	__u64 ring_bytes;
};

/* Flag of struct srqpool_send: send @imm with the message. */
#define SRQPOOL_SEND_IMM	1U

/**
 * struct srqpool_send - what write() takes before the message
 * @conn: id of the connection
 * @flags: SRQPOOL_SEND_IMM
 * @imm: immediate data
 */
struct srqpool_send {
	__u64 conn;
	__u32 flags;
	__be32 imm;
};

/**
 * struct srqpool_reader_stats - what a reader did
 * @conns: connections it was given
 * @open_conns: those that are not closed
 * @messages: messages read, or given by a ring
 * @bytes: their bytes
 * @sent: messages written, or sent back by a ring
 * @sending: those written that are not sent
 * @bad_returns: returns that were wrong
 */
struct srqpool_reader_stats {
	__u64 conns;
	__u64 open_conns;
	__u64 messages;
	__u64 bytes;
	__u64 sent;
	__u64 sending;
	__u64 bad_returns;
};

#define SRQPOOL_IOC_MAGIC	0xB8

/*
 * SRQPOOL_IOC_ATTACH - become a reader of a pool
 *	ENOENT: there is no such pool; ENODEV: it is not on its device; EISCONN:
 *	the file is attached; EINVAL: flags, entries, or a name without an end;
 *	ENOMEM
 * SRQPOOL_IOC_CLOSE - close a connection of this reader, by its id
 *	ENOTCONN: there is none, or it is closed, or the file is not attached
 * SRQPOOL_IOC_STATS - read what this reader did
 *	ENOTCONN: the file is not attached
 * SRQPOOL_IOC_RING - read what to map
 *	ENOTCONN: the file is not attached; EINVAL: not in ring mode
 * SRQPOOL_IOC_KICK - have the kernel look at a ring, whose number is the argument
 *	ENOTCONN: the file is not attached; EINVAL: not in ring mode, or no such
 *	ring; ENODEV: the pool is gone
 */
#define SRQPOOL_IOC_ATTACH	_IOW(SRQPOOL_IOC_MAGIC, 0, struct srqpool_attach)
#define SRQPOOL_IOC_CLOSE	_IOW(SRQPOOL_IOC_MAGIC, 1, __u64)
#define SRQPOOL_IOC_STATS	_IOR(SRQPOOL_IOC_MAGIC, 2, struct srqpool_reader_stats)
#define SRQPOOL_IOC_RING	_IOR(SRQPOOL_IOC_MAGIC, 3, struct srqpool_ring_info)
#define SRQPOOL_IOC_KICK	_IO(SRQPOOL_IOC_MAGIC, 4)

#endif /* _UAPI_LINUX_SRQPOOL_H */
