// SPDX-License-Identifier: GPL-2.0
#include <linux/ktime.h>
#include <net/genetlink.h>
#include <net/net_namespace.h>
#include "compat.h"
#include "conn.h"
#include "event.h"
#include "holder.h"
#include "listener.h"
#include "netlink.h"
#include "pool.h"

#define DEFAULT_BUDGET		(256ULL << 20)
#define DEFAULT_RNR_USEC	640
#define DEFAULT_MARK_PERCENT	12
#define DEFAULT_COPYBREAK	256
#define DEFAULT_AGING		60
#define DEFAULT_KEEPALIVE	30

static struct genl_family family;

/*
 * Refusals
 */

/*
 * The text of an extended ACK must last until the ACK is built, after the
 * command returned; the kernel's own buffer for it holds only 80 bytes.
 */
#define NR_TEXTS	256
static struct refusal_text {
	unsigned long used;	/* jiffies, 0 never */
	char text[sizeof_field(struct srqpool_refusal, text)];
} texts[NR_TEXTS];
static u32 next_text;
static DEFINE_SPINLOCK(texts_lock);

static void say(struct netlink_ext_ack *extack, const char *text)
{
	struct refusal_text *slot;

	if (!extack || !text[0])
		return;
	extack->_msg = "refused, and so many others that the reason got lost";
	spin_lock(&texts_lock);
	slot = &texts[next_text % NR_TEXTS];
	if (!slot->used || time_after(jiffies, slot->used + HZ)) {
		next_text++;
		slot->used = jiffies ?: 1;
		strscpy(slot->text, text, sizeof(slot->text));
		extack->_msg = slot->text;
	}
	spin_unlock(&texts_lock);
}

static const struct nlattr *nth_class(struct genl_info *info, int n)
{
	const struct nlattr *attr;
	int rem;

	nlmsg_for_each_attr(attr, info->nlhdr, GENL_HDRLEN, rem)
		if (nla_type(attr) == SRQPOOL_A_POOL_CLASS && !n--)
			return attr;
	return NULL;
}

static const struct nlattr *blamed(struct genl_info *info,
				   const struct srqpool_refusal *r)
{
	const struct nlattr *class, *attr;

	if (r->cls < 0)
		return r->attr ? info->attrs[r->attr] : NULL;
	class = nth_class(info, r->cls);
	if (!class)
		return NULL;
	attr = nla_find(nla_data(class), nla_len(class), r->attr);
	return attr ? attr : class;
}

/* Ends a command: passes a refusal or a warning on, and the result. */
static int answer(struct genl_info *info, const struct srqpool_refusal *r,
		  int ret)
{
	say(info->extack, r->text);
	if (ret && info->extack)
		info->extack->bad_attr = blamed(info, r);
	return ret;
}

static int refuse(struct genl_info *info, int err, int attr, const char *text)
{
	struct srqpool_refusal r = { .err = err, .attr = attr, .cls = -1 };

	strscpy(r.text, text, sizeof(r.text));
	return answer(info, &r, err);
}

static int lacks(struct genl_info *info, const char *what)
{
	char text[64];

	snprintf(text, sizeof(text), "%s is missing", what);
	return refuse(info, -EINVAL, 0, text);
}

/* The attribute names something that does not exist. */
static int nothing_named(struct genl_info *info, int err, int attr,
			 const char *what)
{
	char text[96];

	snprintf(text, sizeof(text), "there is no %s %.64s", what,
		 (char *)nla_data(info->attrs[attr]));
	return refuse(info, err, attr, text);
}

static int nothing_numbered(struct genl_info *info, int attr, const char *what)
{
	char text[64];

	snprintf(text, sizeof(text), "there is no %s %llu", what,
		 nla_get_u64(info->attrs[attr]));
	return refuse(info, -ENOENT, attr, text);
}

static int may_change(struct sk_buff *skb, struct genl_info *info)
{
	if (!net_eq(genl_info_net(info), &init_net))
		return refuse(info, -EPERM, 0,
			      "only from the initial network namespace");
	if (!netlink_capable(skb, CAP_NET_ADMIN))
		return refuse(info, -EPERM, 0, "CAP_NET_ADMIN is needed");
	return 0;
}

static bool may_see(const struct net *net)
{
	return net_eq(net, &init_net);
}

/*
 * Messages
 */

static void *msg_start(struct sk_buff *skb, u32 portid, u32 seq, int flags,
		       u8 cmd)
{
	return genlmsg_put(skb, portid, seq, &family, flags, cmd);
}

static void *dump_start(struct sk_buff *skb, struct netlink_callback *cb, u8 cmd)
{
	void *hdr = msg_start(skb, NETLINK_CB(cb->skb).portid,
			      cb->nlh->nlmsg_seq, NLM_F_MULTI, cmd);

	if (hdr)
		genl_dump_check_consistent(cb, hdr);
	return hdr;
}

/* Ends a dump's message, or takes it back if it did not fit. */
static int msg_end(struct sk_buff *skb, void *hdr, int ret)
{
	if (ret)
		genlmsg_cancel(skb, hdr);
	else
		genlmsg_end(skb, hdr);
	return ret;
}

/* One object that does not fit an empty buffer is an error, not an end. */
static int dump_end(struct sk_buff *skb, int ret)
{
	return ret && !skb->len ? ret : skb->len;
}

typedef int (*fill_fn)(struct sk_buff *skb, void *object);

static int reply(struct genl_info *info, u8 cmd, fill_fn fill, void *object)
{
	struct sk_buff *skb = genlmsg_new(GENLMSG_DEFAULT_SIZE, GFP_KERNEL);
	void *hdr;
	int ret;

	if (!skb)
		return -ENOMEM;
	hdr = msg_start(skb, info->snd_portid, info->snd_seq, 0, cmd);
	ret = hdr ? fill(skb, object) : -EMSGSIZE;
	if (ret) {
		nlmsg_free(skb);
		return ret;
	}
	genlmsg_end(skb, hdr);
	return genlmsg_reply(skb, info);
}

static int put_u64(struct sk_buff *skb, int attr, u64 value, int pad)
{
	return nla_put_u64_64bit(skb, attr, value, pad);
}

static int put_addr(struct sk_buff *skb, const struct sockaddr_storage *addr,
		    int attr, int port_attr)
{
	const struct sockaddr_in6 *in6 = (const struct sockaddr_in6 *)addr;
	const struct sockaddr_in *in = (const struct sockaddr_in *)addr;

	if (addr->ss_family == AF_INET6)
		return nla_put(skb, attr, sizeof(in6->sin6_addr),
			       &in6->sin6_addr) ?:
		       nla_put_u16(skb, port_attr, be16_to_cpu(in6->sin6_port));
	return nla_put(skb, attr, sizeof(in->sin_addr), &in->sin_addr) ?:
	       nla_put_u16(skb, port_attr, be16_to_cpu(in->sin_port));
}

/*
 * Devices
 */

struct dev_use {
	u32 pools;
	u32 conns;
	u64 pinned;
};

static void count_use(struct srqpool_device *dev, struct dev_use *use)
{
	struct srqpool_instance *inst;
	struct srqpool_pool *pool;
	u64 id;

	for (id = 0; (pool = pool_next(id)); id = pool->id + 1, pool_put(pool)) {
		inst = pool_instance(pool);
		if (!inst)
			continue;
		if (inst->dev == dev) {
			use->pools++;
			use->conns += atomic_read(&pool->conns);
			use->pinned += atomic64_read(&pool->budget.pinned);
		}
		instance_put(inst);
	}
}

static int dev_fill(struct sk_buff *skb, void *object)
{
	struct srqpool_device *dev = object;
	struct srqpool_limits lim;
	struct dev_use use = {};

	device_limits(dev, &lim);
	count_use(dev, &use);
	if (nla_put_string(skb, SRQPOOL_A_DEV_NAME, dev_name(&dev->ibdev->dev)) ||
	    put_u64(skb, SRQPOOL_A_DEV_GUID,
		    be64_to_cpu(dev->ibdev->node_guid), SRQPOOL_A_DEV_PAD) ||
	    nla_put_u8(skb, SRQPOOL_A_DEV_SRQ, lim.max_srq && lim.max_srq_wr) ||
	    nla_put_u32(skb, SRQPOOL_A_DEV_MAX_SRQ, lim.max_srq) ||
	    nla_put_u32(skb, SRQPOOL_A_DEV_MAX_SRQ_WR, lim.max_srq_wr) ||
	    nla_put_u32(skb, SRQPOOL_A_DEV_MAX_CQE, lim.max_cqe) ||
	    nla_put_u32(skb, SRQPOOL_A_DEV_VECTORS, lim.vectors) ||
	    nla_put_u32(skb, SRQPOOL_A_DEV_POOLS, use.pools) ||
	    nla_put_u32(skb, SRQPOOL_A_DEV_CONNS, use.conns) ||
	    put_u64(skb, SRQPOOL_A_DEV_PINNED, use.pinned, SRQPOOL_A_DEV_PAD))
		return -EMSGSIZE;
	return 0;
}

static int dev_get_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct srqpool_device *dev;
	int ret;

	if (!info->attrs[SRQPOOL_A_DEV_NAME])
		return lacks(info, "the device's name");
	dev = may_see(genl_info_net(info)) ?
	      device_get(nla_data(info->attrs[SRQPOOL_A_DEV_NAME])) : NULL;
	if (!dev)
		return nothing_named(info, -ENODEV, SRQPOOL_A_DEV_NAME,
				     "RDMA device");
	ret = reply(info, SRQPOOL_CMD_DEV_GET, dev_fill, dev);
	device_put(dev);
	return ret;
}

static int dev_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct srqpool_device *dev;
	int ret = 0;
	void *hdr;

	if (!may_see(sock_net(skb->sk)))
		return 0;
	cb->seq = atomic_read(&event_generation);
	while (!ret && (dev = device_next(cb->args[0]))) {
		hdr = dump_start(skb, cb, SRQPOOL_CMD_DEV_GET);
		ret = hdr ? msg_end(skb, hdr, dev_fill(skb, dev)) : -EMSGSIZE;
		device_put(dev);
		if (!ret)
			cb->args[0]++;
	}
	return dump_end(skb, ret);
}

/*
 * Pools
 */

/* Sums over the shards of a class; every queue is read under its own lock. */
static void class_view(struct srqpool_instance *inst, u32 class,
		       struct queue_view *sum)
{
	struct queue_view view;
	u32 shard;

	memset(sum, 0, sizeof(*sum));
	sum->armed = true;
	for (shard = 0; shard < inst->cfg.shards; shard++) {
		queue_read(instance_queue(inst, shard, class), &view);
		sum->target += view.target;
		sum->mark += view.mark;
		sum->total += view.total;
		sum->posted += view.posted;
		sum->held += view.held;
		sum->free += view.free;
		sum->lost += view.lost;
		sum->low_water += view.low_water;
		sum->max_in_use += view.max_in_use;
		sum->armed &= view.armed;
	}
}

static int put_class_config(struct sk_buff *skb,
			    const struct srqpool_class_config *c)
{
	return nla_put_string(skb, SRQPOOL_A_CLASS_NAME, c->name) ||
	       nla_put_u32(skb, SRQPOOL_A_CLASS_SIZE, c->size) ||
	       nla_put_u32(skb, SRQPOOL_A_CLASS_FLOOR, c->floor) ||
	       nla_put_u32(skb, SRQPOOL_A_CLASS_CEILING, c->ceiling) ||
	       nla_put_u32(skb, SRQPOOL_A_CLASS_MARK_KIND, c->mark_kind) ||
	       nla_put_u32(skb, SRQPOOL_A_CLASS_MARK_VALUE, c->mark_value);
}

static int put_class_view(struct sk_buff *skb, const struct queue_view *v)
{
	return nla_put_u32(skb, SRQPOOL_A_CLASS_TARGET, v->target) ||
	       nla_put_u32(skb, SRQPOOL_A_CLASS_MARK, v->mark) ||
	       nla_put_u8(skb, SRQPOOL_A_CLASS_ARMED, v->armed) ||
	       nla_put_u32(skb, SRQPOOL_A_CLASS_TOTAL, v->total) ||
	       nla_put_u32(skb, SRQPOOL_A_CLASS_POSTED, v->posted) ||
	       nla_put_u32(skb, SRQPOOL_A_CLASS_HELD, v->held) ||
	       nla_put_u32(skb, SRQPOOL_A_CLASS_FREE, v->free) ||
	       nla_put_u32(skb, SRQPOOL_A_CLASS_LOST, v->lost) ||
	       nla_put_u32(skb, SRQPOOL_A_CLASS_LOW_WATER, v->low_water) ||
	       nla_put_u32(skb, SRQPOOL_A_CLASS_MAX_IN_USE, v->max_in_use);
}

static int put_classes(struct sk_buff *skb, struct srqpool_pool *pool,
		       const struct srqpool_config *cfg)
{
	struct srqpool_instance *inst = pool_instance(pool);
	struct queue_view view = {};
	struct nlattr *nest;
	bool rnr_seen;
	int ret = 0;
	u64 naks;
	u32 i;

	if (inst && put_u64(skb, SRQPOOL_A_POOL_ARENA, instance_arena(inst),
			    SRQPOOL_A_POOL_PAD))
		ret = -EMSGSIZE;
	rnr_seen = pool_rnr_naks(pool, &naks) && naks;
	for (i = 0; i < cfg->nr_classes && !ret; i++) {
		nest = nla_nest_start(skb, SRQPOOL_A_POOL_CLASS);
		if (inst)
			class_view(inst, i, &view);
		if (rnr_seen)
			view.low_water = 0;
		if (!nest || put_class_config(skb, &cfg->classes[i]) ||
		    put_class_view(skb, &view))
			ret = -EMSGSIZE;
		else
			nla_nest_end(skb, nest);
	}
	if (inst)
		instance_put(inst);
	return ret;
}

static int put_knobs(struct sk_buff *skb, const struct srqpool_config *cfg)
{
	return nla_put_u32(skb, SRQPOOL_A_POOL_POLL, cfg->poll) ||
	       nla_put_u32(skb, SRQPOOL_A_POOL_POLL_USEC, cfg->poll_usec) ||
	       nla_put_u32(skb, SRQPOOL_A_POOL_REFILL, cfg->refill) ||
	       nla_put_u32(skb, SRQPOOL_A_POOL_DEDICATED, cfg->dedicated) ||
	       nla_put_u32(skb, SRQPOOL_A_POOL_QUOTA, policy_quota(cfg, 0)) ||
	       nla_put_u32(skb, SRQPOOL_A_POOL_QUOTA_POLICY, cfg->quota_policy) ||
	       nla_put_u32(skb, SRQPOOL_A_POOL_RESERVE, policy_reserve(cfg, 0)) ||
	       nla_put_u32(skb, SRQPOOL_A_POOL_COPYBREAK, cfg->copybreak) ||
	       nla_put_u32(skb, SRQPOOL_A_POOL_AGING, cfg->aging) ||
	       nla_put_u32(skb, SRQPOOL_A_POOL_KEEPALIVE, cfg->keepalive);
}

static int pool_fill(struct sk_buff *skb, void *object)
{
	enum srqpool_pool_state state;
	struct srqpool_pool *pool = object;
	struct srqpool_config cfg;

	pool_config(pool, &cfg, &state);
	if (put_u64(skb, SRQPOOL_A_POOL_ID, pool->id, SRQPOOL_A_POOL_PAD) ||
	    nla_put_string(skb, SRQPOOL_A_POOL_NAME, cfg.name) ||
	    nla_put_string(skb, SRQPOOL_A_POOL_DEV, cfg.dev) ||
	    nla_put_u32(skb, SRQPOOL_A_POOL_STATE, state) ||
	    nla_put_u32(skb, SRQPOOL_A_POOL_SHARDS, cfg.shards) ||
	    put_u64(skb, SRQPOOL_A_POOL_BUDGET, cfg.budget, SRQPOOL_A_POOL_PAD) ||
	    put_u64(skb, SRQPOOL_A_POOL_PINNED,
		    atomic64_read(&pool->budget.pinned), SRQPOOL_A_POOL_PAD) ||
	    nla_put_u32(skb, SRQPOOL_A_POOL_RNR_TIMER_US, cfg.rnr_timer_us) ||
	    nla_put_u32(skb, SRQPOOL_A_POOL_CONNS, atomic_read(&pool->conns)) ||
	    put_knobs(skb, &cfg))
		return -EMSGSIZE;
	return put_classes(skb, pool, &cfg);
}

/* The pool that an attribute names, with a reference; else it is refused. */
static struct srqpool_pool *named_pool(struct genl_info *info, int attr,
				       int *err)
{
	struct srqpool_pool *pool = NULL;

	if (!info->attrs[attr]) {
		*err = lacks(info, "the pool's name");
		return NULL;
	}
	if (may_see(genl_info_net(info)))
		pool = pool_get(nla_data(info->attrs[attr]));
	if (!pool)
		*err = nothing_named(info, -ENOENT, attr, "pool");
	return pool;
}

static int pool_get_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct srqpool_pool *pool;
	int ret;

	pool = named_pool(info, SRQPOOL_A_POOL_NAME, &ret);
	if (!pool)
		return ret;
	ret = reply(info, SRQPOOL_CMD_POOL_GET, pool_fill, pool);
	pool_put(pool);
	return ret;
}

/* Both dumps that give one message a pool. */
static int dump_pools(struct sk_buff *skb, struct netlink_callback *cb, u8 cmd,
		      fill_fn fill)
{
	struct srqpool_pool *pool;
	int ret = 0;
	void *hdr;

	if (!may_see(sock_net(skb->sk)))
		return 0;
	cb->seq = atomic_read(&event_generation);
	while (!ret && (pool = pool_next(cb->args[0]))) {
		hdr = dump_start(skb, cb, cmd);
		ret = hdr ? msg_end(skb, hdr, fill(skb, pool)) : -EMSGSIZE;
		if (!ret)
			cb->args[0] = pool->id + 1;
		pool_put(pool);
	}
	return dump_end(skb, ret);
}

static int pool_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb)
{
	return dump_pools(skb, cb, SRQPOOL_CMD_POOL_GET, pool_fill);
}

static const struct nla_policy class_policy[SRQPOOL_A_CLASS_MAX + 1] = {
	[SRQPOOL_A_CLASS_NAME] = { .type = NLA_NUL_STRING, .len = 255 },
	[SRQPOOL_A_CLASS_SIZE] = { .type = NLA_U32 },
	[SRQPOOL_A_CLASS_FLOOR] = { .type = NLA_U32 },
	[SRQPOOL_A_CLASS_CEILING] = { .type = NLA_U32 },
	[SRQPOOL_A_CLASS_MARK_KIND] =
		NLA_POLICY_MAX(NLA_U32, SRQPOOL_MARK_AUTO),
	[SRQPOOL_A_CLASS_MARK_VALUE] = { .type = NLA_U32 },
};

static const struct nla_policy pool_policy[SRQPOOL_A_POOL_MAX + 1] = {
	[SRQPOOL_A_POOL_NAME] = { .type = NLA_NUL_STRING, .len = 255 },
	[SRQPOOL_A_POOL_DEV] = { .type = NLA_NUL_STRING, .len = 255 },
	[SRQPOOL_A_POOL_SHARDS] = { .type = NLA_U32 },
	[SRQPOOL_A_POOL_BUDGET] = { .type = NLA_U64 },
	[SRQPOOL_A_POOL_RNR_TIMER_US] = { .type = NLA_U32 },
	[SRQPOOL_A_POOL_CLASS] = NLA_POLICY_NESTED(class_policy),
	[SRQPOOL_A_POOL_FORCE] = { .type = NLA_FLAG },
	[SRQPOOL_A_POOL_POLL] = NLA_POLICY_MAX(NLA_U32, SRQPOOL_POLL_HYBRID),
	[SRQPOOL_A_POOL_POLL_USEC] = { .type = NLA_U32 },
	[SRQPOOL_A_POOL_REFILL] =
		NLA_POLICY_MAX(NLA_U32, SRQPOOL_REFILL_IMMEDIATE),
	[SRQPOOL_A_POOL_DEDICATED] = { .type = NLA_U32 },
	[SRQPOOL_A_POOL_QUOTA] = { .type = NLA_U32 },
	[SRQPOOL_A_POOL_QUOTA_POLICY] =
		NLA_POLICY_MAX(NLA_U32, SRQPOOL_QUOTA_DISCONNECT),
	[SRQPOOL_A_POOL_RESERVE] = { .type = NLA_U32 },
	[SRQPOOL_A_POOL_COPYBREAK] = { .type = NLA_U32 },
	[SRQPOOL_A_POOL_AGING] = { .type = NLA_U32 },
	[SRQPOOL_A_POOL_KEEPALIVE] = { .type = NLA_U32 },
};

static u32 get_u32(struct nlattr **attrs, int attr, u32 otherwise)
{
	return attrs[attr] ? nla_get_u32(attrs[attr]) : otherwise;
}

/* A name that does not fit keeps one character too many, and is refused. */
static void get_name(char *to, size_t size, const struct nlattr *attr)
{
	if (strscpy(to, nla_data(attr), size) < 0)
		to[0] = '\0';
}

/* Absent numbers stay 0: a new class and a change take that differently. */
static int parse_class(const struct nlattr *nest, struct srqpool_class_config *c,
		       bool *has_mark, struct genl_info *info)
{
	struct nlattr *tb[SRQPOOL_A_CLASS_MAX + 1];
	int ret;

	ret = nla_parse_nested(tb, SRQPOOL_A_CLASS_MAX, nest, class_policy,
			       info->extack);
	if (ret)
		return ret;
	c->size = get_u32(tb, SRQPOOL_A_CLASS_SIZE, 0);
	c->floor = get_u32(tb, SRQPOOL_A_CLASS_FLOOR, 0);
	c->ceiling = get_u32(tb, SRQPOOL_A_CLASS_CEILING, 0);
	c->mark_kind = get_u32(tb, SRQPOOL_A_CLASS_MARK_KIND,
			       SRQPOOL_MARK_PERCENT);
	c->mark_value = get_u32(tb, SRQPOOL_A_CLASS_MARK_VALUE, 0);
	*has_mark = tb[SRQPOOL_A_CLASS_MARK_VALUE];
	if (tb[SRQPOOL_A_CLASS_NAME])
		get_name(c->name, sizeof(c->name), tb[SRQPOOL_A_CLASS_NAME]);
	else
		snprintf(c->name, sizeof(c->name), "%u", c->size);
	return 0;
}

static int parse_classes(struct genl_info *info,
			 struct srqpool_class_config *classes, bool *has_mark,
			 u32 *nr)
{
	const struct nlattr *attr;
	int rem, ret;

	*nr = 0;
	nlmsg_for_each_attr(attr, info->nlhdr, GENL_HDRLEN, rem) {
		if (nla_type(attr) != SRQPOOL_A_POOL_CLASS)
			continue;
		if (*nr == SRQPOOL_CLASSES_MAX)
			return refuse(info, -EINVAL, SRQPOOL_A_POOL_CLASS,
				      "a pool has at most 8 classes");
		ret = parse_class(attr, &classes[*nr], &has_mark[*nr], info);
		if (ret)
			return ret;
		(*nr)++;
	}
	return 0;
}

/* Knobs that are not given stay as they are. */
static void parse_knobs(struct genl_info *info, struct srqpool_config *cfg)
{
	struct nlattr **attrs = info->attrs;

	cfg->shards = get_u32(attrs, SRQPOOL_A_POOL_SHARDS, cfg->shards);
	if (attrs[SRQPOOL_A_POOL_BUDGET])
		cfg->budget = nla_get_u64(attrs[SRQPOOL_A_POOL_BUDGET]);
	cfg->rnr_timer_us = get_u32(attrs, SRQPOOL_A_POOL_RNR_TIMER_US,
				    cfg->rnr_timer_us);
	cfg->poll = get_u32(attrs, SRQPOOL_A_POOL_POLL, cfg->poll);
	cfg->poll_usec = get_u32(attrs, SRQPOOL_A_POOL_POLL_USEC, cfg->poll_usec);
	cfg->refill = get_u32(attrs, SRQPOOL_A_POOL_REFILL, cfg->refill);
	cfg->dedicated = get_u32(attrs, SRQPOOL_A_POOL_DEDICATED,
				 cfg->dedicated);
	if (attrs[SRQPOOL_A_POOL_QUOTA])
		cfg->quota = nla_get_u32(attrs[SRQPOOL_A_POOL_QUOTA]) ?:
			     POLICY_AUTO;
	cfg->quota_policy = get_u32(attrs, SRQPOOL_A_POOL_QUOTA_POLICY,
				    cfg->quota_policy);
	cfg->reserve = get_u32(attrs, SRQPOOL_A_POOL_RESERVE, cfg->reserve);
	cfg->copybreak = get_u32(attrs, SRQPOOL_A_POOL_COPYBREAK,
				 cfg->copybreak);
	cfg->aging = get_u32(attrs, SRQPOOL_A_POOL_AGING, cfg->aging);
	cfg->keepalive = get_u32(attrs, SRQPOOL_A_POOL_KEEPALIVE,
				 cfg->keepalive);
}

static void default_knobs(struct srqpool_config *cfg)
{
	cfg->budget = DEFAULT_BUDGET;
	cfg->rnr_timer_us = DEFAULT_RNR_USEC;
	cfg->poll_usec = SRQPOOL_POLL_USEC_DEFAULT;
	cfg->quota = POLICY_AUTO;
	cfg->reserve = POLICY_AUTO;
	cfg->copybreak = DEFAULT_COPYBREAK;
	cfg->aging = DEFAULT_AGING;
	cfg->keepalive = DEFAULT_KEEPALIVE;
}

static int parse_new_pool(struct genl_info *info, struct srqpool_config *cfg)
{
	bool has_mark[SRQPOOL_CLASSES_MAX];
	struct nlattr **attrs = info->attrs;
	u32 i;
	int ret;

	if (!attrs[SRQPOOL_A_POOL_NAME])
		return lacks(info, "the pool's name");
	if (!attrs[SRQPOOL_A_POOL_DEV])
		return lacks(info, "the device's name");
	get_name(cfg->name, sizeof(cfg->name), attrs[SRQPOOL_A_POOL_NAME]);
	get_name(cfg->dev, sizeof(cfg->dev), attrs[SRQPOOL_A_POOL_DEV]);
	default_knobs(cfg);
	parse_knobs(info, cfg);
	ret = parse_classes(info, cfg->classes, has_mark, &cfg->nr_classes);
	if (ret)
		return ret;
	if (!cfg->nr_classes)
		return lacks(info, "a class");
	for (i = 0; i < cfg->nr_classes; i++) {
		if (!cfg->classes[i].ceiling)
			cfg->classes[i].ceiling = cfg->classes[i].floor;
		if (!has_mark[i])
			cfg->classes[i].mark_value = DEFAULT_MARK_PERCENT;
	}
	return 0;
}

static int pool_new_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct srqpool_refusal r = { .cls = -1 };
	struct srqpool_config *cfg;
	int ret;

	ret = may_change(skb, info);
	if (ret)
		return ret;
	cfg = kzalloc(sizeof(*cfg), GFP_KERNEL);
	if (!cfg)
		return -ENOMEM;
	ret = parse_new_pool(info, cfg);
	if (!ret)
		ret = answer(info, &r, pool_create(cfg, &r));
	kfree(cfg);
	return ret;
}

/**
 * struct pool_edit - what a POOL_SET changes
 * @info: the request
 * @nr_classes: classes it names
 * @classes: what it says of them, 0 where it says nothing
 * @has_mark: which of them give a mark
 */
struct pool_edit {
	struct genl_info *info;
	u32 nr_classes;
	struct srqpool_class_config classes[SRQPOOL_CLASSES_MAX];
	bool has_mark[SRQPOOL_CLASSES_MAX];
};

static struct srqpool_class_config *find_class(struct srqpool_config *cfg,
					       const char *name)
{
	u32 i;

	for (i = 0; i < cfg->nr_classes; i++)
		if (!strcmp(cfg->classes[i].name, name))
			return &cfg->classes[i];
	return NULL;
}

static int edit_class(struct srqpool_config *cfg,
		      const struct srqpool_class_config *given, bool has_mark,
		      int index, struct srqpool_refusal *r)
{
	struct srqpool_class_config *c = find_class(cfg, given->name);

	if (!c)
		return policy_refuse(r, -ENOENT, index, SRQPOOL_A_CLASS_NAME,
				     "pool %s has no class %s", cfg->name,
				     given->name);
	c->size = given->size ?: c->size;
	c->floor = given->floor ?: c->floor;
	c->ceiling = given->ceiling ?: c->ceiling;
	if (has_mark) {
		c->mark_kind = given->mark_kind;
		c->mark_value = given->mark_value;
	}
	return 0;
}

/* Under the pool's mutex. */
static int edit_pool(struct srqpool_config *cfg, void *context,
		     struct srqpool_refusal *r)
{
	struct pool_edit *edit = context;
	const struct nlattr *dev = edit->info->attrs[SRQPOOL_A_POOL_DEV];
	u32 i;
	int ret;

	if (dev)
		get_name(cfg->dev, sizeof(cfg->dev), dev);
	parse_knobs(edit->info, cfg);
	for (i = 0; i < edit->nr_classes; i++) {
		ret = edit_class(cfg, &edit->classes[i], edit->has_mark[i], i, r);
		if (ret)
			return ret;
	}
	return 0;
}

static int set_pool(struct genl_info *info, struct srqpool_pool *pool)
{
	struct srqpool_refusal r = { .cls = -1 };
	struct pool_edit *edit;
	int ret;

	edit = kzalloc(sizeof(*edit), GFP_KERNEL);
	if (!edit)
		return -ENOMEM;
	edit->info = info;
	ret = parse_classes(info, edit->classes, edit->has_mark,
			    &edit->nr_classes);
	if (!ret)
		ret = answer(info, &r, pool_set(pool, edit_pool, edit, &r));
	kfree(edit);
	return ret;
}

static int reset_pool(struct genl_info *info, struct srqpool_pool *pool)
{
	pool_reset(pool);
	return 0;
}

static int del_pool(struct genl_info *info, struct srqpool_pool *pool)
{
	struct srqpool_refusal r = { .cls = -1 };

	return answer(info, &r,
		      pool_delete(pool, info->attrs[SRQPOOL_A_POOL_FORCE], &r));
}

/* A command that changes a pool there is. */
static int change_pool(struct sk_buff *skb, struct genl_info *info,
		       int (*change)(struct genl_info *info,
				     struct srqpool_pool *pool))
{
	struct srqpool_pool *pool;
	int ret = may_change(skb, info);

	if (ret)
		return ret;
	pool = named_pool(info, SRQPOOL_A_POOL_NAME, &ret);
	if (!pool)
		return ret;
	ret = change(info, pool);
	pool_put(pool);
	return ret;
}

static int pool_set_doit(struct sk_buff *skb, struct genl_info *info)
{
	return change_pool(skb, info, set_pool);
}

static int pool_del_doit(struct sk_buff *skb, struct genl_info *info)
{
	return change_pool(skb, info, del_pool);
}

static int pool_reset_doit(struct sk_buff *skb, struct genl_info *info)
{
	return change_pool(skb, info, reset_pool);
}

/*
 * Queues
 */

static u32 cq_used(struct srqpool_shard *shard)
{
	struct queue_view view;
	u32 used = 0;
	u32 i;

	for (i = 0; i < shard->nr_queues; i++) {
		queue_read(&shard->queues[i], &view);
		used += view.posted + view.held + view.lost;
	}
	return used;
}

static int queue_fill(struct sk_buff *skb, struct srqpool_instance *inst,
		      u32 index)
{
	struct srqpool_queue *q = &inst->queues[index];
	struct srqpool_shard *shard = &inst->shards[q->shard];
	struct queue_view view;
	u32 limit;

	queue_read(q, &view);
	if (!queue_device_limit(q, &limit) &&
	    nla_put_u32(skb, SRQPOOL_A_QUEUE_DEVICE_LIMIT, limit))
		return -EMSGSIZE;
	if (nla_put_string(skb, SRQPOOL_A_QUEUE_POOL, inst->cfg.name) ||
	    nla_put_string(skb, SRQPOOL_A_QUEUE_CLASS, q->cls.name) ||
	    nla_put_u32(skb, SRQPOOL_A_QUEUE_SHARD, q->shard) ||
	    nla_put_u32(skb, SRQPOOL_A_QUEUE_DEPTH, view.depth) ||
	    nla_put_u32(skb, SRQPOOL_A_QUEUE_TARGET, view.target) ||
	    nla_put_u32(skb, SRQPOOL_A_QUEUE_MARK, view.mark) ||
	    nla_put_u8(skb, SRQPOOL_A_QUEUE_ARMED, view.armed) ||
	    nla_put_u32(skb, SRQPOOL_A_QUEUE_STATE, view.state) ||
	    nla_put_u32(skb, SRQPOOL_A_QUEUE_TOTAL, view.total) ||
	    nla_put_u32(skb, SRQPOOL_A_QUEUE_POSTED, view.posted) ||
	    nla_put_u32(skb, SRQPOOL_A_QUEUE_HELD, view.held) ||
	    nla_put_u32(skb, SRQPOOL_A_QUEUE_FREE, view.free) ||
	    nla_put_u32(skb, SRQPOOL_A_QUEUE_LOST, view.lost) ||
	    nla_put_u32(skb, SRQPOOL_A_QUEUE_CONNS, view.conns) ||
	    put_u64(skb, SRQPOOL_A_QUEUE_EVENTS,
		    atomic64_read(&q->limit_events), SRQPOOL_A_QUEUE_PAD) ||
	    nla_put_u32(skb, SRQPOOL_A_QUEUE_CQ_USED, cq_used(shard)) ||
	    nla_put_u32(skb, SRQPOOL_A_QUEUE_CQ_MAX,
			shard->cqe - POLICY_CQ_SPARE))
		return -EMSGSIZE;
	return 0;
}

/* args[1] is the next queue of the pool. */
static int dump_queues(struct sk_buff *skb, struct netlink_callback *cb,
		       struct srqpool_pool *pool)
{
	struct srqpool_instance *inst = pool_instance(pool);
	int ret = 0;
	void *hdr;
	u32 nr;

	if (!inst)
		return 0;
	nr = inst->cfg.shards * inst->cfg.nr_classes;
	while (!ret && cb->args[1] < nr) {
		hdr = dump_start(skb, cb, SRQPOOL_CMD_QUEUE_GET);
		ret = hdr ? msg_end(skb, hdr,
				    queue_fill(skb, inst, cb->args[1])) :
			    -EMSGSIZE;
		if (!ret)
			cb->args[1]++;
	}
	instance_put(inst);
	return ret;
}

static bool dump_wants(struct netlink_callback *cb, int attr, const char *name)
{
	const struct nlattr *filter = compat_dump_attrs(cb)[attr];

	return !filter || !strcmp(nla_data(filter), name);
}

static int queue_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct srqpool_pool *pool;
	int ret = 0;

	if (!may_see(sock_net(skb->sk)))
		return 0;
	cb->seq = atomic_read(&event_generation);
	while (!ret && (pool = pool_next(cb->args[0]))) {
		if (cb->args[0] != pool->id)
			cb->args[1] = 0;
		cb->args[0] = pool->id;
		if (dump_wants(cb, SRQPOOL_A_QUEUE_POOL, pool->cfg.name))
			ret = dump_queues(skb, cb, pool);
		if (!ret) {
			cb->args[0] = pool->id + 1;
			cb->args[1] = 0;
		}
		pool_put(pool);
	}
	return dump_end(skb, ret);
}

/* A filter that names no pool is refused rather than answered with nothing. */
static int check_filter(struct netlink_callback *cb, int attr)
{
	const struct nlattr *filter = compat_dump_attrs(cb)[attr];
	struct srqpool_pool *pool;
	char text[96];

	if (!filter)
		return 0;
	pool = may_see(sock_net(cb->skb->sk)) ? pool_get(nla_data(filter)) : NULL;
	if (!pool) {
		snprintf(text, sizeof(text), "there is no pool %.64s",
			 (char *)nla_data(filter));
		say(cb->extack, text);
		return -ENOENT;
	}
	pool_put(pool);
	return 0;
}

static int queue_get_start(struct netlink_callback *cb)
{
	return check_filter(cb, SRQPOOL_A_QUEUE_POOL);
}

/*
 * Listeners
 */

static int listener_fill(struct sk_buff *skb, void *object)
{
	struct srqpool_listener *l = object;
	const struct sockaddr_in6 *in6 = (struct sockaddr_in6 *)&l->cfg.addr;

	if (in6->sin6_family == AF_INET6 && in6->sin6_scope_id &&
	    nla_put_u32(skb, SRQPOOL_A_LISTENER_SCOPE_ID, in6->sin6_scope_id))
		return -EMSGSIZE;
	if (put_u64(skb, SRQPOOL_A_LISTENER_ID, l->id, SRQPOOL_A_LISTENER_PAD) ||
	    nla_put_string(skb, SRQPOOL_A_LISTENER_POOL, l->user.pool->cfg.name) ||
	    nla_put_string(skb, SRQPOOL_A_LISTENER_CLASS,
			   l->user.pool->cfg.classes[l->class].name) ||
	    put_addr(skb, &l->cfg.addr, SRQPOOL_A_LISTENER_ADDR,
		     SRQPOOL_A_LISTENER_PORT) ||
	    nla_put_u32(skb, SRQPOOL_A_LISTENER_TRANSPORT,
			SRQPOOL_TRANSPORT_RC) ||
	    nla_put_u32(skb, SRQPOOL_A_LISTENER_MODE, l->cfg.mode) ||
	    nla_put_u32(skb, SRQPOOL_A_LISTENER_CONNS, READ_ONCE(l->group.nr)) ||
	    nla_put_u32(skb, SRQPOOL_A_LISTENER_MAX_CONNS, l->cfg.max_conns))
		return -EMSGSIZE;
	return 0;
}

static int listener_id_fill(struct sk_buff *skb, void *object)
{
	return put_u64(skb, SRQPOOL_A_LISTENER_ID, *(u64 *)object,
		       SRQPOOL_A_LISTENER_PAD);
}

static const struct nla_policy listener_policy[SRQPOOL_A_LISTENER_MAX + 1] = {
	[SRQPOOL_A_LISTENER_ID] = { .type = NLA_U64 },
	[SRQPOOL_A_LISTENER_POOL] = { .type = NLA_NUL_STRING, .len = 255 },
	[SRQPOOL_A_LISTENER_CLASS] = { .type = NLA_NUL_STRING, .len = 255 },
	[SRQPOOL_A_LISTENER_ADDR] = NLA_POLICY_RANGE(NLA_BINARY, 4, 16),
	[SRQPOOL_A_LISTENER_SCOPE_ID] = { .type = NLA_U32 },
	[SRQPOOL_A_LISTENER_PORT] = NLA_POLICY_MIN(NLA_U16, 1),
	[SRQPOOL_A_LISTENER_TRANSPORT] =
		NLA_POLICY_MAX(NLA_U32, SRQPOOL_TRANSPORT_RC),
	[SRQPOOL_A_LISTENER_MODE] = NLA_POLICY_MAX(NLA_U32, SRQPOOL_MODE_DELIVER),
	[SRQPOOL_A_LISTENER_MAX_CONNS] = { .type = NLA_U32 },
};

static int parse_addr(struct genl_info *info, struct sockaddr_storage *addr)
{
	const struct nlattr *attr = info->attrs[SRQPOOL_A_LISTENER_ADDR];
	__be16 port = cpu_to_be16(nla_get_u16(info->attrs[SRQPOOL_A_LISTENER_PORT]));
	struct sockaddr_in6 *in6 = (struct sockaddr_in6 *)addr;
	struct sockaddr_in *in = (struct sockaddr_in *)addr;

	switch (nla_len(attr)) {
	case sizeof(in->sin_addr):
		in->sin_family = AF_INET;
		in->sin_port = port;
		nla_memcpy(&in->sin_addr, attr, sizeof(in->sin_addr));
		return 0;
	case sizeof(in6->sin6_addr):
		in6->sin6_family = AF_INET6;
		in6->sin6_port = port;
		in6->sin6_scope_id = get_u32(info->attrs,
					     SRQPOOL_A_LISTENER_SCOPE_ID, 0);
		nla_memcpy(&in6->sin6_addr, attr, sizeof(in6->sin6_addr));
		return 0;
	default:
		return refuse(info, -EINVAL, SRQPOOL_A_LISTENER_ADDR,
			      "an address has 4 or 16 bytes");
	}
}

static int parse_listener(struct genl_info *info, struct listener_config *cfg)
{
	struct nlattr **attrs = info->attrs;

	if (!attrs[SRQPOOL_A_LISTENER_ADDR])
		return lacks(info, "the address");
	if (!attrs[SRQPOOL_A_LISTENER_PORT])
		return lacks(info, "the port");
	if (attrs[SRQPOOL_A_LISTENER_CLASS]) {
		get_name(cfg->class, sizeof(cfg->class),
			 attrs[SRQPOOL_A_LISTENER_CLASS]);
		if (!cfg->class[0])
			return refuse(info, -ENOENT, SRQPOOL_A_LISTENER_CLASS,
				      "there is no such class");
	}
	cfg->mode = get_u32(attrs, SRQPOOL_A_LISTENER_MODE, SRQPOOL_MODE_SINK);
	cfg->max_conns = get_u32(attrs, SRQPOOL_A_LISTENER_MAX_CONNS,
				 LISTENER_DEFAULT_CONNS);
	if (!cfg->max_conns || cfg->max_conns > LISTENER_MAX_CONNS)
		return refuse(info, -EINVAL, SRQPOOL_A_LISTENER_MAX_CONNS,
			      "a listener takes 1 to 1048576 connections");
	return parse_addr(info, &cfg->addr);
}

/* A listener whose id cannot be told is none. */
static int reply_listener(struct genl_info *info, u64 id)
{
	int ret = reply(info, SRQPOOL_CMD_LISTENER_NEW, listener_id_fill, &id);
	struct srqpool_refusal r = {};
	struct srqpool_listener *l;

	if (!ret)
		return 0;
	l = listener_get(id);
	if (l) {
		listener_delete(l, &r);
		listener_put(l);
	}
	return refuse(info, ret, 0, "the listener's id could not be told");
}

static int listener_new_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct srqpool_refusal r = { .cls = -1 };
	struct listener_config cfg = {};
	struct srqpool_pool *pool;
	int ret;
	u64 id;

	ret = may_change(skb, info);
	if (ret)
		return ret;
	ret = parse_listener(info, &cfg);
	if (ret)
		return ret;
	pool = named_pool(info, SRQPOOL_A_LISTENER_POOL, &ret);
	if (!pool)
		return ret;
	ret = answer(info, &r, listener_create(pool, &cfg, &id, &r));
	pool_put(pool);
	return ret ?: reply_listener(info, id);
}

static struct srqpool_listener *named_listener(struct genl_info *info, int *err)
{
	const struct nlattr *attr = info->attrs[SRQPOOL_A_LISTENER_ID];
	struct srqpool_listener *l = NULL;

	if (!attr) {
		*err = lacks(info, "the listener's id");
		return NULL;
	}
	if (may_see(genl_info_net(info)))
		l = listener_get(nla_get_u64(attr));
	if (!l)
		*err = nothing_numbered(info, SRQPOOL_A_LISTENER_ID, "listener");
	return l;
}

static int listener_del_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct srqpool_refusal r = { .cls = -1 };
	struct srqpool_listener *l;
	int ret;

	ret = may_change(skb, info);
	if (ret)
		return ret;
	l = named_listener(info, &ret);
	if (!l)
		return ret;
	ret = answer(info, &r, listener_delete(l, &r));
	listener_put(l);
	return ret;
}

static int listener_get_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct srqpool_listener *l;
	int ret;

	l = named_listener(info, &ret);
	if (!l)
		return ret;
	ret = reply(info, SRQPOOL_CMD_LISTENER_GET, listener_fill, l);
	listener_put(l);
	return ret;
}

static int listener_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct srqpool_listener *l;
	int ret = 0;
	void *hdr;

	if (!may_see(sock_net(skb->sk)))
		return 0;
	cb->seq = atomic_read(&event_generation);
	while (!ret && (l = listener_next(cb->args[0]))) {
		hdr = dump_start(skb, cb, SRQPOOL_CMD_LISTENER_GET);
		ret = hdr ? msg_end(skb, hdr, listener_fill(skb, l)) : -EMSGSIZE;
		if (!ret)
			cb->args[0] = l->id + 1;
		listener_put(l);
	}
	return dump_end(skb, ret);
}

/*
 * Connections
 */

static int conn_fill(struct sk_buff *skb, void *object)
{
	struct srqpool_conn *conn = object;
	u64 since = READ_ONCE(conn->idle_since);
	u64 now = ktime_get_ns();
	u64 idle = now > since ? now - since : 0;
	u32 pending = READ_ONCE(conn->nr_waiting) + READ_ONCE(conn->nr_sending);

	if (put_u64(skb, SRQPOOL_A_CONN_ID, conn->number, SRQPOOL_A_CONN_PAD) ||
	    nla_put_string(skb, SRQPOOL_A_CONN_POOL, conn->inst->cfg.name) ||
	    put_u64(skb, SRQPOOL_A_CONN_LISTENER, conn->owner,
		    SRQPOOL_A_CONN_PAD) ||
	    nla_put_string(skb, SRQPOOL_A_CONN_CLASS, conn->queue->cls.name) ||
	    nla_put_u32(skb, SRQPOOL_A_CONN_SHARD, conn->shard->index) ||
	    nla_put_u32(skb, SRQPOOL_A_CONN_TRANSPORT, SRQPOOL_TRANSPORT_RC) ||
	    put_addr(skb, &conn->peer, SRQPOOL_A_CONN_PEER_ADDR,
		     SRQPOOL_A_CONN_PEER_PORT) ||
	    put_addr(skb, &conn->local, SRQPOOL_A_CONN_LOCAL_ADDR,
		     SRQPOOL_A_CONN_LOCAL_PORT) ||
	    nla_put_u32(skb, SRQPOOL_A_CONN_STATE, atomic_read(&conn->state)) ||
	    nla_put_u32(skb, SRQPOOL_A_CONN_HELD, READ_ONCE(conn->held)) ||
	    put_u64(skb, SRQPOOL_A_CONN_RX_MSGS, READ_ONCE(conn->rx_msgs),
		    SRQPOOL_A_CONN_PAD) ||
	    put_u64(skb, SRQPOOL_A_CONN_RX_BYTES, READ_ONCE(conn->rx_bytes),
		    SRQPOOL_A_CONN_PAD) ||
	    put_u64(skb, SRQPOOL_A_CONN_TX_MSGS, READ_ONCE(conn->tx_msgs),
		    SRQPOOL_A_CONN_PAD) ||
	    nla_put_u32(skb, SRQPOOL_A_CONN_TX_PENDING, pending) ||
	    put_u64(skb, SRQPOOL_A_CONN_COPIED, READ_ONCE(conn->copied),
		    SRQPOOL_A_CONN_PAD) ||
	    put_u64(skb, SRQPOOL_A_CONN_IDLE_MS, div_u64(idle, NSEC_PER_MSEC),
		    SRQPOOL_A_CONN_PAD))
		return -EMSGSIZE;
	return 0;
}

static const struct nla_policy conn_policy[SRQPOOL_A_CONN_MAX + 1] = {
	[SRQPOOL_A_CONN_ID] = { .type = NLA_U64 },
	[SRQPOOL_A_CONN_POOL] = { .type = NLA_NUL_STRING, .len = 255 },
};

static struct srqpool_conn *named_conn(struct genl_info *info, int *err)
{
	const struct nlattr *attr = info->attrs[SRQPOOL_A_CONN_ID];
	struct srqpool_conn *conn = NULL;

	if (!attr) {
		*err = lacks(info, "the connection's id");
		return NULL;
	}
	if (may_see(genl_info_net(info)))
		conn = conn_get(nla_get_u64(attr));
	if (!conn)
		*err = nothing_numbered(info, SRQPOOL_A_CONN_ID, "connection");
	return conn;
}

static int conn_get_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct srqpool_conn *conn;
	int ret;

	conn = named_conn(info, &ret);
	if (!conn)
		return ret;
	ret = reply(info, SRQPOOL_CMD_CONN_GET, conn_fill, conn);
	conn_put(conn);
	return ret;
}

static int conn_del_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct srqpool_conn *conn;
	int ret;

	ret = may_change(skb, info);
	if (ret)
		return ret;
	conn = named_conn(info, &ret);
	if (!conn)
		return ret;
	conn_close(conn, "killed");
	conn_put(conn);
	return 0;
}

static int conn_get_start(struct netlink_callback *cb)
{
	return check_filter(cb, SRQPOOL_A_CONN_POOL);
}

static int conn_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct srqpool_conn *conn;
	int ret = 0;
	void *hdr;

	if (!may_see(sock_net(skb->sk)))
		return 0;
	cb->seq = atomic_read(&event_generation);
	while (!ret && (conn = conn_next(cb->args[0]))) {
		if (dump_wants(cb, SRQPOOL_A_CONN_POOL, conn->inst->cfg.name)) {
			hdr = dump_start(skb, cb, SRQPOOL_CMD_CONN_GET);
			ret = hdr ? msg_end(skb, hdr, conn_fill(skb, conn)) :
				    -EMSGSIZE;
		}
		if (!ret)
			cb->args[0] = conn->number + 1;
		conn_put(conn);
	}
	return dump_end(skb, ret);
}

/*
 * Holders
 */

static int holder_fill(struct sk_buff *skb, const struct srqpool_holder *h)
{
	pid_t pid = pid_vnr(h->pid);

	if (h->pool[0] &&
	    (nla_put_string(skb, SRQPOOL_A_HOLDER_DEV, h->dev) ||
	     nla_put_string(skb, SRQPOOL_A_HOLDER_POOL, h->pool)))
		return -EMSGSIZE;
	if (h->module[0])
		return nla_put_string(skb, SRQPOOL_A_HOLDER_MODULE, h->module);
	if (nla_put_u32(skb, SRQPOOL_A_HOLDER_PID, pid) ||
	    (pid && nla_put_string(skb, SRQPOOL_A_HOLDER_COMM, h->comm)))
		return -EMSGSIZE;
	return 0;
}

static int holder_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct srqpool_holder holder;
	int ret = 0;
	void *hdr;

	if (!may_see(sock_net(skb->sk)))
		return 0;
	cb->seq = atomic_read(&holder_generation);
	while (!ret && holder_next(cb->args[0], &holder)) {
		hdr = dump_start(skb, cb, SRQPOOL_CMD_HOLDER_GET);
		ret = hdr ? msg_end(skb, hdr, holder_fill(skb, &holder)) :
			    -EMSGSIZE;
		if (!ret)
			cb->args[0] = holder.number + 1;
		put_pid(holder.pid);
	}
	return dump_end(skb, ret);
}

/*
 * Statistics
 */

static const struct {
	int attr;
	size_t offset;
} counters[] = {
	{ SRQPOOL_A_STATS_RX_MSGS, offsetof(struct srqpool_totals, rx_msgs) },
	{ SRQPOOL_A_STATS_RX_BYTES, offsetof(struct srqpool_totals, rx_bytes) },
	{ SRQPOOL_A_STATS_TX_MSGS, offsetof(struct srqpool_totals, tx_msgs) },
	{ SRQPOOL_A_STATS_TX_BYTES, offsetof(struct srqpool_totals, tx_bytes) },
	{ SRQPOOL_A_STATS_LIMIT_EVENTS,
	  offsetof(struct srqpool_totals, limit_events) },
	{ SRQPOOL_A_STATS_SPURIOUS_EVENTS,
	  offsetof(struct srqpool_totals, spurious_events) },
	{ SRQPOOL_A_STATS_WATCHDOG_REFILLS,
	  offsetof(struct srqpool_totals, watchdog_refills) },
	{ SRQPOOL_A_STATS_REFILLS, offsetof(struct srqpool_totals, refills) },
	{ SRQPOOL_A_STATS_REFILL_POSTED,
	  offsetof(struct srqpool_totals, refill_posted) },
	{ SRQPOOL_A_STATS_POST_ERRORS,
	  offsetof(struct srqpool_totals, post_errors) },
	{ SRQPOOL_A_STATS_ALLOC_FAILURES,
	  offsetof(struct srqpool_totals, alloc_failures) },
	{ SRQPOOL_A_STATS_STARVED_EVENTS,
	  offsetof(struct srqpool_totals, starved_events) },
	{ SRQPOOL_A_STATS_STARVED_NS,
	  offsetof(struct srqpool_totals, starved_ns) },
	{ SRQPOOL_A_STATS_COPIED, offsetof(struct srqpool_totals, copied) },
	{ SRQPOOL_A_STATS_QUOTA_HITS, offsetof(struct srqpool_totals, quota_hits) },
	{ SRQPOOL_A_STATS_OVERSIZE, offsetof(struct srqpool_totals, oversize) },
};

static int put_counters(struct sk_buff *skb, const struct srqpool_totals *t)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(counters); i++)
		if (put_u64(skb, counters[i].attr,
			    *(const u64 *)((const char *)t + counters[i].offset),
			    SRQPOOL_A_STATS_PAD))
			return -EMSGSIZE;
	return 0;
}

static int put_wc_errors(struct sk_buff *skb, const struct srqpool_totals *t)
{
	struct nlattr *nest;
	u32 status;

	for (status = 0; status < STATS_WC_STATUSES; status++) {
		if (!t->wc_errors[status])
			continue;
		nest = nla_nest_start(skb, SRQPOOL_A_STATS_WC_ERROR);
		if (!nest || nla_put_u32(skb, SRQPOOL_A_WC_STATUS, status) ||
		    put_u64(skb, SRQPOOL_A_WC_COUNT, t->wc_errors[status],
			    SRQPOOL_A_WC_PAD))
			return -EMSGSIZE;
		nla_nest_end(skb, nest);
	}
	return 0;
}

static int put_hist(struct sk_buff *skb, u32 kind,
		    const struct srqpool_hist_data *hist)
{
	struct nlattr *nest = nla_nest_start(skb, SRQPOOL_A_STATS_HIST);

	if (!nest || nla_put_u32(skb, SRQPOOL_A_HIST_KIND, kind) ||
	    put_u64(skb, SRQPOOL_A_HIST_COUNT, hist->count, SRQPOOL_A_HIST_PAD) ||
	    put_u64(skb, SRQPOOL_A_HIST_SUM, hist->sum, SRQPOOL_A_HIST_PAD) ||
	    nla_put(skb, SRQPOOL_A_HIST_BUCKETS, sizeof(hist->buckets),
		    hist->buckets))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

static int put_totals(struct sk_buff *skb, struct srqpool_pool *pool,
		      const struct srqpool_totals *t)
{
	u64 naks;

	if (pool_rnr_naks(pool, &naks) &&
	    put_u64(skb, SRQPOOL_A_STATS_RNR_NAKS, naks, SRQPOOL_A_STATS_PAD))
		return -EMSGSIZE;
	return nla_put_string(skb, SRQPOOL_A_STATS_NAME, pool->cfg.name) ?:
	       put_counters(skb, t) ?:
	       put_wc_errors(skb, t) ?:
	       put_hist(skb, SRQPOOL_HIST_REFILL_LATENCY_NS,
			&t->refill_latency_ns) ?:
	       put_hist(skb, SRQPOOL_HIST_HOLD_NS, &t->hold_ns) ?:
	       put_hist(skb, SRQPOOL_HIST_MSG_BYTES, &t->msg_bytes) ?:
	       put_hist(skb, SRQPOOL_HIST_BATCH, &t->batch);
}

static int stats_fill(struct sk_buff *skb, void *object)
{
	struct srqpool_totals *totals = kmalloc(sizeof(*totals), GFP_KERNEL);
	int ret;

	if (!totals)
		return -ENOMEM;
	pool_totals(object, totals);
	ret = put_totals(skb, object, totals);
	kfree(totals);
	return ret;
}

static int stats_get_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct srqpool_pool *pool;
	int ret;

	pool = named_pool(info, SRQPOOL_A_STATS_NAME, &ret);
	if (!pool)
		return ret;
	ret = reply(info, SRQPOOL_CMD_STATS_GET, stats_fill, pool);
	pool_put(pool);
	return ret;
}

static int stats_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb)
{
	return dump_pools(skb, cb, SRQPOOL_CMD_STATS_GET, stats_fill);
}

/*
 * Events
 */

static int event_fill(struct sk_buff *skb, const struct srqpool_event *ev)
{
	if (nla_put_u32(skb, SRQPOOL_A_EVENT_SEQ, ev->seq) ||
	    put_u64(skb, SRQPOOL_A_EVENT_TIME_NS, ev->time_ns,
		    SRQPOOL_A_EVENT_PAD) ||
	    nla_put_u32(skb, SRQPOOL_A_EVENT_TYPE, ev->type) ||
	    nla_put_string(skb, SRQPOOL_A_EVENT_POOL, ev->pool) ||
	    nla_put_string(skb, SRQPOOL_A_EVENT_TEXT, ev->text))
		return -EMSGSIZE;
	if (ev->class[0] &&
	    nla_put_string(skb, SRQPOOL_A_EVENT_CLASS, ev->class))
		return -EMSGSIZE;
	if (ev->shard != EVENT_NO_SHARD &&
	    nla_put_u32(skb, SRQPOOL_A_EVENT_SHARD, ev->shard))
		return -EMSGSIZE;
	if (ev->conn && put_u64(skb, SRQPOOL_A_EVENT_CONN, ev->conn,
				SRQPOOL_A_EVENT_PAD))
		return -EMSGSIZE;
	return 0;
}

static int event_get_start(struct netlink_callback *cb)
{
	BUILD_BUG_ON(sizeof(struct event_cursor) > sizeof(cb->ctx));
	if (!compat_dump_attrs(cb)[SRQPOOL_A_EVENT_POOL]) {
		say(cb->extack, "the pool's name is missing");
		return -EINVAL;
	}
	return check_filter(cb, SRQPOOL_A_EVENT_POOL);
}

/*
 * An event that was missed shows in the first message of the next buffer, or in
 * the end: one that is flagged must not be taken back because it does not fit.
 */
static int event_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb)
{
	const char *pool = nla_data(compat_dump_attrs(cb)[SRQPOOL_A_EVENT_POOL]);
	struct event_cursor *at = (struct event_cursor *)cb->ctx;
	struct srqpool_event ev;
	int ret = 0;
	void *hdr;

	cb->seq = 1 + at->missed;
	while (!ret && event_next(pool, at, &ev)) {
		hdr = dump_start(skb, cb, SRQPOOL_CMD_EVENT_GET);
		ret = hdr ? msg_end(skb, hdr, event_fill(skb, &ev)) : -EMSGSIZE;
		if (!ret)
			at->next++;
	}
	cb->seq = 1 + at->missed;
	return dump_end(skb, ret);
}

static void event_send(const struct srqpool_event *ev)
{
	struct sk_buff *skb;
	void *hdr;

	if (!genl_has_listeners(&family, &init_net, 0))
		return;
	skb = genlmsg_new(GENLMSG_DEFAULT_SIZE, GFP_KERNEL);
	if (!skb)
		return;
	hdr = msg_start(skb, 0, 0, 0, SRQPOOL_CMD_EVENT_NTF);
	if (!hdr || event_fill(skb, ev)) {
		nlmsg_free(skb);
		return;
	}
	genlmsg_end(skb, hdr);
	genlmsg_multicast_netns(&family, &init_net, skb, 0, 0, GFP_KERNEL);
}

/*
 * The family
 */

static const struct nla_policy dev_policy[SRQPOOL_A_DEV_MAX + 1] = {
	[SRQPOOL_A_DEV_NAME] = { .type = NLA_NUL_STRING, .len = 255 },
};

static const struct nla_policy event_policy[SRQPOOL_A_EVENT_MAX + 1] = {
	[SRQPOOL_A_EVENT_POOL] = { .type = NLA_NUL_STRING, .len = 255 },
};

/* Nothing can be asked for. */
static const struct nla_policy holder_policy[SRQPOOL_A_HOLDER_MAX + 1] = {};

static const struct nla_policy queue_policy[SRQPOOL_A_QUEUE_MAX + 1] = {
	[SRQPOOL_A_QUEUE_POOL] = { .type = NLA_NUL_STRING, .len = 255 },
};

static const struct nla_policy stats_policy[SRQPOOL_A_STATS_MAX + 1] = {
	[SRQPOOL_A_STATS_NAME] = { .type = NLA_NUL_STRING, .len = 255 },
};

#define OP_POLICY(_set)	.policy = _set##_policy, \
			.maxattr = ARRAY_SIZE(_set##_policy) - 1

static const struct genl_ops netlink_ops[] = {
	{
		.cmd = SRQPOOL_CMD_DEV_GET,
		.doit = dev_get_doit,
		.dumpit = dev_get_dumpit,
		OP_POLICY(dev),
	},
	{
		.cmd = SRQPOOL_CMD_POOL_NEW,
		.doit = pool_new_doit,
		OP_POLICY(pool),
	},
	{
		.cmd = SRQPOOL_CMD_POOL_SET,
		.doit = pool_set_doit,
		OP_POLICY(pool),
	},
	{
		.cmd = SRQPOOL_CMD_POOL_DEL,
		.doit = pool_del_doit,
		OP_POLICY(pool),
	},
	{
		.cmd = SRQPOOL_CMD_POOL_GET,
		.doit = pool_get_doit,
		.dumpit = pool_get_dumpit,
		OP_POLICY(pool),
	},
	{
		.cmd = SRQPOOL_CMD_POOL_RESET,
		.doit = pool_reset_doit,
		OP_POLICY(pool),
	},
	{
		.cmd = SRQPOOL_CMD_QUEUE_GET,
		.start = queue_get_start,
		.dumpit = queue_get_dumpit,
		OP_POLICY(queue),
	},
	{
		.cmd = SRQPOOL_CMD_LISTENER_NEW,
		.doit = listener_new_doit,
		OP_POLICY(listener),
	},
	{
		.cmd = SRQPOOL_CMD_LISTENER_DEL,
		.doit = listener_del_doit,
		OP_POLICY(listener),
	},
	{
		.cmd = SRQPOOL_CMD_LISTENER_GET,
		.doit = listener_get_doit,
		.dumpit = listener_get_dumpit,
		OP_POLICY(listener),
	},
	{
		.cmd = SRQPOOL_CMD_CONN_GET,
		.doit = conn_get_doit,
		.start = conn_get_start,
		.dumpit = conn_get_dumpit,
		OP_POLICY(conn),
	},
	{
		.cmd = SRQPOOL_CMD_CONN_DEL,
		.doit = conn_del_doit,
		OP_POLICY(conn),
	},
	{
		.cmd = SRQPOOL_CMD_STATS_GET,
		.doit = stats_get_doit,
		.dumpit = stats_get_dumpit,
		OP_POLICY(stats),
	},
	{
		.cmd = SRQPOOL_CMD_HOLDER_GET,
		.dumpit = holder_get_dumpit,
		OP_POLICY(holder),
	},
	{
		.cmd = SRQPOOL_CMD_EVENT_GET,
		.start = event_get_start,
		.dumpit = event_get_dumpit,
		OP_POLICY(event),
	},
};

static const struct genl_multicast_group groups[] = {
	{ .name = SRQPOOL_MCGRP_EVENTS },
};

static struct genl_family family __ro_after_init = {
	.name = SRQPOOL_GENL_NAME,
	.version = SRQPOOL_GENL_VERSION,
	.netnsok = true,
	.parallel_ops = true,	/* a delete may wait; shows go on */
	.module = THIS_MODULE,
	.ops = netlink_ops,
	.n_ops = ARRAY_SIZE(netlink_ops),
	.mcgrps = groups,
	.n_mcgrps = ARRAY_SIZE(groups),
};

int __init netlink_init(void)
{
	int ret = genl_register_family(&family);

	if (!ret)
		event_set_sink(event_send);
	return ret;
}

void netlink_exit(void)
{
	event_set_sink(NULL);
	genl_unregister_family(&family);
}
