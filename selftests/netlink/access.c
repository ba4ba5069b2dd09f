// SPDX-License-Identifier: GPL-2.0
// kernels: 6.12 debug
/*
 * Who may change nothing, and who sees nothing: every command of the family, and the device, as
 * other users and from other namespaces.
 */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../genl.h"
#include "../kselftest_harness.h"

#define NOBODY		65534
#define PORT		7471
/* As the debug kernel may need. */
#define PATIENCE_MS	60000

/* The family, through a socket of the namespace and the user it was opened in. */
struct family {
	struct genl genl;	/* first */
	int objects;		/* that the last command was answered with */
	uint64_t number;	/* the last id of a listener or connection that was told */
};

static const uint8_t looks[] = {
	SRQPOOL_CMD_DEV_GET, SRQPOOL_CMD_POOL_GET, SRQPOOL_CMD_QUEUE_GET,
	SRQPOOL_CMD_LISTENER_GET, SRQPOOL_CMD_CONN_GET, SRQPOOL_CMD_STATS_GET,
	SRQPOOL_CMD_HOLDER_GET, SRQPOOL_CMD_EVENT_GET,
};

#define NR_LOOKS	(sizeof(looks) / sizeof(looks[0]))

static int is_look(unsigned int cmd)
{
	return !!memchr(looks, cmd, NR_LOOKS);
}

static void on_object(struct genl *socket, const struct nlmsghdr *nlh)
{
	struct family *f = (struct family *)socket;
	const struct genlmsghdr *genl = mnl_nlmsg_get_payload(nlh);
	const struct nlattr *attr;
	int wanted = genl->cmd == SRQPOOL_CMD_CONN_GET ? SRQPOOL_A_CONN_ID :
		     SRQPOOL_A_LISTENER_ID;

	f->objects++;
	mnl_attr_for_each(attr, nlh, sizeof(*genl))
		if ((genl->cmd == SRQPOOL_CMD_CONN_GET ||
		     genl->cmd == SRQPOOL_CMD_LISTENER_GET) &&
		    mnl_attr_get_type(attr) == wanted)
			f->number = mnl_attr_get_u64(attr);
}

/* Returns how many objects came, or the error as a negative number. */
static int talk(struct family *f, struct nlmsghdr *nlh)
{
	int err;

	f->objects = 0;
	err = genl_talk(&f->genl, nlh);
	return err ? -err : f->objects;
}

static int open_family(struct family *f)
{
	*f = (struct family) { .genl.on_message = on_object };
	return genl_open(&f->genl);
}

static int join(struct family *f)
{
	return mnl_socket_setsockopt(f->genl.nl, NETLINK_ADD_MEMBERSHIP, &f->genl.group,
				     sizeof(f->genl.group));
}

static int dump(struct family *f, uint8_t cmd)
{
	struct nlmsghdr *nlh = genl_start(&f->genl, f->genl.id, cmd);

	nlh->nlmsg_flags |= NLM_F_DUMP;
	if (cmd == SRQPOOL_CMD_EVENT_GET)
		mnl_attr_put_strz(nlh, SRQPOOL_A_EVENT_POOL, "kept");
	return talk(f, nlh);
}

/* What is there, and would be hit. */
struct target {
	uint64_t listener;
	uint64_t conn;
};

static void put_class(struct nlmsghdr *nlh)
{
	struct nlattr *nest = mnl_attr_nest_start(nlh, SRQPOOL_A_POOL_CLASS);

	mnl_attr_put_u32(nlh, SRQPOOL_A_CLASS_SIZE, 4096);
	mnl_attr_put_u32(nlh, SRQPOOL_A_CLASS_FLOOR, 128);
	mnl_attr_nest_end(nlh, nest);
}

/* What makes a command succeed for those who may; a new one is sent without anything. */
static void put_attrs(struct nlmsghdr *nlh, unsigned int cmd, const struct target *t)
{
	static const uint8_t addr[4] = { 10, 7, 0, 1 };

	switch (cmd) {
	case SRQPOOL_CMD_POOL_NEW:
		mnl_attr_put_strz(nlh, SRQPOOL_A_POOL_NAME, "other");
		mnl_attr_put_strz(nlh, SRQPOOL_A_POOL_DEV, "rxe0");
		put_class(nlh);
		break;
	case SRQPOOL_CMD_POOL_DEL:
	case SRQPOOL_CMD_POOL_SET:
	case SRQPOOL_CMD_POOL_GET:
	case SRQPOOL_CMD_POOL_RESET:
		mnl_attr_put_strz(nlh, SRQPOOL_A_POOL_NAME, "kept");
		if (cmd == SRQPOOL_CMD_POOL_DEL)
			mnl_attr_put(nlh, SRQPOOL_A_POOL_FORCE, 0, NULL);
		if (cmd == SRQPOOL_CMD_POOL_SET)
			mnl_attr_put_u32(nlh, SRQPOOL_A_POOL_AGING, 7);
		break;
	case SRQPOOL_CMD_LISTENER_NEW:
		mnl_attr_put_strz(nlh, SRQPOOL_A_LISTENER_POOL, "kept");
		mnl_attr_put(nlh, SRQPOOL_A_LISTENER_ADDR, sizeof(addr), addr);
		mnl_attr_put_u16(nlh, SRQPOOL_A_LISTENER_PORT, PORT + 1);
		break;
	case SRQPOOL_CMD_LISTENER_DEL:
	case SRQPOOL_CMD_LISTENER_GET:
		mnl_attr_put_u64(nlh, SRQPOOL_A_LISTENER_ID, t->listener);
		break;
	case SRQPOOL_CMD_CONN_DEL:
	case SRQPOOL_CMD_CONN_GET:
		mnl_attr_put_u64(nlh, SRQPOOL_A_CONN_ID, t->conn);
		break;
	case SRQPOOL_CMD_DEV_GET:
		mnl_attr_put_strz(nlh, SRQPOOL_A_DEV_NAME, "rxe0");
		break;
	case SRQPOOL_CMD_STATS_GET:
		mnl_attr_put_strz(nlh, SRQPOOL_A_STATS_NAME, "kept");
		break;
	}
}

static int run(struct family *f, unsigned int cmd, const struct target *t)
{
	struct nlmsghdr *nlh = genl_start(&f->genl, f->genl.id, cmd);

	if (t)
		put_attrs(nlh, cmd, t);
	return talk(f, nlh);
}

static int readable(const struct family *f, int ms)
{
	struct pollfd p = { .fd = mnl_socket_get_fd(f->genl.nl), .events = POLLIN };

	return poll(&p, 1, ms);
}

static int write_file(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY);
	int ret = fd < 0 || write(fd, text, strlen(text)) < 0;

	if (fd >= 0)
		close(fd);
	return ret;
}

static const char add_pool[] = "srqctl pool add kept --dev rxe0 --class 4096:256 --aging 60";
static const char add_listener[] =
	"srqctl listen add kept --addr 10.7.0.1 --port 7471 --mode echo --max-conns 64 >/dev/null";

FIXTURE(access)
{
	struct family admin;	/* real root's, in the initial namespace */
	struct target target;
	pid_t client;
};

FIXTURE_VARIANT(access)
{
	uid_t uid;
	int namespaces;
	int sees;
	int device;		/* the error of opening it */
};

FIXTURE_VARIANT_ADD(access, nobody)
{
	.uid = NOBODY,
	.sees = 1,
	.device = EACCES,
};

FIXTURE_VARIANT_ADD(access, nobody_who_is_root_in_a_user_namespace)
{
	.uid = NOBODY,
	.namespaces = CLONE_NEWUSER,
	.sees = 1,
	.device = EACCES,
};

FIXTURE_VARIANT_ADD(access, nobody_who_is_root_in_both_namespaces)
{
	.uid = NOBODY,
	.namespaces = CLONE_NEWUSER | CLONE_NEWNET,
	.device = EACCES,
};

FIXTURE_VARIANT_ADD(access, root_in_a_user_namespace)
{
	.namespaces = CLONE_NEWUSER,
	.sees = 1,
};

FIXTURE_VARIANT_ADD(access, root_in_a_net_namespace)
{
	.namespaces = CLONE_NEWNET,
};

static pid_t start_client(void)
{
	pid_t pid = fork();

	if (pid)
		return pid;
	execlp("srqload", "srqload", "10.7.0.1", "7471", "--messages", "1", "--hold", "3600",
	       NULL);
	_exit(127);
}

/* Waits for the connection, which has told its number then. */
static int find_conn(FIXTURE_DATA(access) *self)
{
	int tries;

	for (tries = 0; tries < PATIENCE_MS / 50; tries++) {
		if (dump(&self->admin, SRQPOOL_CMD_CONN_GET) == 1)
			return 0;
		poll(NULL, 0, 50);
	}
	return -1;
}

FIXTURE_SETUP(access)
{
	ASSERT_EQ(0, system(add_pool));
	ASSERT_EQ(0, system(add_listener));
	self->client = start_client();
	ASSERT_EQ(0, open_family(&self->admin));
	ASSERT_EQ(1, dump(&self->admin, SRQPOOL_CMD_LISTENER_GET));
	self->target.listener = self->admin.number;
	ASSERT_EQ(0, find_conn(self));
	self->target.conn = self->admin.number;
}

/* By its parent: the test gave up what it may. */
FIXTURE_TEARDOWN_PARENT(access)
{
	kill(self->client, SIGKILL);
	EXPECT_EQ(0, system("srqctl pool del kept --force"));
}

/* Becomes root of the new namespaces. */
static int map_root(uid_t uid)
{
	char map[32];

	snprintf(map, sizeof(map), "0 %u 1", uid);
	return write_file("/proc/self/setgroups", "deny") ||
	       write_file("/proc/self/uid_map", map) ||
	       write_file("/proc/self/gid_map", map);
}

/* From here on this process is the one of the variant. */
static int become(const FIXTURE_VARIANT(access) *v)
{
	if (v->uid && (setgroups(0, NULL) || setresgid(v->uid, v->uid, v->uid) ||
		       setresuid(v->uid, v->uid, v->uid)))
		return -1;
	/* /proc/self is root's again after setresuid(). */
	prctl(PR_SET_DUMPABLE, 1);
	if (v->namespaces && unshare(v->namespaces))
		return -1;
	return v->namespaces & CLONE_NEWUSER ? map_root(v->uid) : 0;
}

TEST_F(access, whoever_may_change_nothing)
{
	struct family f;
	unsigned int cmd;

	ASSERT_EQ(0, become(variant));
	ASSERT_EQ(0, open_family(&f));
	for (cmd = 1; cmd <= SRQPOOL_CMD_MAX; cmd++) {
		int refused = cmd == SRQPOOL_CMD_EVENT_NTF ? -EOPNOTSUPP : -EPERM;

		if (is_look(cmd))
			continue;
		EXPECT_EQ(refused, run(&f, cmd, &self->target))
			TH_LOG("command %u", cmd);
		EXPECT_EQ(refused, run(&f, cmd, NULL))
			TH_LOG("command %u without attributes", cmd);
		/* Root's own socket is of no use to them. */
		if (variant->uid || variant->namespaces & CLONE_NEWUSER)
			EXPECT_EQ(refused, run(&self->admin, cmd, &self->target))
				TH_LOG("command %u by an inherited socket", cmd);
	}
	EXPECT_EQ(1, dump(&self->admin, SRQPOOL_CMD_POOL_GET));
	EXPECT_EQ(1, dump(&self->admin, SRQPOOL_CMD_LISTENER_GET));
	EXPECT_EQ(1, dump(&self->admin, SRQPOOL_CMD_CONN_GET));
}

TEST_F(access, sees_all_or_nothing)
{
	struct family f;
	unsigned int i;

	/* So that there is a holder. */
	ASSERT_LE(0, open(SRQPOOL_DEVICE, O_RDWR));
	ASSERT_EQ(0, become(variant));
	ASSERT_EQ(0, open_family(&f));
	for (i = 0; i < NR_LOOKS; i++) {
		int none = looks[i] == SRQPOOL_CMD_DEV_GET ? -ENODEV : -ENOENT;

		EXPECT_EQ(variant->sees, dump(&f, looks[i]) > 0)
			TH_LOG("all by command %u", looks[i]);
		/* These are only dumped. */
		if (looks[i] != SRQPOOL_CMD_QUEUE_GET && looks[i] != SRQPOOL_CMD_HOLDER_GET &&
		    looks[i] != SRQPOOL_CMD_EVENT_GET)
			EXPECT_EQ(variant->sees ? 1 : none, run(&f, looks[i], &self->target))
				TH_LOG("one by command %u", looks[i]);
	}
}

/* Its end of a pipe; when that is closed, root closes the connection. */
static int closer(FIXTURE_DATA(access) *self, pid_t *pid)
{
	int ends[2];
	char byte;

	if (pipe(ends))
		return -1;
	*pid = fork();
	if (!*pid) {
		close(ends[1]);
		if (read(ends[0], &byte, 1))
			_exit(1);
		_exit(run(&self->admin, SRQPOOL_CMD_CONN_DEL, &self->target) != 0);
	}
	close(ends[0]);
	return *pid < 0 ? -1 : ends[1];
}

static int is_conn_down(const struct nlmsghdr *nlh)
{
	const struct nlattr *attr;

	mnl_attr_for_each(attr, nlh, sizeof(struct genlmsghdr))
		if (mnl_attr_get_type(attr) == SRQPOOL_A_EVENT_TYPE)
			return mnl_attr_get_u32(attr) == SRQPOOL_EVENT_CONN_DOWN;
	return 0;
}

static int hears_conn_down(const struct family *f)
{
	char buf[16384];

	while (readable(f, PATIENCE_MS) == 1) {
		if (mnl_socket_recvfrom(f->genl.nl, buf, sizeof(buf)) <= 0)
			return 0;
		if (is_conn_down((void *)buf))
			return 1;
	}
	return 0;
}

TEST_F(access, hears_all_or_nothing)
{
	struct family here, there;
	pid_t pid;
	int fd, status;

	ASSERT_EQ(0, open_family(&here));
	ASSERT_EQ(0, join(&here));
	fd = closer(self, &pid);
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, become(variant));
	ASSERT_EQ(0, open_family(&there));
	ASSERT_EQ(0, join(&there));
	close(fd);
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(0, status);
	EXPECT_EQ(1, hears_conn_down(&here));
	EXPECT_EQ(variant->sees, variant->sees ? hears_conn_down(&there) : readable(&there, 0));
}

TEST_F(access, the_device_is_roots)
{
	int fd;

	ASSERT_EQ(0, become(variant));
	fd = open(SRQPOOL_DEVICE, O_RDWR);
	if (variant->device) {
		EXPECT_EQ(-1, fd);
		EXPECT_EQ(variant->device, errno);
	} else {
		EXPECT_LE(0, fd);
	}
}

TEST_HARNESS_MAIN
