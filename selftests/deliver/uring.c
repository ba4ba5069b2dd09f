// SPDX-License-Identifier: GPL-2.0
// kernels: 6.1 6.12 newest debug
/* /dev/srqpool through io_uring: reads that wait, writes, poll, and the end of the pool. */
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <liburing.h>
#include <linux/srqpool.h>

#include "../kselftest_harness.h"

/* Of a test, on the debug kernel. */
#define SECONDS 600
#define MESSAGES 20
#define SIZE 1000

/* In front of it what read() gives, or what write() takes. */
struct record {
	struct srqpool_record head;
	char data[4096];
};

struct message {
	struct srqpool_send head;
	char data[4096];
};

FIXTURE(uring)
{
	struct io_uring ring;
	int fd;
	struct record in;
	struct message out;
};

FIXTURE_SETUP(uring)
{
	struct srqpool_attach attach = { .pool = "d0" };

	ASSERT_EQ(0, system("srqctl pool add d0 --dev rxe0 --class 4096:64-256 --shards 1"));
	ASSERT_EQ(0, system("srqctl listen add d0 --addr 10.7.0.1 --port 7480 --mode deliver"));
	/* O_NONBLOCK would have reads fail that are to wait. */
	self->fd = open(SRQPOOL_DEVICE, O_RDWR);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, ioctl(self->fd, SRQPOOL_IOC_ATTACH, &attach));
	ASSERT_EQ(0, io_uring_queue_init(8, &self->ring, 0));
}

FIXTURE_TEARDOWN(uring)
{
	io_uring_queue_exit(&self->ring);
	close(self->fd);
	system("srqctl pool del d0 --force 2>/dev/null");
}

/* Waits, at most for a minute, for what was submitted; returns its result. */
static int wait_for_it(struct io_uring *ring)
{
	struct __kernel_timespec minute = { .tv_sec = 60 };
	struct io_uring_cqe *cqe;
	int ret = io_uring_wait_cqe_timeout(ring, &cqe, &minute);

	if (ret)
		return ret;
	ret = cqe->res;
	io_uring_cqe_seen(ring, cqe);
	return ret;
}

static int start_read(FIXTURE_DATA(uring) *self)
{
	io_uring_prep_read(io_uring_get_sqe(&self->ring), self->fd, &self->in, sizeof(self->in),
			   -1);
	return io_uring_submit(&self->ring);
}

static int do_read(FIXTURE_DATA(uring) *self)
{
	return start_read(self) == 1 ? wait_for_it(&self->ring) : -1;
}

static int do_write(FIXTURE_DATA(uring) *self, unsigned int len)
{
	io_uring_prep_write(io_uring_get_sqe(&self->ring), self->fd, &self->out,
			    sizeof(self->out.head) + len, -1);
	return io_uring_submit(&self->ring) == 1 ? wait_for_it(&self->ring) : -1;
}

static pid_t start_client(void)
{
	pid_t pid = fork();

	if (pid)
		return pid;
	execl("../fairness/peer", "peer", "10.7.0.1", "7480", "1", "20", "1000", "0", NULL);
	_exit(1);
}

/* It exits with 0 when each of its messages came back once and in order. */
TEST_F_TIMEOUT(uring, echo, SECONDS)
{
	int i, status;
	pid_t client;

	ASSERT_EQ(1, start_read(self));
	client = start_client();
	ASSERT_EQ((int)sizeof(self->in.head), wait_for_it(&self->ring));
	EXPECT_EQ(SRQPOOL_RECORD_UP, self->in.head.type);
	for (i = 0; i < MESSAGES; i++) {
		ASSERT_EQ((int)sizeof(self->in.head) + SIZE, do_read(self));
		self->out.head = (struct srqpool_send) { .conn = self->in.head.conn };
		memcpy(self->out.data, self->in.data, SIZE);
		ASSERT_EQ((int)sizeof(self->out.head) + SIZE, do_write(self, SIZE));
	}
	ASSERT_EQ(client, waitpid(client, &status, 0));
	EXPECT_EQ(0, status);
	ASSERT_EQ((int)sizeof(self->in.head), do_read(self));
	EXPECT_EQ(SRQPOOL_RECORD_DOWN, self->in.head.type);
}

TEST_F_TIMEOUT(uring, refusals, SECONDS)
{
	EXPECT_EQ(-ENOTCONN, do_write(self, 0));
	self->out.head.flags = 2;
	EXPECT_EQ(-EINVAL, do_write(self, 0));
}

TEST_F_TIMEOUT(uring, poll, SECONDS)
{
	pid_t client;

	io_uring_prep_poll_add(io_uring_get_sqe(&self->ring), self->fd, POLLIN);
	ASSERT_EQ(1, io_uring_submit(&self->ring));
	client = start_client();
	EXPECT_EQ(POLLIN, wait_for_it(&self->ring));
	kill(client, SIGKILL);
	waitpid(client, NULL, 0);
}

TEST_F_TIMEOUT(uring, a_read_ends_with_the_pool, SECONDS)
{
	ASSERT_EQ(1, start_read(self));
	ASSERT_EQ(0, system("srqctl pool del d0 --force"));
	EXPECT_EQ(-ENODEV, wait_for_it(&self->ring));
}

TEST_HARNESS_MAIN
