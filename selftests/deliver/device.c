// SPDX-License-Identifier: GPL-2.0
// kernels: 6.1 6.12 newest debug
/* /dev/srqpool refuses, with the errno that its header names, what is not right. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>
#include <linux/srqpool.h>

#include "../kselftest_harness.h"

static int attach_to(int fd, const char *pool)
{
	struct srqpool_attach attach = {};

	strncpy(attach.pool, pool, sizeof(attach.pool) - 1);
	return ioctl(fd, SRQPOOL_IOC_ATTACH, &attach) ? errno : 0;
}

/* Of a test, on the debug kernel. */
#define SECONDS 600
#define LISTEN "srqctl listen add d0 --addr 10.7.0.1 --port 7480 --mode deliver >/dev/null"

/* A pool of one class, with a listener for those who receive. */
static int add_pool(const char *knobs)
{
	char command[256];

	snprintf(command, sizeof(command),
		 "srqctl pool add d0 --dev rxe0 --class 4096:64-256 --shards 1 %s && %s",
		 knobs, LISTEN);
	return system(command);
}

FIXTURE(device)
{
	int fd;
};

FIXTURE_SETUP(device)
{
	ASSERT_EQ(0, add_pool(""));
	self->fd = open(SRQPOOL_DEVICE, O_RDWR | O_NONBLOCK);
	ASSERT_LE(0, self->fd);
}

FIXTURE_TEARDOWN(device)
{
	close(self->fd);
	system("srqctl pool del d0 --force 2>/dev/null");
	EXPECT_EQ(0, system("[ \"$(srqctl -j dev show rxe0 | gojq '.[0].pinned')\" = 0 ]"));
}

TEST_F_TIMEOUT(device, only_its_owner_opens_it, SECONDS)
{
	struct stat st;

	ASSERT_EQ(0, stat(SRQPOOL_DEVICE, &st));
	EXPECT_EQ(0600, st.st_mode & 07777);
	EXPECT_EQ(0, st.st_uid);
}

TEST_F_TIMEOUT(device, before_it_is_attached, SECONDS)
{
	struct srqpool_reader_stats stats;
	struct pollfd pfd = { .fd = self->fd, .events = POLLIN };
	__u64 conn = 1;
	char buf[64];

	EXPECT_EQ(-1, read(self->fd, buf, sizeof(buf)));
	EXPECT_EQ(ENOTCONN, errno);
	EXPECT_EQ(-1, write(self->fd, buf, sizeof(buf)));
	EXPECT_EQ(ENOTCONN, errno);
	EXPECT_EQ(-1, ioctl(self->fd, SRQPOOL_IOC_CLOSE, &conn));
	EXPECT_EQ(ENOTCONN, errno);
	EXPECT_EQ(-1, ioctl(self->fd, SRQPOOL_IOC_STATS, &stats));
	EXPECT_EQ(ENOTCONN, errno);
	EXPECT_EQ(1, poll(&pfd, 1, 0));
	EXPECT_EQ(POLLERR, pfd.revents);
	EXPECT_EQ(-1, ioctl(self->fd, _IO(SRQPOOL_IOC_MAGIC, 99), NULL));
	EXPECT_EQ(ENOTTY, errno);
}

TEST_F_TIMEOUT(device, attaching, SECONDS)
{
	struct srqpool_attach attach;

	EXPECT_EQ(ENOENT, attach_to(self->fd, "none"));
	EXPECT_EQ(ENOENT, attach_to(self->fd, ""));
	memset(&attach, 'x', sizeof(attach));
	attach.flags = 0;
	attach.entries = 0;
	EXPECT_EQ(-1, ioctl(self->fd, SRQPOOL_IOC_ATTACH, &attach));
	EXPECT_EQ(EINVAL, errno);
	memset(&attach, 0, sizeof(attach));
	memcpy(attach.pool, "d0", 3);
	attach.flags = 2;
	EXPECT_EQ(-1, ioctl(self->fd, SRQPOOL_IOC_ATTACH, &attach));
	EXPECT_EQ(EINVAL, errno);
	attach.flags = 0;
	attach.entries = 1024;
	EXPECT_EQ(-1, ioctl(self->fd, SRQPOOL_IOC_ATTACH, &attach));
	EXPECT_EQ(EINVAL, errno);
	EXPECT_EQ(-1, ioctl(self->fd, SRQPOOL_IOC_ATTACH, NULL));
	EXPECT_EQ(EFAULT, errno);
	EXPECT_EQ(0, attach_to(self->fd, "d0"));
	EXPECT_EQ(EISCONN, attach_to(self->fd, "d0"));
}

TEST_F_TIMEOUT(device, writing, SECONDS)
{
	struct srqpool_send head = { .conn = 1ULL << 40 };
	struct pollfd pfd = { .fd = self->fd, .events = POLLIN | POLLOUT };

	ASSERT_EQ(0, attach_to(self->fd, "d0"));
	EXPECT_EQ(1, poll(&pfd, 1, 0));
	EXPECT_EQ(POLLOUT, pfd.revents);
	EXPECT_EQ(-1, write(self->fd, &head, sizeof(head)));
	EXPECT_EQ(ENOTCONN, errno);
	EXPECT_EQ(-1, ioctl(self->fd, SRQPOOL_IOC_CLOSE, &head.conn));
	EXPECT_EQ(ENOTCONN, errno);
	EXPECT_EQ(-1, write(self->fd, &head, sizeof(head) - 1));
	EXPECT_EQ(EINVAL, errno);
	head.flags = 2;
	EXPECT_EQ(-1, write(self->fd, &head, sizeof(head)));
	EXPECT_EQ(EINVAL, errno);
}

/*
 * A client that sends one message and waits until it is killed; it may announce what its largest
 * message is.
 */
static pid_t send_announced(const char *announced)
{
	pid_t pid = fork();

	if (pid)
		return pid;
	execl("../fairness/peer", "peer", "10.7.0.1", "7480", "1", "1", "100", "-1", announced,
	      NULL);
	_exit(1);
}

static pid_t send_one(void)
{
	return send_announced(NULL);
}

static void kill_client(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

/* Waits for a record, at most for a minute; returns read()'s value or -errno. */
static ssize_t next(int fd, void *buf, size_t len)
{
	struct pollfd pfd = { .fd = fd, .events = POLLIN };
	ssize_t done;

	if (poll(&pfd, 1, 60000) != 1)
		return -ETIMEDOUT;
	done = read(fd, buf, len);
	return done < 0 ? -errno : done;
}

TEST_F_TIMEOUT(device, a_connection, SECONDS)
{
	char buf[sizeof(struct srqpool_record) + 4096];
	char out[sizeof(struct srqpool_send) + 4097] = {};
	struct srqpool_record *record = (struct srqpool_record *)buf;
	struct srqpool_send *head = (struct srqpool_send *)out;
	struct srqpool_reader_stats stats;
	struct iovec iov[2];
	pid_t client;

	ASSERT_EQ(0, attach_to(self->fd, "d0"));
	client = send_one();
	EXPECT_EQ(-EMSGSIZE, next(self->fd, buf, sizeof(*record) - 1));
	ASSERT_EQ((ssize_t)sizeof(*record), next(self->fd, buf, sizeof(buf)));
	EXPECT_EQ(SRQPOOL_RECORD_UP, record->type);
	EXPECT_EQ(0, record->len);
	head->conn = record->conn;

	/* A message that does not fit, or cannot be copied, is kept. */
	EXPECT_EQ(-EMSGSIZE, next(self->fd, buf, sizeof(*record) + 99));
	EXPECT_EQ(-EFAULT, next(self->fd, (void *)16, sizeof(buf)));
	iov[0] = (struct iovec) { buf, sizeof(*record) };
	iov[1] = (struct iovec) { (void *)16, 4096 };
	EXPECT_EQ(-1, readv(self->fd, iov, 2));
	EXPECT_EQ(EFAULT, errno);
	iov[1].iov_base = buf + sizeof(*record);
	ASSERT_EQ((ssize_t)sizeof(*record) + 100, readv(self->fd, iov, 2));
	EXPECT_EQ(SRQPOOL_RECORD_MESSAGE, record->type);
	EXPECT_EQ(100, record->len);
	EXPECT_EQ(head->conn, record->conn);
	EXPECT_EQ(0, record->flags);
	EXPECT_EQ(0, record->class_index);
	EXPECT_LT(1700000000000000000ULL, record->time_ns);
	EXPECT_EQ(-1, read(self->fd, buf, sizeof(buf)));
	EXPECT_EQ(EAGAIN, errno);

	EXPECT_EQ(-1, write(self->fd, out, sizeof(out)));
	EXPECT_EQ(EMSGSIZE, errno);
	iov[0] = (struct iovec) { out, sizeof(*head) };
	iov[1] = (struct iovec) { (void *)16, 100 };
	EXPECT_EQ(-1, writev(self->fd, iov, 2));
	EXPECT_EQ(EFAULT, errno);
	ASSERT_EQ(0, ioctl(self->fd, SRQPOOL_IOC_STATS, &stats));
	EXPECT_EQ(1, stats.conns);
	EXPECT_EQ(1, stats.open_conns);
	EXPECT_EQ(1, stats.messages);
	EXPECT_EQ(100, stats.bytes);
	EXPECT_EQ(0, stats.sent);

	ASSERT_EQ(0, ioctl(self->fd, SRQPOOL_IOC_CLOSE, &head->conn));
	ASSERT_EQ((ssize_t)sizeof(*record), next(self->fd, buf, sizeof(buf)));
	EXPECT_EQ(SRQPOOL_RECORD_DOWN, record->type);
	EXPECT_EQ(-1, ioctl(self->fd, SRQPOOL_IOC_CLOSE, &head->conn));
	EXPECT_EQ(ENOTCONN, errno);
	EXPECT_EQ(-1, write(self->fd, out, sizeof(*head)));
	EXPECT_EQ(ENOTCONN, errno);
	kill_client(client);
}

/* It gets no message that is larger than its own. */
TEST_F_TIMEOUT(device, a_peer_that_announces_its_largest_message, SECONDS)
{
	char buf[sizeof(struct srqpool_record) + 4096];
	char out[sizeof(struct srqpool_send) + 4096] = {};
	struct srqpool_send *head = (struct srqpool_send *)out;
	pid_t client;

	ASSERT_EQ(0, attach_to(self->fd, "d0"));
	client = send_announced("200");
	ASSERT_EQ((ssize_t)sizeof(struct srqpool_record), next(self->fd, buf, sizeof(buf)));
	head->conn = ((struct srqpool_record *)buf)->conn;
	EXPECT_EQ(-1, write(self->fd, out, sizeof(*head) + 201));
	EXPECT_EQ(EMSGSIZE, errno);
	EXPECT_EQ((ssize_t)sizeof(*head) + 200, write(self->fd, out, sizeof(*head) + 200));
	kill_client(client);
}

/* Without an SRQ the completion queue has no room for more than receives. */
TEST_F_TIMEOUT(device, no_room_to_send, SECONDS)
{
	char buf[sizeof(struct srqpool_record) + 4096];
	struct srqpool_send head = {};
	pid_t client;

	ASSERT_EQ(0, system("srqctl pool del d0 --force"));
	ASSERT_EQ(0, add_pool("--dedicated 16"));
	ASSERT_EQ(0, attach_to(self->fd, "d0"));
	client = send_one();
	ASSERT_EQ((ssize_t)sizeof(struct srqpool_record), next(self->fd, buf, sizeof(buf)));
	head.conn = ((struct srqpool_record *)buf)->conn;
	EXPECT_EQ(-1, write(self->fd, &head, sizeof(head)));
	EXPECT_EQ(ENOBUFS, errno);
	EXPECT_EQ((ssize_t)sizeof(struct srqpool_record) + 100, next(self->fd, buf, sizeof(buf)));
	kill_client(client);
}

TEST_F_TIMEOUT(device, another_readers_connection, SECONDS)
{
	char buf[sizeof(struct srqpool_record) + 4096];
	struct srqpool_record *record = (struct srqpool_record *)buf;
	struct srqpool_send head = {};
	pid_t client;
	int other;

	ASSERT_EQ(0, attach_to(self->fd, "d0"));
	client = send_one();
	ASSERT_EQ((ssize_t)sizeof(*record), next(self->fd, buf, sizeof(buf)));
	head.conn = record->conn;
	other = open(SRQPOOL_DEVICE, O_RDWR | O_NONBLOCK);
	ASSERT_LE(0, other);
	ASSERT_EQ(0, attach_to(other, "d0"));
	EXPECT_EQ(-1, write(other, &head, sizeof(head)));
	EXPECT_EQ(ENOTCONN, errno);
	EXPECT_EQ(-1, ioctl(other, SRQPOOL_IOC_CLOSE, &head.conn));
	EXPECT_EQ(ENOTCONN, errno);
	close(other);
	kill_client(client);
}

TEST_F_TIMEOUT(device, after_fork_it_lives_until_both_have_closed_it, SECONDS)
{
	char buf[sizeof(struct srqpool_record) + 4096];
	pid_t client, child;

	ASSERT_EQ(0, attach_to(self->fd, "d0"));
	child = fork();
	if (!child) {
		close(self->fd);
		_exit(0);
	}
	ASSERT_EQ(child, waitpid(child, NULL, 0));
	client = send_one();
	EXPECT_EQ((ssize_t)sizeof(struct srqpool_record), next(self->fd, buf, sizeof(buf)));
	kill_client(client);
}

static void on_alarm(int number)
{
}

TEST_F_TIMEOUT(device, a_signal_ends_a_wait, SECONDS)
{
	struct sigaction action = { .sa_handler = on_alarm };
	char buf[64];

	ASSERT_EQ(0, attach_to(self->fd, "d0"));
	ASSERT_EQ(0, fcntl(self->fd, F_SETFL, 0));
	sigaction(SIGALRM, &action, NULL);
	alarm(1);
	EXPECT_EQ(-1, read(self->fd, buf, sizeof(buf)));
	EXPECT_EQ(EINTR, errno);
}

TEST_F_TIMEOUT(device, the_pool_goes, SECONDS)
{
	struct pollfd pfd = { .fd = self->fd, .events = POLLIN };
	struct srqpool_send head = { .conn = 1 };
	pid_t client, deleter;
	char buf[64];

	ASSERT_EQ(0, attach_to(self->fd, "d0"));
	ASSERT_EQ(0, fcntl(self->fd, F_SETFL, 0));
	client = send_one();
	ASSERT_EQ((ssize_t)sizeof(struct srqpool_record), next(self->fd, buf, sizeof(buf)));
	/* One waits; its message does not fit, and is thrown away with the pool. */
	EXPECT_EQ(-EMSGSIZE, next(self->fd, buf, sizeof(buf)));
	deleter = fork();
	if (!deleter)
		_exit(system("srqctl pool del d0 --force"));
	EXPECT_EQ(deleter, waitpid(deleter, NULL, 0));
	EXPECT_EQ(-1, read(self->fd, buf, sizeof(buf)));
	EXPECT_EQ(ENODEV, errno);
	EXPECT_EQ(-1, write(self->fd, &head, sizeof(head)));
	EXPECT_EQ(ENODEV, errno);
	EXPECT_EQ(1, poll(&pfd, 1, 0));
	EXPECT_EQ(POLLHUP | POLLIN, pfd.revents);
	EXPECT_EQ(EISCONN, attach_to(self->fd, "d0"));
	kill_client(client);
}

TEST_HARNESS_MAIN
