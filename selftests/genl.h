/* SPDX-License-Identifier: GPL-2.0 */
/* genl: the family srqpool over libmnl, for tests that say what no tool says. */
#ifndef SELFTESTS_GENL_H
#define SELFTESTS_GENL_H

#include <errno.h>
#include <libmnl/libmnl.h>
#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <linux/srqpool.h>
#include <stdint.h>
#include <string.h>

#ifndef SOL_NETLINK
#define SOL_NETLINK 270
#endif

struct genl {
	struct mnl_socket *nl;
	uint16_t id;
	uint32_t version;
	uint32_t group;		/* of events */
	uint32_t seq;
	char buf[8192];
	char text[256];		/* of the last extended ACK */
	/* Is called for each message of the family that comes, if it is set. */
	void (*on_message)(struct genl *genl, const struct nlmsghdr *nlh);
};

static inline int genl_open_socket(struct genl *genl)
{
	int one = 1;

	genl->nl = mnl_socket_open(NETLINK_GENERIC);
	if (!genl->nl)
		return -1;
	if (mnl_socket_bind(genl->nl, 0, MNL_SOCKET_AUTOPID))
		return -1;
	return mnl_socket_setsockopt(genl->nl, NETLINK_EXT_ACK, &one, sizeof(one));
}

/* Begins a message in genl->buf. */
static inline struct nlmsghdr *genl_start(struct genl *genl, uint16_t type, uint8_t cmd)
{
	struct nlmsghdr *nlh = mnl_nlmsg_put_header(genl->buf);
	struct genlmsghdr *head;

	nlh->nlmsg_type = type;
	nlh->nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK;
	nlh->nlmsg_seq = ++genl->seq;
	head = mnl_nlmsg_put_extra_header(nlh, sizeof(*head));
	head->cmd = cmd;
	head->version = 1;
	return nlh;
}

static inline void genl_read_ack(struct genl *genl, const struct nlmsghdr *nlh)
{
	const struct nlmsgerr *err = mnl_nlmsg_get_payload(nlh);
	size_t skip = sizeof(*err);
	const struct nlattr *attr;

	genl->text[0] = '\0';
	if (!(nlh->nlmsg_flags & NLM_F_ACK_TLVS))
		return;
	if (!(nlh->nlmsg_flags & NLM_F_CAPPED))
		skip += err->msg.nlmsg_len - sizeof(err->msg);
	mnl_attr_for_each(attr, nlh, skip)
		if (mnl_attr_get_type(attr) == NLMSGERR_ATTR_MSG)
			strncpy(genl->text, mnl_attr_get_str(attr), sizeof(genl->text) - 1);
}

static inline void genl_read_group(struct genl *genl, const struct nlattr *group)
{
	const struct nlattr *attr;

	mnl_attr_for_each_nested(attr, group)
		if (mnl_attr_get_type(attr) == CTRL_ATTR_MCAST_GRP_ID)
			genl->group = mnl_attr_get_u32(attr);
}

static inline void genl_read_family(struct genl *genl, const struct nlmsghdr *nlh)
{
	const struct nlattr *attr, *group;

	mnl_attr_for_each(attr, nlh, sizeof(struct genlmsghdr)) {
		if (mnl_attr_get_type(attr) == CTRL_ATTR_FAMILY_ID)
			genl->id = mnl_attr_get_u16(attr);
		if (mnl_attr_get_type(attr) == CTRL_ATTR_VERSION)
			genl->version = mnl_attr_get_u32(attr);
		if (mnl_attr_get_type(attr) == CTRL_ATTR_MCAST_GROUPS)
			mnl_attr_for_each_nested(group, attr)
				genl_read_group(genl, group);
	}
}

/* Takes one message; returns 1 when it is the last, with its error in *err. */
static inline int genl_take(struct genl *genl, const struct nlmsghdr *nlh, int *err)
{
	switch (nlh->nlmsg_type) {
	case NLMSG_ERROR:
		genl_read_ack(genl, nlh);
		*err = -((const struct nlmsgerr *)mnl_nlmsg_get_payload(nlh))->error;
		return 1;
	case NLMSG_DONE:
		*err = -*(const int *)mnl_nlmsg_get_payload(nlh);
		return 1;
	case GENL_ID_CTRL:
		genl_read_family(genl, nlh);
		return 0;
	default:
		if (genl->on_message)
			genl->on_message(genl, nlh);
		return 0;
	}
}

/*
 * Reads until the ACK, or the end of the dump, of that number. Returns its error, 0 or a positive
 * errno.
 */
static inline int genl_receive(struct genl *genl, uint32_t seq)
{
	char buf[128 * 1024];	/* an ACK has the whole request */
	int err;

	for (;;) {
		ssize_t n = mnl_socket_recvfrom(genl->nl, buf, sizeof(buf));
		const struct nlmsghdr *in = (void *)buf;
		int left = n;

		if (n < 0)
			return errno;
		for (; mnl_nlmsg_ok(in, left); in = mnl_nlmsg_next(in, &left))
			if (in->nlmsg_seq == seq && genl_take(genl, in, &err))
				return err;
	}
}

static inline int genl_send(struct genl *genl, const struct nlmsghdr *nlh)
{
	return mnl_socket_sendto(genl->nl, nlh, nlh->nlmsg_len) < 0 ? errno : 0;
}

static inline int genl_talk(struct genl *genl, const struct nlmsghdr *nlh)
{
	return genl_send(genl, nlh) ?: genl_receive(genl, nlh->nlmsg_seq);
}

/* Opens a socket and finds the family; returns 0, or a positive errno. */
static inline int genl_open(struct genl *genl)
{
	struct nlmsghdr *nlh;

	if (genl_open_socket(genl))
		return errno;
	nlh = genl_start(genl, GENL_ID_CTRL, CTRL_CMD_GETFAMILY);
	mnl_attr_put_strz(nlh, CTRL_ATTR_FAMILY_NAME, SRQPOOL_GENL_NAME);
	return genl_talk(genl, nlh);
}

static inline int genl_del_pool(struct genl *genl, const char *name)
{
	struct nlmsghdr *nlh = genl_start(genl, genl->id, SRQPOOL_CMD_POOL_DEL);

	mnl_attr_put_strz(nlh, SRQPOOL_A_POOL_NAME, name);
	mnl_attr_put(nlh, SRQPOOL_A_POOL_FORCE, 0, NULL);
	return genl_talk(genl, nlh);
}

#endif /* SELFTESTS_GENL_H */
