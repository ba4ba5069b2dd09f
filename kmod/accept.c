// SPDX-License-Identifier: GPL-2.0
#include <rdma/ib_cm.h>
#include "accept.h"
#include "keepalive.h"

/* Waits for accept_request(), which may still run in the CM's handler. */
static void leave_handler(struct rdma_cm_id *id)
{
	rdma_lock_handler(id);
	rdma_unlock_handler(id);
}

static const struct accept_consumer *consumer_of(const struct srqpool_conn *conn)
{
	return container_of(conn->ops, struct accept_consumer, ops);
}

/* The CM sends its farewell again and again to a peer that is gone. */
static void forget(struct work_struct *work)
{
	struct srqpool_conn *conn = container_of(work, struct srqpool_conn,
						 forget);
	const struct accept_consumer *consumer = consumer_of(conn);

	/* Its events, which are the consumer's too, end here. */
	rdma_destroy_id(conn->qp_context);
	if (consumer->closed)
		consumer->closed(conn);
	conn_gone(conn);
}

static void revoke(struct srqpool_conn *conn)
{
	struct ib_qp_attr attr = { .qp_state = IB_QPS_ERR };
	const struct accept_consumer *consumer = consumer_of(conn);
	struct rdma_cm_id *id = conn->qp_context;

	leave_handler(id);
	if (consumer->closing)
		consumer->closing(conn);
	if (id->qp) {
		rdma_disconnect(id);
		ib_modify_qp(id->qp, &attr, IB_QP_STATE);
		conn_detach_begin(conn);
		rdma_destroy_qp(id);
	}
	conn_detach_end(conn);
	conn_forget(conn, forget);
}

static void qp_event(struct ib_event *ev, void *context)
{
	if (ev->event == IB_EVENT_COMM_EST)
		rdma_notify(context, IB_EVENT_COMM_EST);
}

static int cm_event(struct rdma_cm_id *id, struct rdma_cm_event *ev)
{
	struct srqpool_conn *conn = id->context;

	switch (ev->event) {
	case RDMA_CM_EVENT_ESTABLISHED:
		WRITE_ONCE(conn->connected, true);
		conn_established(conn);
		if (consumer_of(conn)->up)
			consumer_of(conn)->up(conn);
		break;
	case RDMA_CM_EVENT_DISCONNECTED:
	case RDMA_CM_EVENT_REJECTED:
	case RDMA_CM_EVENT_UNREACHABLE:
	case RDMA_CM_EVENT_CONNECT_ERROR:
	case RDMA_CM_EVENT_DEVICE_REMOVAL:
	case RDMA_CM_EVENT_ADDR_CHANGE:
		conn_close(conn, rdma_event_msg(ev->event));
		break;
	default:
		break;
	}
	return 0;
}

static int accept(struct srqpool_conn *conn, const struct rdma_conn_param *from)
{
	const struct ib_device_attr *attrs = &conn->inst->dev->ibdev->attrs;
	struct rdma_cm_id *id = conn->qp_context;
	struct rdma_conn_param param = {
		.responder_resources = min_t(u8, from->responder_resources,
					     min(attrs->max_qp_rd_atom, 255)),
		.initiator_depth = min_t(u8, from->initiator_depth,
					 min(attrs->max_qp_init_rd_atom, 255)),
		.flow_control = 1,
		.rnr_retry_count = 7,	/* for ever: an empty queue is refilled */
	};

	rdma_set_min_rnr_timer(id, READ_ONCE(conn->inst->rnr_code));
	if (READ_ONCE(conn->inst->keepalive))
		rdma_set_ack_timeout(id, KEEPALIVE_ACK_TIMEOUT);
	return rdma_accept(id, &param);
}

/**
 * accept_reject - tell a peer why it is not accepted
 * @id: of its connect request
 * @why: static text
 *
 * Return: what the CM's handler is to return, so that @id is destroyed.
 */
int accept_reject(struct rdma_cm_id *id, const char *why)
{
	rdma_reject(id, why, strlen(why) + 1, IB_CM_REJ_CONSUMER_DEFINED);
	return -ECONNREFUSED;
}

static const char *set_up(struct srqpool_conn *conn,
			  struct ib_qp_init_attr *attr)
{
	const struct accept_consumer *consumer = consumer_of(conn);
	struct rdma_cm_id *id = conn->qp_context;
	const char *refused = NULL;

	if (consumer->connect)
		refused = consumer->connect(conn);
	if (refused)
		return refused;
	if (rdma_create_qp(id, conn->inst->mem.pd, attr))
		return "no QP could be created";
	if (conn_attach_qp(conn, id->qp))
		return "its QP could not be attached";
	return NULL;
}

/**
 * accept_request - accept a connect request
 * @group: whom the connection is to belong to
 * @inst: the pool on its device
 * @class: index of the class it draws from
 * @consumer: who gets its messages
 * @announced: bytes of the largest message of its peer, or 0
 * @id: the new cm_id
 * @param: of the request
 *
 * Context: the CM's handler of @id.
 *
 * Return: 0: the cm_id is the connection's; else the peer was told why not,
 * and the CM is to destroy the cm_id.
 */
int accept_request(struct conn_group *group, struct srqpool_instance *inst,
		   u32 class, const struct accept_consumer *consumer,
		   u32 announced, struct rdma_cm_id *id,
		   const struct rdma_conn_param *param)
{
	struct ib_qp_init_attr attr = {
		.event_handler = qp_event,
		.qp_context = id,
		.qp_type = IB_QPT_RC,
		.port_num = id->port_num,
	};
	struct srqpool_conn *conn;
	const char *refused;

	conn = conn_attach(group, inst, class, &consumer->ops, revoke, NULL,
			   &attr, &refused);
	if (!conn)
		return accept_reject(id, refused);
	keepalive_start();
	/* It may be revoked already: that waits for the end of this handler. */
	conn->announced = announced;
	memcpy(&conn->peer, &id->route.addr.dst_addr, sizeof(conn->peer));
	memcpy(&conn->local, &id->route.addr.src_addr, sizeof(conn->local));
	id->context = conn;
	id->event_handler = cm_event;
	refused = set_up(conn, &attr);
	if (refused) {
		accept_reject(id, refused);
		conn_close(conn, refused);
	} else if (accept(conn, param)) {
		conn_close(conn, "accepting failed");
	}
	return 0;
}
