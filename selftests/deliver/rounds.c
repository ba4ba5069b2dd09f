// SPDX-License-Identifier: GPL-2.0
/*
 * A sender and a reader in ring mode, in turn: as many messages as the pool has buffers are sent;
 * the reader sleeps until it has them all, and returns them by the ring alone. Then the kernel,
 * which has nothing else to do, has to take the returns.
 *
 *   rounds POOL ADDR PORT BUFFERS ROUNDS
 *
 * Prints the rounds and the kicks. Killed by SIGALRM if a round takes a minute.
 */
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <rdma/rdma_cma.h>
#include <rdma/rdma_verbs.h>
#include "ring.h"

#define ROUND_SECONDS	60
#define BUFFERS_MAX	64
#define SIZE		64

static struct rdma_cm_id *id;
static struct ibv_mr *mr;
static char data[SIZE];
static struct rings rings;

static void die(const char *what)
{
	perror(what);
	exit(1);
}

static void attach(const char *pool)
{
	struct srqpool_attach attach = { .flags = SRQPOOL_ATTACH_RING, .entries = BUFFERS_MAX };
	int fd = open(SRQPOOL_DEVICE, O_RDWR);

	if (fd < 0)
		die(SRQPOOL_DEVICE);
	strncpy(attach.pool, pool, sizeof(attach.pool) - 1);
	if (ioctl(fd, SRQPOOL_IOC_ATTACH, &attach) || rings_map(&rings, fd))
		die("attaching");
}

static void connect_to(const char *addr, const char *port)
{
	struct rdma_addrinfo hints = { .ai_port_space = RDMA_PS_TCP }, *res;
	struct rdma_conn_param param = { .retry_count = 7, .rnr_retry_count = 7 };
	struct ibv_qp_init_attr attr = {
		.cap = { .max_send_wr = BUFFERS_MAX, .max_recv_wr = 1, .max_send_sge = 1,
			 .max_recv_sge = 1 },
	};

	if (rdma_getaddrinfo(addr, port, &hints, &res) || rdma_create_ep(&id, res, NULL, &attr))
		die("the endpoint");
	rdma_freeaddrinfo(res);
	mr = rdma_reg_msgs(id, data, SIZE);
	if (!mr || rdma_connect(id, &param))
		die("connecting");
}

static void send_all(long n)
{
	struct ibv_wc wc;
	int done = 0;
	long i;

	for (i = 1; i <= n; i++)
		if (rdma_post_send(id, NULL, data, SIZE, mr, i == n ? IBV_SEND_SIGNALED : 0))
			die("sending");
	while (!done)
		done = ibv_poll_cq(id->send_cq, 1, &wc);
	if (done < 0 || wc.status != IBV_WC_SUCCESS)
		die("a send");
}

/* Sleeps until so many messages are in the first ring, and takes them. */
static void take_all(long n, uint32_t *indices)
{
	struct pollfd pfd = { .fd = rings.fd, .events = POLLIN };
	struct srqpool_desc desc;
	long taken = 0;

	while (taken < n) {
		if (!ring_next(&rings, 0, &desc)) {
			if (poll(&pfd, 1, -1) != 1)
				die("poll");
			continue;
		}
		if (desc.record.type == SRQPOOL_RECORD_MESSAGE)
			indices[taken++] = desc.index;
		ring_take(&rings, 0);
	}
}

/* Returns whether it was asked to kick. */
static int return_all(long n, const uint32_t *indices)
{
	long i;
	int kicked;

	for (i = 0; i < n; i++) {
		struct srqpool_return ret = { .index = indices[i] };

		ring_put(&rings, 0, i, &ret);
	}
	kicked = ring_publish(&rings, 0, n);
	while (__atomic_load_n(&rings.ring[0]->return_tail, __ATOMIC_ACQUIRE) !=
	       rings.ring[0]->return_head)
		sched_yield();
	return kicked;
}

int main(int argc, char **argv)
{
	uint32_t indices[BUFFERS_MAX];
	long buffers, rounds, round, kicks = 0;

	if (argc != 6)
		return 2;
	buffers = atol(argv[4]);
	rounds = atol(argv[5]);
	attach(argv[1]);
	connect_to(argv[2], argv[3]);
	for (round = 0; round < rounds; round++) {
		alarm(ROUND_SECONDS);
		send_all(buffers);
		take_all(buffers, indices);
		kicks += return_all(buffers, indices);
	}
	printf("%ld %ld\n", round, kicks);
	return 0;
}
