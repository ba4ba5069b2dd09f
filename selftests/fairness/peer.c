// SPDX-License-Identifier: GPL-2.0
/*
 * A client that sends at once and takes the echoes late, or never.
 *
 *   peer ADDR PORT CONNECTIONS MESSAGES SIZE DELAY_MS [NEEDS]
 *
 * Each connection sends MESSAGES of SIZE bytes as fast as it may, and posts its
 * first receive DELAY_MS after the first send; -1: never, it stays until it is
 * killed; -2: never, it ends when all are sent; -3: when SIGUSR1 comes. MESSAGES
 * 0 is no end of them.
 * SIZE is 0, or at least 8: the number of the message.
 * With NEEDS it says in its connect request that its largest message is so long.
 * Prints connected, received, lost, reordered, errors and the milliseconds from
 * the first receive to the last echo. Exits with 0 if every message came back
 * once and in order.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <rdma/rdma_cma.h>
#include <rdma/rdma_verbs.h>
#include <linux/srqpool.h>

#define WINDOW		64
/* Longer than a test on the debug kernel takes. */
#define HANG_SECONDS	3600

struct peer {
	struct rdma_cm_id *id;
	struct ibv_mr *mr;
	char *memory;
	long sent;
	long outstanding;
	long received;
	long reordered;
	int failed;
};

static long messages, size, delay_ms, needs;
/* Of a message's place in memory: its number fits even if it is not sent. */
static long stride;

static sig_atomic_t told;

static void on_signal(int number)
{
	told = 1;
}

static long now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static int connect_peer(struct peer *p, const char *addr, const char *port)
{
	struct rdma_addrinfo hints = { .ai_port_space = RDMA_PS_TCP }, *ai;
	struct srqpool_connect_data data = {
		.magic = htonl(SRQPOOL_CONNECT_MAGIC),
		.version = htons(SRQPOOL_CONNECT_VERSION),
		.max_message = htonl(needs),
	};
	struct rdma_conn_param param = {
		.private_data = needs ? &data : NULL,
		.private_data_len = needs ? sizeof(data) : 0,
		.rnr_retry_count = 7,
		.retry_count = 7,
	};
	struct ibv_qp_init_attr attr = {
		.cap = { .max_send_wr = WINDOW, .max_recv_wr = WINDOW,
			 .max_send_sge = 1, .max_recv_sge = 1 },
		.qp_type = IBV_QPT_RC,
		.sq_sig_all = 1,
	};
	int ret;

	if (rdma_getaddrinfo(addr, port, &hints, &ai))
		return -1;
	ret = rdma_create_ep(&p->id, ai, NULL, &attr);
	rdma_freeaddrinfo(ai);
	if (ret)
		return ret;
	p->memory = calloc(2 * WINDOW, stride);
	p->mr = rdma_reg_msgs(p->id, p->memory, 2 * WINDOW * stride);
	if (!p->mr)
		return -1;
	return rdma_connect(p->id, &param);
}

static void receive_one(struct peer *p, long slot)
{
	if (rdma_post_recv(p->id, (void *)(uintptr_t)slot,
			   p->memory + (WINDOW + slot) * stride, size, p->mr))
		p->failed = 1;
}

static void send_more(struct peer *p)
{
	char *message;

	while (!p->failed && p->outstanding < WINDOW &&
	       (p->sent < messages || !messages)) {
		message = p->memory + p->sent % WINDOW * stride;
		memcpy(message, &p->sent, sizeof(p->sent));
		if (rdma_post_send(p->id, NULL, message, size, p->mr, 0)) {
			p->failed = 1;
			return;
		}
		p->sent++;
		p->outstanding++;
	}
}

static void take_sends(struct peer *p)
{
	struct ibv_wc wc;

	while (ibv_poll_cq(p->id->send_cq, 1, &wc) > 0) {
		p->outstanding--;
		if (wc.status == IBV_WC_SUCCESS)
			continue;
		if (!p->failed)
			fprintf(stderr, "send: %s\n", ibv_wc_status_str(wc.status));
		p->failed = 1;
	}
}

static void take_echoes(struct peer *p)
{
	struct ibv_wc wc;
	long number;

	while (ibv_poll_cq(p->id->recv_cq, 1, &wc) > 0) {
		if (wc.status != IBV_WC_SUCCESS) {
			p->failed = 1;
			continue;
		}
		memcpy(&number, p->memory + (WINDOW + wc.wr_id) * stride,
		       sizeof(number));
		p->reordered += size && number != p->received;
		p->received++;
		receive_one(p, wc.wr_id);
	}
}

/* All is sent, and nothing will be taken. */
static int only_stays(const struct peer *p)
{
	return delay_ms == -1 && messages && p->sent >= messages &&
	       !p->outstanding;
}

static int is_done(const struct peer *p)
{
	if (delay_ms == -2 && p->sent >= messages && !p->outstanding)
		return 1;
	return p->failed ||
	       ((delay_ms >= 0 || delay_ms == -3) && p->received >= messages);
}

int main(int argc, char **argv)
{
	long i, n, slot, start, first = 0, connected = 0, done;
	long received = 0, reordered = 0, errors = 0, busy;
	struct peer *peers;

	if (argc != 7 && argc != 8) {
		fprintf(stderr, "usage: see the head of peer.c\n");
		return 2;
	}
	n = atol(argv[3]);
	messages = atol(argv[4]);
	size = atol(argv[5]);
	stride = size > (long)sizeof(long) ? size : (long)sizeof(long);
	delay_ms = atol(argv[6]);
	needs = argc == 8 ? atol(argv[7]) : 0;
	signal(SIGUSR1, on_signal);
	peers = calloc(n, sizeof(*peers));
	for (i = 0; i < n; i++) {
		if (connect_peer(&peers[i], argv[1], argv[2])) {
			fprintf(stderr, "connect: %s\n", strerror(errno));
			peers[i].failed = 1;
			continue;
		}
		connected++;
	}
	printf("connected: %ld\n", connected);
	fflush(stdout);
	start = now_ms();
	do {
		if (!first && (told || (delay_ms >= 0 &&
					now_ms() - start >= delay_ms))) {
			first = now_ms();
			for (i = 0; i < n; i++)
				for (slot = 0; !peers[i].failed && slot < WINDOW; slot++)
					receive_one(&peers[i], slot);
		}
		done = 0;
		busy = 0;
		for (i = 0; i < n; i++) {
			if (peers[i].id) {
				send_more(&peers[i]);
				take_sends(&peers[i]);
				take_echoes(&peers[i]);
			}
			done += is_done(&peers[i]);
			busy += !only_stays(&peers[i]);
		}
		/* Many wait long: the VM's few CPUs have better to do. */
		usleep(busy ? 200 : 50000);
	} while (done < n &&
		 now_ms() - start < delay_ms + HANG_SECONDS * 1000);

	for (i = 0; i < n; i++) {
		received += peers[i].received;
		reordered += peers[i].reordered;
		errors += peers[i].failed;
	}
	printf("received: %ld\nlost: %ld\nreordered: %ld\nerrors: %ld\nms: %ld\n",
	       received, connected * messages - received, reordered, errors,
	       now_ms() - first);
	return errors || reordered ||
	       ((delay_ms >= 0 || delay_ms == -3) && received != n * messages);
}
