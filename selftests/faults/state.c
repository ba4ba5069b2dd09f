// SPDX-License-Identifier: GPL-2.0
/*
 * What there is, as text: a line for each device, pool, queue, listener and connection, and one for
 * the module's references. Names that are new each time and what traffic counts are left out.
 */
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "../genl.h"
#include "faults.h"

enum weight { NOTHING, MEMORY, CONFIG };

static struct genl genl;
static struct state *target;

static void add(enum weight weight, const char *text)
{
	if (strlen(target->all) + strlen(text) >= STATE_BYTES)
		die("there is too much");
	strcat(target->all, text);
	if (weight == CONFIG)
		strcat(target->config, text);
}

static enum weight weight_of_class(unsigned int attr)
{
	if (attr == SRQPOOL_A_CLASS_LOW_WATER || attr == SRQPOOL_A_CLASS_MAX_IN_USE)
		return NOTHING;
	return attr >= SRQPOOL_A_CLASS_TARGET ? MEMORY : CONFIG;
}

static enum weight weight_of_pool(unsigned int attr)
{
	switch (attr) {
	case SRQPOOL_A_POOL_ID:
		return NOTHING;
	case SRQPOOL_A_POOL_PINNED:
	case SRQPOOL_A_POOL_ARENA:
		return MEMORY;
	default:
		return CONFIG;
	}
}

static enum weight weight_of_queue(unsigned int attr)
{
	if (attr == SRQPOOL_A_QUEUE_EVENTS)
		return NOTHING;
	return attr > SRQPOOL_A_QUEUE_SHARD ? MEMORY : CONFIG;
}

static enum weight weight_of_conn(unsigned int attr)
{
	switch (attr) {
	case SRQPOOL_A_CONN_POOL:
	case SRQPOOL_A_CONN_CLASS:
	case SRQPOOL_A_CONN_STATE:
		return CONFIG;
	case SRQPOOL_A_CONN_HELD:
		return MEMORY;
	default:
		return NOTHING;
	}
}

static enum weight weight_of(unsigned int cmd, unsigned int attr)
{
	switch (cmd) {
	case SRQPOOL_CMD_DEV_GET:
		return attr == SRQPOOL_A_DEV_PINNED ? MEMORY : CONFIG;
	case SRQPOOL_CMD_POOL_GET:
		return weight_of_pool(attr);
	case SRQPOOL_CMD_QUEUE_GET:
		return weight_of_queue(attr);
	case SRQPOOL_CMD_LISTENER_GET:
		return attr == SRQPOOL_A_LISTENER_ID ? NOTHING : CONFIG;
	default:
		return weight_of_conn(attr);
	}
}

static void add_attr(enum weight weight, const struct nlattr *attr)
{
	const unsigned char *data = mnl_attr_get_payload(attr);
	int i, len = mnl_attr_get_payload_len(attr);
	char text[600];
	int at = snprintf(text, sizeof(text), " %u=", mnl_attr_get_type(attr));

	for (i = 0; i < len && i < 256; i++)
		at += snprintf(text + at, sizeof(text) - at, "%02x", data[i]);
	if (weight != NOTHING)
		add(weight, text);
}

static void on_message(struct genl *from, const struct nlmsghdr *nlh)
{
	const struct genlmsghdr *head = mnl_nlmsg_get_payload(nlh);
	const struct nlattr *attr, *inner;
	unsigned int type;
	char text[32];

	snprintf(text, sizeof(text), "%u:", head->cmd);
	add(CONFIG, text);
	mnl_attr_for_each(attr, nlh, sizeof(*head)) {
		type = mnl_attr_get_type(attr);
		if (head->cmd == SRQPOOL_CMD_POOL_GET && type == SRQPOOL_A_POOL_CLASS)
			mnl_attr_for_each_nested(inner, attr)
				add_attr(weight_of_class(mnl_attr_get_type(inner)), inner);
		else
			add_attr(weight_of(head->cmd, type), attr);
	}
	add(CONFIG, "\n");
}

void state_init(void)
{
	int err = genl_open(&genl);

	if (err)
		die("no family: %s", strerror(err));
	genl.on_message = on_message;
}

static void add_references(void)
{
	FILE *in = fopen("/sys/module/srqpool/refcnt", "r");
	char text[64] = "references ";
	size_t len = strlen(text);

	if (!in || !fgets(text + len, sizeof(text) - len, in))
		die("the module has no refcnt");
	fclose(in);
	add(CONFIG, text);
}

void state_read(struct state *state)
{
	static const uint8_t dumps[] = { SRQPOOL_CMD_DEV_GET, SRQPOOL_CMD_POOL_GET,
		SRQPOOL_CMD_QUEUE_GET, SRQPOOL_CMD_LISTENER_GET, SRQPOOL_CMD_CONN_GET };
	struct nlmsghdr *nlh;
	size_t i;
	int err;

	target = state;
	state->config[0] = '\0';
	state->all[0] = '\0';
	for (i = 0; i < sizeof(dumps); i++) {
		nlh = genl_start(&genl, genl.id, dumps[i]);
		nlh->nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP;
		err = genl_talk(&genl, nlh);
		if (err)
			die("a dump without a fault: %s", strerror(err));
	}
	add_references();
}

bool state_is(const struct state *wanted)
{
	static struct state now;

	state_read(&now);
	return !strcmp(now.all, wanted->all);
}

static void differ(const char *wanted, const char *now)
{
	fprintf(stderr, "it was\n%s\nand is\n%s\n", wanted, now);
}

static bool settles(const struct state *wanted, size_t part)
{
	const char *then = (const char *)wanted + part;
	time_t deadline = time(NULL) + SETTLE_SECONDS;
	static struct state state;
	const char *now = (const char *)&state + part;

	for (;;) {
		state_read(&state);
		if (!strcmp(now, then))
			return true;
		if (time(NULL) >= deadline)
			break;
		usleep(5000);
	}
	differ(then, now);
	return false;
}

/* Waits until everything is as it was. */
bool state_settles(const struct state *wanted)
{
	return settles(wanted, offsetof(struct state, all));
}

/* The same, but for memory. */
bool state_settles_config(const struct state *wanted)
{
	return settles(wanted, offsetof(struct state, config));
}

/* Connections: those that are up, or -1 while there is another. */
static int conns_up(const char *text)
{
	char up[32], line[16];
	int count = 0;
	const char *end;

	snprintf(line, sizeof(line), "\n%u:", SRQPOOL_CMD_CONN_GET);
	snprintf(up, sizeof(up), " %u=%02x000000", SRQPOOL_A_CONN_STATE, SRQPOOL_CONN_UP);
	for (text = strstr(text, line); text; text = strstr(end, line), count++) {
		end = strchr(text + 1, '\n');
		text = strstr(text, up);
		if (!text || text > end)
			return -1;
	}
	return count;
}

/* Waits until so many connections are up, and there is no other. */
void state_wait_conns(unsigned int up)
{
	time_t deadline = time(NULL) + SETTLE_SECONDS;
	static struct state state;

	do {
		state_read(&state);
		if (conns_up(state.all) == (int)up)
			return;
		usleep(5000);
	} while (time(NULL) < deadline);
	die("not %u connections in %d s:\n%s", up, SETTLE_SECONDS, state.all);
}
