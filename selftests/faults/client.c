// SPDX-License-Identifier: GPL-2.0
/* A peer with one connection, by the library of rdma-core. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <rdma/rdma_cma.h>
#include <rdma/rdma_verbs.h>
#include "faults.h"

#define STRING(x)	#x
#define PORT_TEXT(x)	STRING(x)
#define SIZE		64

static struct rdma_cm_id *id;
static struct ibv_mr *mr;
static char data[SIZE];

static int make_endpoint(void)
{
	struct rdma_addrinfo hints = { .ai_port_space = RDMA_PS_TCP }, *ai;
	struct ibv_qp_init_attr attr = {
		.cap = { .max_send_wr = 4, .max_recv_wr = 4, .max_send_sge = 1,
			 .max_recv_sge = 1 },
		.qp_type = IBV_QPT_RC,
		.sq_sig_all = 1,
	};
	int ret = rdma_getaddrinfo(ADDR, PORT_TEXT(PORT), &hints, &ai);

	if (ret)
		return errno;
	ret = rdma_create_ep(&id, ai, NULL, &attr);
	rdma_freeaddrinfo(ai);
	if (ret)
		die("no endpoint: %s", strerror(errno));
	return 0;
}

/* Returns why it was rejected, or why it failed. */
int client_connect(void)
{
	struct rdma_conn_param param = { .retry_count = 7, .rnr_retry_count = 7 };
	int err = make_endpoint();

	if (err)
		return err;
	mr = rdma_reg_msgs(id, data, sizeof(data));
	if (!mr)
		die("no memory region: %s", strerror(errno));
	if (!rdma_connect(id, &param))
		return 0;
	err = errno ?: EPROTO;
	client_close();
	return err;
}

/* Sends one message, and waits until it has arrived. */
int client_send(void)
{
	struct ibv_wc wc;

	if (rdma_post_send(id, NULL, data, SIZE, mr, 0) || rdma_get_send_comp(id, &wc) != 1)
		return errno;
	return wc.status == IBV_WC_SUCCESS ? 0 : EIO;
}

void client_close(void)
{
	if (!id)
		return;
	if (mr)
		rdma_dereg_mr(mr);
	mr = NULL;
	rdma_destroy_ep(id);
	id = NULL;
}
