/* SPDX-License-Identifier: GPL-2.0 */
/* family: a socket of the srqpool family, for messages that no library would make. */
#ifndef NETLINK_FAMILY_H
#define NETLINK_FAMILY_H

#include <errno.h>
#include <libmnl/libmnl.h>
#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <linux/srqpool.h>
#include <stdint.h>
#include <string.h>

struct family {
	struct mnl_socket *nl;
	uint16_t id;
	uint32_t version;
	uint32_t seq;
	char buf[8192];		/* of the request that is being made */
	char text[256];		/* of the last extended ACK */
	void (*reply)(struct family *f, const struct nlmsghdr *nlh);
};

static inline struct nlmsghdr *family_start(struct family *f, uint8_t cmd)
{
	struct nlmsghdr *nlh = mnl_nlmsg_put_header(f->buf);
	struct genlmsghdr *genl;

	nlh->nlmsg_type = f->id;
	nlh->nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK;
	nlh->nlmsg_seq = ++f->seq;
	genl = mnl_nlmsg_put_extra_header(nlh, sizeof(*genl));
	genl->cmd = cmd;
	genl->version = 1;
	return nlh;
}

static inline void family_read_ack(struct family *f, const struct nlmsghdr *nlh)
{
	const struct nlmsgerr *err = mnl_nlmsg_get_payload(nlh);
	size_t skip = sizeof(*err);
	const struct nlattr *attr;

	f->text[0] = '\0';
	if (!(nlh->nlmsg_flags & NLM_F_ACK_TLVS))
		return;
	if (!(nlh->nlmsg_flags & NLM_F_CAPPED))
		skip += err->msg.nlmsg_len - sizeof(err->msg);
	mnl_attr_for_each(attr, nlh, skip)
		if (mnl_attr_get_type(attr) == NLMSGERR_ATTR_MSG)
			strncpy(f->text, mnl_attr_get_str(attr), sizeof(f->text) - 1);
}

static inline void family_read_id(struct family *f, const struct nlmsghdr *nlh)
{
	const struct nlattr *attr;

	mnl_attr_for_each(attr, nlh, sizeof(struct genlmsghdr)) {
		if (mnl_attr_get_type(attr) == CTRL_ATTR_FAMILY_ID)
			f->id = mnl_attr_get_u16(attr);
		if (mnl_attr_get_type(attr) == CTRL_ATTR_VERSION)
			f->version = mnl_attr_get_u32(attr);
	}
}

/* Reads until the ACK, or the end of the dump, with that number. Returns 0 or a positive errno. */
static inline int family_listen(struct family *f, uint32_t seq)
{
	char buf[128 * 1024];	/* an ACK has the whole request */

	for (;;) {
		ssize_t n = mnl_socket_recvfrom(f->nl, buf, sizeof(buf));
		const struct nlmsghdr *in = (void *)buf;
		int left = n;

		if (n < 0)
			return errno;
		for (; mnl_nlmsg_ok(in, left); in = mnl_nlmsg_next(in, &left)) {
			if (in->nlmsg_seq != seq)
				continue;
			if (in->nlmsg_type == NLMSG_ERROR) {
				family_read_ack(f, in);
				return -((const struct nlmsgerr *)mnl_nlmsg_get_payload(in))->error;
			}
			if (in->nlmsg_type == NLMSG_DONE)
				return -*(const int *)mnl_nlmsg_get_payload(in);
			if (in->nlmsg_type == GENL_ID_CTRL)
				family_read_id(f, in);
			else if (f->reply)
				f->reply(f, in);
		}
	}
}

static inline int family_talk(struct family *f, const struct nlmsghdr *nlh)
{
	if (mnl_socket_sendto(f->nl, nlh, nlh->nlmsg_len) < 0)
		return errno;
	return family_listen(f, nlh->nlmsg_seq);
}

/* Returns 0 or a positive errno. */
static inline int family_open(struct family *f)
{
	struct nlmsghdr *nlh;
	int one = 1;

	f->nl = mnl_socket_open(NETLINK_GENERIC);
	if (!f->nl || mnl_socket_bind(f->nl, 0, MNL_SOCKET_AUTOPID) ||
	    mnl_socket_setsockopt(f->nl, NETLINK_EXT_ACK, &one, sizeof(one)))
		return errno;
	f->id = GENL_ID_CTRL;
	nlh = family_start(f, CTRL_CMD_GETFAMILY);
	mnl_attr_put_strz(nlh, CTRL_ATTR_FAMILY_NAME, SRQPOOL_GENL_NAME);
	return family_talk(f, nlh);
}

static inline int family_del_pool(struct family *f, const char *name)
{
	struct nlmsghdr *nlh = family_start(f, SRQPOOL_CMD_POOL_DEL);

	mnl_attr_put_strz(nlh, SRQPOOL_A_POOL_NAME, name);
	mnl_attr_put(nlh, SRQPOOL_A_POOL_FORCE, 0, NULL);
	return family_talk(f, nlh);
}

#endif /* NETLINK_FAMILY_H */
