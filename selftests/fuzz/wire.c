// SPDX-License-Identifier: GPL-2.0
/*
 * Peers as no library would make them: odd connect requests, requests of every kind and size, and
 * ends in the middle of everything.
 *
 *   wire SEED SECONDS PEERS ADDR PORT...
 *
 * So many processes at once, each of which makes a few connections; some are killed. Prints what
 * they did. Ends with 1 if nobody was ever connected.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <linux/srqpool.h>
#include <rdma/rdma_cma.h>
#include "random.h"

#define PEERS_MAX	64
#define WINDOW		32
#define MEMORY_BYTES	(1024 * 1024)
/* What an RDMA-CM request can carry. */
#define PRIVATE_MAX	56
/* Of a process, and of what it waits for; the debug kernel is slow. */
#define LIFE_SECONDS	60
#define WAIT_MS		5000

/* Of all processes. */
static struct counts {
	unsigned long requests, established, rejected, posted, done, failed, killed;
} *counts;

static const char *addr;
static char **ports;
static int nr_ports;
static struct rng rng;

struct peer {
	struct rdma_event_channel *channel;
	struct rdma_cm_id *id;
	struct ibv_pd *pd;
	struct ibv_mr *mr;
	char *memory;
	int event;	/* the last one, -1 without */
	uint32_t most;	/* bytes of a message that is not to be too large */
};

static uint32_t below(uint32_t n)
{
	return rng_below(&rng, n);
}

static int once_in(uint32_t n)
{
	return rng_once_in(&rng, n);
}

static void count(unsigned long *what)
{
	__atomic_fetch_add(what, 1, __ATOMIC_RELAXED);
}

static void nap(uint32_t most_us)
{
	usleep(below(most_us) + 1);
}

/* Returns 0 when an event came; its status is not looked at. */
static int next_event(struct peer *p, int ms)
{
	struct pollfd pfd = { .fd = p->channel->fd, .events = POLLIN };
	struct rdma_cm_event *ev;

	p->event = -1;
	if (poll(&pfd, 1, ms) != 1 || rdma_get_cm_event(p->channel, &ev))
		return -1;
	p->event = ev->event;
	rdma_ack_cm_event(ev);
	return 0;
}

static int expect(struct peer *p, enum rdma_cm_event_type event)
{
	return next_event(p, WAIT_MS) || p->event != (int)event;
}

static int resolve(struct peer *p)
{
	struct sockaddr_in to = { .sin_family = AF_INET };

	to.sin_port = htons(atoi(ports[below(nr_ports)]));
	if (inet_pton(AF_INET, addr, &to.sin_addr) != 1)
		return -1;
	return rdma_resolve_addr(p->id, NULL, (struct sockaddr *)&to, WAIT_MS) ||
	       expect(p, RDMA_CM_EVENT_ADDR_RESOLVED) || rdma_resolve_route(p->id, WAIT_MS) ||
	       expect(p, RDMA_CM_EVENT_ROUTE_RESOLVED);
}

static int make_qp(struct peer *p)
{
	struct ibv_qp_init_attr attr = {
		.cap = { .max_send_wr = WINDOW, .max_recv_wr = WINDOW, .max_send_sge = 2,
			 .max_recv_sge = 1, .max_inline_data = 256 },
		.qp_type = IBV_QPT_RC,
		.sq_sig_all = 1,
	};

	p->pd = ibv_alloc_pd(p->id->verbs);
	p->memory = calloc(1, MEMORY_BYTES);
	if (!p->pd || !p->memory)
		return -1;
	p->mr = ibv_reg_mr(p->pd, p->memory, MEMORY_BYTES, IBV_ACCESS_LOCAL_WRITE);
	return !p->mr || rdma_create_qp(p->id, p->pd, &attr);
}

/*
 * The connect request
 */

static uint32_t odd_size(void)
{
	static const uint32_t sizes[] = { 0, 1, 63, 64, 65, 255, 256, 257, 4095, 4096, 4097, 65535,
					  65536, 65537, 4U << 20, 0x7fffffff, 0x80000000, ~0U };

	return once_in(4) ? rng_number(&rng) : sizes[below(sizeof(sizes) / sizeof(sizes[0]))];
}

/* What a peer says of its messages: rightly, or with something wrong, or nothing like it. */
static uint8_t make_private(uint8_t *to)
{
	struct srqpool_connect_data data = {
		.magic = htonl(SRQPOOL_CONNECT_MAGIC),
		.version = htons(SRQPOOL_CONNECT_VERSION),
		.max_message = htonl(odd_size()),
	};

	rng_bytes(&rng, to, PRIVATE_MAX);
	if (once_in(8))
		return below(PRIVATE_MAX + 1);
	if (once_in(8))
		data.magic ^= 1 << below(32);
	if (once_in(4))
		data.version = htons(rng_number(&rng));
	if (once_in(4))
		data.reserved = rng_number(&rng);
	memcpy(to, &data, sizeof(data));
	switch (below(4)) {
	case 0:
		return below(sizeof(data));
	case 1:
		return sizeof(data) + below(PRIVATE_MAX - sizeof(data) + 1);
	default:
		return sizeof(data);
	}
}

static int request(struct peer *p)
{
	static const uint8_t depths[] = { 0, 1, 2, 16, 128, 255 };
	uint8_t private_data[PRIVATE_MAX];
	struct rdma_conn_param param = {
		.private_data = private_data,
		.private_data_len = make_private(private_data),
		.responder_resources = depths[below(sizeof(depths))],
		.initiator_depth = depths[below(sizeof(depths))],
		.flow_control = below(2),
		.retry_count = below(8),
		.rnr_retry_count = below(8),
		.srq = below(2),
		.qp_num = rng_next(&rng) & 0xffffff,
	};

	if (once_in(4))
		param.private_data_len = 0;
	count(&counts->requests);
	return rdma_connect(p->id, &param);
}

/* Returns 0 when it is connected. */
static int finish_request(struct peer *p)
{
	if (next_event(p, WAIT_MS))
		return -1;
	/* Without a QP of its own it has to say itself that all is well. */
	if (p->event == RDMA_CM_EVENT_CONNECT_RESPONSE && !once_in(3) && !rdma_establish(p->id))
		p->event = RDMA_CM_EVENT_ESTABLISHED;
	if (p->event == RDMA_CM_EVENT_REJECTED)
		count(&counts->rejected);
	if (p->event != RDMA_CM_EVENT_ESTABLISHED)
		return -1;
	count(&counts->established);
	return 0;
}

/*
 * Messages
 */

static uint32_t message_size(const struct peer *p)
{
	static const uint32_t sizes[] = { 0, 0, 1, 24, 64, 255, 256, 257, 1024, 1025, 4095, 4096 };
	static const uint32_t large[] = { 4097, 65535, 65536, 65537, MEMORY_BYTES };

	uint32_t size;

	if (once_in(128))
		return large[below(sizeof(large) / sizeof(large[0]))];
	size = once_in(4) ? below(4097) : sizes[below(sizeof(sizes) / sizeof(sizes[0]))];
	return size < p->most ? size : p->most;
}

/* Those that the other side has to refuse end the connection: they are rare. */
static enum ibv_wr_opcode opcode(void)
{
	static const enum ibv_wr_opcode odd[] = {
		IBV_WR_RDMA_WRITE, IBV_WR_RDMA_READ, IBV_WR_ATOMIC_CMP_AND_SWP,
		IBV_WR_ATOMIC_FETCH_AND_ADD, IBV_WR_SEND_WITH_INV, IBV_WR_RDMA_WRITE_WITH_IMM,
	};

	if (once_in(128))
		return odd[below(sizeof(odd) / sizeof(odd[0]))];
	return once_in(3) ? IBV_WR_SEND_WITH_IMM : IBV_WR_SEND;
}

static int post(struct peer *p, uint32_t size)
{
	struct ibv_sge sge = { .addr = (uintptr_t)p->memory, .length = size, .lkey = p->mr->lkey };
	struct ibv_send_wr wr = { .sg_list = &sge, .opcode = opcode() };
	struct ibv_send_wr *bad;

	wr.num_sge = size || once_in(2);
	wr.imm_data = rng_next(&rng);
	wr.wr.rdma.remote_addr = rng_number(&rng);
	wr.wr.rdma.rkey = rng_number(&rng);
	/* Nothing is written, so any address will do: it takes a buffer all the same. */
	if (!size && once_in(4))
		wr.opcode = IBV_WR_RDMA_WRITE_WITH_IMM;
	if (wr.opcode == IBV_WR_ATOMIC_CMP_AND_SWP || wr.opcode == IBV_WR_ATOMIC_FETCH_AND_ADD) {
		sge.length = 8;
		wr.num_sge = 1;
		wr.wr.atomic.remote_addr = rng_number(&rng) & ~7ULL;
		wr.wr.atomic.rkey = rng_number(&rng);
	}
	if (size <= 256 && once_in(4))
		wr.send_flags |= IBV_SEND_INLINE;
	if (once_in(4))
		wr.send_flags |= IBV_SEND_SOLICITED;
	if (once_in(16))
		wr.send_flags |= IBV_SEND_FENCE;
	count(&counts->posted);
	return ibv_post_send(p->id->qp, &wr, &bad);
}

static void post_receive(struct peer *p)
{
	struct ibv_sge sge = { .addr = (uintptr_t)p->memory, .length = odd_size() % MEMORY_BYTES,
			       .lkey = p->mr->lkey };
	struct ibv_recv_wr wr = { .sg_list = &sge, .num_sge = 1 }, *bad;

	if (ibv_post_recv(p->id->qp, &wr, &bad))
		return;
}

static int take(struct peer *p)
{
	struct ibv_wc wc[WINDOW];
	int n = ibv_poll_cq(p->id->send_cq, WINDOW, wc), i, failed = 0;

	for (i = 0; i < n; i++) {
		count(wc[i].status == IBV_WC_SUCCESS ? &counts->done : &counts->failed);
		failed |= wc[i].status != IBV_WC_SUCCESS;
	}
	while (ibv_poll_cq(p->id->recv_cq, WINDOW, wc) > 0)
		;
	return failed;
}

static void talk(struct peer *p)
{
	uint32_t n;

	p->most = once_in(2) ? 256 : 4096;
	for (n = below(200); n; n--) {
		if (once_in(3))
			post_receive(p);
		if (post(p, message_size(p)))
			nap(2000);
		if (once_in(4) && take(p))
			return;
	}
}

/*
 * The end
 */

static void to_error(struct peer *p)
{
	struct ibv_qp_attr attr = { .qp_state = IBV_QPS_ERR };

	ibv_modify_qp(p->id->qp, &attr, IBV_QP_STATE);
}

static void leave(struct peer *p)
{
	/* In the middle of a message, mostly. */
	if (!once_in(4))
		post(p, once_in(2) ? 65536 : 4096);
	if (once_in(2))
		nap(3000);
	switch (below(8)) {
	case 0:
		to_error(p);
		break;
	case 1:
		rdma_destroy_qp(p->id);
		break;
	case 2:
		if (once_in(3))
			_exit(0);
		break;
	case 3:
		if (once_in(3))
			raise(SIGKILL);
		break;
	case 4:
		rdma_disconnect(p->id);
		rdma_disconnect(p->id);
		break;
	case 5:
		rdma_disconnect(p->id);
		post(p, message_size(p));
		nap(10000);
		break;
	case 6:
		ibv_dereg_mr(p->mr);
		p->mr = NULL;
		nap(10000);
		break;
	default:
		break;
	}
	if (p->id->qp && once_in(2))
		take(p);
	if (once_in(2))
		next_event(p, below(100));
}

static void clean_up(struct peer *p)
{
	if (p->id->qp)
		rdma_destroy_qp(p->id);
	rdma_destroy_id(p->id);
	if (p->mr)
		ibv_dereg_mr(p->mr);
	if (p->pd)
		ibv_dealloc_pd(p->pd);
	rdma_destroy_event_channel(p->channel);
	free(p->memory);
}

static void meet(void)
{
	struct peer p = { .channel = rdma_create_event_channel() };

	if (!p.channel || rdma_create_id(p.channel, &p.id, NULL, RDMA_PS_TCP)) {
		perror("an id");
		exit(1);
	}
	if (resolve(&p) || (!once_in(12) && make_qp(&p)) || request(&p)) {
		clean_up(&p);
		return;
	}
	/* It does not wait for the answer. */
	if (once_in(6)) {
		nap(20000);
		if (once_in(4))
			_exit(0);
	} else if (!finish_request(&p) && p.id->qp) {
		talk(&p);
		leave(&p);
	}
	clean_up(&p);
}

static void run_peer(uint64_t seed)
{
	uint32_t n;

	signal(SIGCHLD, SIG_DFL);
	alarm(LIFE_SECONDS);
	rng_seed(&rng, seed);
	for (n = 1 + below(30); n; n--)
		meet();
	_exit(0);
}

static pid_t start_peer(uint64_t seed)
{
	pid_t pid = fork();

	if (pid < 0) {
		perror("fork");
		exit(1);
	}
	if (!pid)
		run_peer(seed);
	return pid;
}

static time_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec;
}

int main(int argc, char **argv)
{
	pid_t peers[PEERS_MAX] = {};
	uint64_t seed, next;
	int nr, i;
	time_t end;

	if (argc < 6)
		return 2;
	seed = strtoull(argv[1], NULL, 0);
	end = now() + atol(argv[2]);
	nr = atoi(argv[3]);
	addr = argv[4];
	ports = argv + 5;
	nr_ports = argc - 5;
	if (nr < 1 || nr > PEERS_MAX)
		return 2;
	printf("# seed %llu\n", (unsigned long long)seed);
	fflush(stdout);
	counts = mmap(NULL, sizeof(*counts), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
		      -1, 0);
	if (counts == MAP_FAILED)
		return 1;
	rng_seed(&rng, seed);
	for (next = seed; now() < end; nap(20000)) {
		i = below(nr);
		if (peers[i] && waitpid(peers[i], NULL, WNOHANG) == peers[i])
			peers[i] = 0;
		if (!peers[i]) {
			peers[i] = start_peer(++next);
		} else if (once_in(100)) {
			kill(peers[i], SIGKILL);
			count(&counts->killed);
		}
	}
	for (i = 0; i < nr; i++)
		if (peers[i]) {
			kill(peers[i], SIGKILL);
			waitpid(peers[i], NULL, 0);
		}
	printf("# %lu processes, %lu killed; %lu requests, %lu established, %lu rejected;",
	       (unsigned long)(next - seed), counts->killed, counts->requests, counts->established,
	       counts->rejected);
	printf(" %lu posted, %lu done, %lu failed\n", counts->posted, counts->done, counts->failed);
	return !counts->established;
}
