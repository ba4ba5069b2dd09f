// SPDX-License-Identifier: GPL-2.0
// kernels: 6.1 6.12 newest debug
/*
 * Ring mode of /dev/srqpool: what cannot be mapped, what cannot be returned, and what is left when
 * the pool goes.
 */
#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "ring.h"

#include "../kselftest_harness.h"

/* Of a test, on the debug kernel. */
#define SECONDS 600
#define ENTRIES 8
/* Nothing is copied, and nobody is closed for what he holds. */
#define ADD "srqctl pool add d0 --dev rxe0 --class 4096:64-256 --shards 1" HOLD_ALL
#define HOLD_ALL " --copybreak 0 --reserve 0 --quota 1000"
#define ADD_DEVICE "rdma link add rxe0 type rxe netdev " NETDEV
#define NETDEV "$(ip -o addr show to 10.7.0.1 | cut -d' ' -f2)"
#define TOTAL "$(srqctl -j pool show d0 | gojq '.[0].classes[0].total')"
#define SHRUNK "n=600; until [ " TOTAL " -le 32 ]; do " AGAIN "; done"
#define AGAIN "[ $((n -= 1)) -gt 0 ] || exit 1; sleep .1"
#define LISTEN "srqctl listen add d0 --addr 10.7.0.1 --port 7480 --mode deliver >/dev/null"
#define HELD "[ \"$(srqctl -j pool show d0 | gojq '.[0].classes | all(.held == 0)')\" = false ]"
#define AT_REST "n=600; while " HELD "; do " AGAIN "; done"

static int attach(int fd, uint32_t flags, uint32_t entries)
{
	struct srqpool_attach attach = { .pool = "d0", .flags = flags, .entries = entries };

	return ioctl(fd, SRQPOOL_IOC_ATTACH, &attach) ? errno : 0;
}

/* Maps and unmaps; returns 0 or errno. */
static int try_map(int fd, size_t len, int prot, int flags, uint64_t offset)
{
	void *at = mmap(NULL, len, prot, flags, fd, offset);

	if (at == MAP_FAILED)
		return errno;
	munmap(at, len);
	return 0;
}

static int try_buffers(int fd, int prot, int flags)
{
	return try_map(fd, 1 << 20, prot, flags, SRQPOOL_MMAP_BUFFERS);
}

static int try_ring(int fd, size_t len, uint64_t offset)
{
	return try_map(fd, len, PROT_READ | PROT_WRITE, MAP_SHARED, offset);
}

FIXTURE(mapping)
{
	int fd;
	struct rings rings;
	struct srqpool_ring *ring;
};

FIXTURE_SETUP(mapping)
{
	ASSERT_EQ(0, system(ADD " && " LISTEN));
	self->fd = open(SRQPOOL_DEVICE, O_RDWR | O_NONBLOCK);
	ASSERT_LE(0, self->fd);
}

FIXTURE_TEARDOWN(mapping)
{
	close(self->fd);
	system("srqctl pool del d0 --force 2>/dev/null");
	EXPECT_EQ(0, system("[ \"$(srqctl -j dev show rxe0 | gojq '.[0].pinned')\" = 0 ]"));
}

static int map_all(FIXTURE_DATA(mapping) *self)
{
	if (attach(self->fd, SRQPOOL_ATTACH_RING, ENTRIES) || rings_map(&self->rings, self->fd))
		return -1;
	self->ring = self->rings.ring[0];
	return 0;
}

/* The file is closed when it is mapped no more. */
static int close_all(FIXTURE_DATA(mapping) *self)
{
	return munmap(self->ring, self->rings.info.ring_bytes) ?:
	       munmap((void *)self->rings.buffers, RING_WINDOW) ?: close(self->fd);
}

/* A client that sends messages, each beginning with its number, and waits until it is killed. */
static pid_t send_some(const char *messages, const char *size)
{
	pid_t pid = fork();

	if (pid)
		return pid;
	execl("../fairness/peer", "peer", "10.7.0.1", "7480", "1", messages, size, "-1", NULL);
	_exit(1);
}

static void kill_client(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

/* Waits for a descriptor, at most for a minute, and takes it. */
static int next(FIXTURE_DATA(mapping) *self, struct srqpool_desc *desc)
{
	struct pollfd pfd = { .fd = self->fd, .events = POLLIN };

	while (!ring_next(&self->rings, 0, desc))
		if (poll(&pfd, 1, 60000) != 1 || pfd.revents & POLLHUP)
			return -1;
	ring_take(&self->rings, 0);
	return 0;
}

static unsigned long bad_returns(FIXTURE_DATA(mapping) *self)
{
	struct srqpool_reader_stats stats;

	return ioctl(self->fd, SRQPOOL_IOC_STATS, &stats) ? -1UL : stats.bad_returns;
}

/* The kernel takes returns when it is kicked; for that it is given a minute. */
static int taken(FIXTURE_DATA(mapping) *self)
{
	int tries;

	for (tries = 0; tries < 6000; tries++) {
		if (__atomic_load_n(&self->ring->return_tail, __ATOMIC_ACQUIRE) ==
		    self->ring->return_head)
			return 1;
		usleep(10000);
	}
	return 0;
}

static int give_back(FIXTURE_DATA(mapping) *self, uint32_t index, uint32_t flags, uint32_t len)
{
	ring_return(&self->rings, 0, index, flags, len);
	return taken(self);
}

static sigjmp_buf on_fault;

static void fault(int number)
{
	siglongjmp(on_fault, number);
}

/* Reads a byte; returns 0, or the signal that this raised. */
static int touch(const char *at)
{
	struct sigaction action = { .sa_handler = fault };
	int raised;

	sigaction(SIGBUS, &action, NULL);
	sigaction(SIGSEGV, &action, NULL);
	raised = sigsetjmp(on_fault, 1);
	if (!raised)
		asm volatile("" : : "r"(*at));
	return raised;
}

TEST_F_TIMEOUT(mapping, entries, SECONDS)
{
	static const uint32_t wrong[] = { 0, 1, 4, 7, 9, 1000, 65536, 1U << 31, ~0U };
	unsigned int i;

	for (i = 0; i < sizeof(wrong) / sizeof(*wrong); i++)
		EXPECT_EQ(EINVAL, attach(self->fd, SRQPOOL_ATTACH_RING, wrong[i]));
	EXPECT_EQ(EINVAL, attach(self->fd, 0, ENTRIES));
	EXPECT_EQ(0, attach(self->fd, SRQPOOL_ATTACH_RING, SRQPOOL_RING_MAX));
	EXPECT_EQ(EISCONN, attach(self->fd, SRQPOOL_ATTACH_RING, ENTRIES));
}

TEST_F_TIMEOUT(mapping, before_it_is_attached, SECONDS)
{
	struct srqpool_ring_info info;

	EXPECT_EQ(ENOTCONN, try_buffers(self->fd, PROT_READ, MAP_SHARED));
	EXPECT_EQ(ENOTCONN, try_ring(self->fd, 4096, SRQPOOL_MMAP_RING(0)));
	EXPECT_EQ(-1, ioctl(self->fd, SRQPOOL_IOC_RING, &info));
	EXPECT_EQ(ENOTCONN, errno);
	EXPECT_EQ(-1, ioctl(self->fd, SRQPOOL_IOC_KICK, 0));
	EXPECT_EQ(ENOTCONN, errno);
}

TEST_F_TIMEOUT(mapping, in_read_mode, SECONDS)
{
	struct srqpool_ring_info info;

	ASSERT_EQ(0, attach(self->fd, 0, 0));
	EXPECT_EQ(EINVAL, try_buffers(self->fd, PROT_READ, MAP_SHARED));
	EXPECT_EQ(EINVAL, try_ring(self->fd, 4096, SRQPOOL_MMAP_RING(0)));
	EXPECT_EQ(-1, ioctl(self->fd, SRQPOOL_IOC_RING, &info));
	EXPECT_EQ(EINVAL, errno);
	EXPECT_EQ(-1, ioctl(self->fd, SRQPOOL_IOC_KICK, 0));
	EXPECT_EQ(EINVAL, errno);
}

TEST_F_TIMEOUT(mapping, places_and_sizes, SECONDS)
{
	const uint64_t page = sysconf(_SC_PAGESIZE);
	uint64_t bytes;
	char buf[64];

	ASSERT_EQ(0, map_all(self));
	bytes = self->rings.info.ring_bytes;
	EXPECT_EQ(1, self->rings.info.rings);
	EXPECT_EQ(ENTRIES, self->rings.info.entries);
	EXPECT_EQ(0, try_ring(self->fd, bytes, SRQPOOL_MMAP_RING(0)));
	EXPECT_EQ(EINVAL, try_ring(self->fd, bytes + page, SRQPOOL_MMAP_RING(0)));
	EXPECT_EQ(EINVAL, try_ring(self->fd, bytes, SRQPOOL_MMAP_RING(0) + page));
	EXPECT_EQ(EINVAL, try_ring(self->fd, bytes, SRQPOOL_MMAP_RING(1)));
	EXPECT_EQ(EINVAL, try_ring(self->fd, bytes, SRQPOOL_MMAP_RING(0x3fffffff)));
	EXPECT_EQ(EINVAL, try_map(self->fd, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE,
				  SRQPOOL_MMAP_RING(0)));
	EXPECT_EQ(0, try_buffers(self->fd, PROT_READ, MAP_SHARED));
	EXPECT_EQ(EACCES, try_buffers(self->fd, PROT_READ | PROT_WRITE, MAP_SHARED));
	EXPECT_EQ(EACCES, try_buffers(self->fd, PROT_READ | PROT_EXEC, MAP_SHARED));
	EXPECT_EQ(EINVAL, try_buffers(self->fd, PROT_READ, MAP_PRIVATE));
	EXPECT_EQ(EINVAL, try_map(self->fd, 2 * page, PROT_READ, MAP_SHARED,
				  SRQPOOL_MMAP_BUFFERS_END - page));
	EXPECT_EQ(-1, mprotect((void *)self->rings.buffers, page, PROT_READ | PROT_WRITE));
	EXPECT_EQ(EACCES, errno);
	EXPECT_EQ(-1, mprotect((void *)self->rings.buffers, page, PROT_READ | PROT_EXEC));
	EXPECT_EQ(EACCES, errno);
	EXPECT_EQ(SIGBUS, touch(self->rings.buffers + RING_WINDOW - page));
	EXPECT_EQ(-1, read(self->fd, buf, sizeof(buf)));
	EXPECT_EQ(EINVAL, errno);
	EXPECT_EQ(-1, ioctl(self->fd, SRQPOOL_IOC_KICK, 1));
	EXPECT_EQ(EINVAL, errno);
	EXPECT_EQ(0, ioctl(self->fd, SRQPOOL_IOC_KICK, 0));
}

/* What the program sees is a message and, behind it in the page, nothing of the kernel's. */
TEST_F_TIMEOUT(mapping, a_message, SECONDS)
{
	struct srqpool_desc desc;
	uint64_t number = 1;
	pid_t client;
	int i, rest = 0;

	ASSERT_EQ(0, map_all(self));
	client = send_some("1", "100");
	ASSERT_EQ(0, next(self, &desc));
	EXPECT_EQ(SRQPOOL_RECORD_UP, desc.record.type);
	ASSERT_EQ(0, next(self, &desc));
	EXPECT_EQ(SRQPOOL_RECORD_MESSAGE, desc.record.type);
	EXPECT_EQ(100, desc.record.len);
	memcpy(&number, self->rings.buffers + desc.offset, sizeof(number));
	EXPECT_EQ(0, number);
	for (i = 100; i < 4096; i++)
		rest |= self->rings.buffers[desc.offset + i];
	EXPECT_EQ(0, rest);
	EXPECT_TRUE(give_back(self, desc.index, 0, 0));
	EXPECT_EQ(0, bad_returns(self));
	kill_client(client);
	ASSERT_EQ(0, next(self, &desc));
	EXPECT_EQ(SRQPOOL_RECORD_DOWN, desc.record.type);
	EXPECT_EQ(0, system(AT_REST));
}

TEST_F_TIMEOUT(mapping, wrong_returns, SECONDS)
{
	struct srqpool_return ret = { .reserved = 1 };
	struct srqpool_desc desc[5];
	pid_t client;
	int i;

	ASSERT_EQ(0, map_all(self));
	client = send_some("5", "100");
	ASSERT_EQ(0, next(self, &desc[0]));
	for (i = 0; i < 5; i++)
		ASSERT_EQ(0, next(self, &desc[i]));
	EXPECT_TRUE(give_back(self, ENTRIES, 0, 0));
	EXPECT_TRUE(give_back(self, ~0U, 0, 0));
	EXPECT_EQ(2, bad_returns(self));
	EXPECT_TRUE(give_back(self, desc[0].index, 0, 0));
	EXPECT_EQ(2, bad_returns(self));
	EXPECT_TRUE(give_back(self, desc[0].index, 0, 0));
	EXPECT_EQ(3, bad_returns(self));
	/* These come back all the same. */
	EXPECT_TRUE(give_back(self, desc[1].index, 2, 0));
	EXPECT_EQ(4, bad_returns(self));
	EXPECT_TRUE(give_back(self, desc[2].index, 0, 1));
	EXPECT_EQ(5, bad_returns(self));
	EXPECT_TRUE(give_back(self, desc[3].index, SRQPOOL_RETURN_SEND, 101));
	EXPECT_EQ(6, bad_returns(self));
	ret.index = desc[4].index;
	ring_put(&self->rings, 0, 0, &ret);
	ring_publish(&self->rings, 0, 1);
	EXPECT_TRUE(taken(self));
	EXPECT_EQ(7, bad_returns(self));
	EXPECT_EQ(0, system(AT_REST));
	/* More than there can be: none of them is looked at. */
	ring_publish(&self->rings, 0, ENTRIES + 1);
	EXPECT_TRUE(taken(self));
	EXPECT_EQ(8, bad_returns(self));
	kill_client(client);
}

/* A program that spoils what it shares harms itself alone, and only as long as it does. */
TEST_F_TIMEOUT(mapping, spoilt_words, SECONDS)
{
	struct srqpool_desc desc;
	pid_t client;

	ASSERT_EQ(0, map_all(self));
	client = send_some("100", "100");
	ASSERT_EQ(0, next(self, &desc));
	__atomic_store_n(&self->ring->desc_tail, 0x80000000, __ATOMIC_RELEASE);
	ring_kick(&self->rings, 0, SRQPOOL_RING_KICK_TAKE);
	__atomic_store_n(&self->ring->desc_head, 77, __ATOMIC_RELEASE);
	__atomic_store_n(&self->ring->return_tail, 77, __ATOMIC_RELEASE);
	__atomic_store_n(&self->ring->flags, ~0U, __ATOMIC_RELEASE);
	ring_publish(&self->rings, 0, 1000);
	sleep(1);
	EXPECT_LT(0, bad_returns(self));
	kill_client(client);
	EXPECT_EQ(0, close_all(self));
	EXPECT_EQ(0, system(AT_REST));
}

TEST_F_TIMEOUT(mapping, what_is_never_returned_comes_back_when_it_is_closed, SECONDS)
{
	struct srqpool_desc desc, down;
	pid_t client;
	int i;

	ASSERT_EQ(0, map_all(self));
	client = send_some("5", "100");
	for (i = 0; i < 6; i++)
		ASSERT_EQ(0, next(self, &desc));
	kill_client(client);
	ASSERT_EQ(0, next(self, &down));
	EXPECT_EQ(SRQPOOL_RECORD_DOWN, down.record.type);
	EXPECT_EQ(0, system(HELD));
	/* Its connection is gone, which is nobody's fault. */
	EXPECT_TRUE(give_back(self, desc.index, SRQPOOL_RETURN_SEND, 100));
	EXPECT_EQ(0, bad_returns(self));
	EXPECT_EQ(0, close_all(self));
	EXPECT_EQ(0, system(AT_REST));
}

/* No more messages than entries are with the program; the others wait, and are not lost. */
TEST_F_TIMEOUT(mapping, more_messages_than_entries, SECONDS)
{
	struct pollfd pfd = { .fd = self->fd, .events = POLLIN };
	uint32_t indices[ENTRIES];
	struct srqpool_desc desc;
	uint64_t number, expected;
	pid_t client;
	int i;

	ASSERT_EQ(0, map_all(self));
	client = send_some("50", "100");
	ASSERT_EQ(0, next(self, &desc));
	for (expected = 0; expected < 50; ) {
		for (i = 0; i < ENTRIES && expected < 50; i++, expected++) {
			ASSERT_EQ(0, next(self, &desc));
			memcpy(&number, self->rings.buffers + desc.offset, sizeof(number));
			EXPECT_EQ(expected, number);
			indices[i] = desc.index;
		}
		EXPECT_EQ(0, poll(&pfd, 1, 100));
		while (i--)
			EXPECT_TRUE(give_back(self, indices[i], 0, 0));
	}
	EXPECT_EQ(0, bad_returns(self));
	kill_client(client);
}

/* Who has all the messages it may have is still told who comes. */
TEST_F_TIMEOUT(mapping, other_records_go_on, SECONDS)
{
	struct pollfd pfd = { .fd = self->fd, .events = POLLIN };
	struct srqpool_desc desc, held[ENTRIES];
	pid_t client, other;
	uint64_t conn;
	int i;

	ASSERT_EQ(0, map_all(self));
	client = send_some("9", "100");
	ASSERT_EQ(0, next(self, &desc));
	for (i = 0; i < ENTRIES; i++)
		ASSERT_EQ(0, next(self, &held[i]));
	EXPECT_EQ(0, poll(&pfd, 1, 100));
	other = send_some("1", "100");
	ASSERT_EQ(0, next(self, &desc));
	EXPECT_EQ(SRQPOOL_RECORD_UP, desc.record.type);
	EXPECT_NE(held[0].record.conn, desc.record.conn);
	conn = desc.record.conn;
	EXPECT_EQ(0, poll(&pfd, 1, 100));
	EXPECT_TRUE(give_back(self, held[0].index, 0, 0));
	ASSERT_EQ(0, next(self, &desc));
	EXPECT_EQ(SRQPOOL_RECORD_MESSAGE, desc.record.type);
	EXPECT_EQ(held[0].record.conn, desc.record.conn);
	EXPECT_EQ(0, poll(&pfd, 1, 100));
	EXPECT_TRUE(give_back(self, held[1].index, 0, 0));
	ASSERT_EQ(0, next(self, &desc));
	EXPECT_EQ(SRQPOOL_RECORD_MESSAGE, desc.record.type);
	EXPECT_EQ(conn, desc.record.conn);
	kill_client(client);
	kill_client(other);
	/* What is left of them is told, though six messages are kept. */
	for (i = 0; i < 2; i++) {
		ASSERT_EQ(0, next(self, &desc));
		EXPECT_EQ(SRQPOOL_RECORD_DOWN, desc.record.type);
	}
}

TEST_F_TIMEOUT(mapping, a_child_inherits_no_mapping, SECONDS)
{
	int status;
	pid_t child;

	ASSERT_EQ(0, map_all(self));
	child = fork();
	if (!child)
		_exit(touch((const char *)self->ring) == SIGSEGV &&
		      touch(self->rings.buffers) == SIGSEGV ? 0 : 1);
	ASSERT_EQ(child, waitpid(child, &status, 0));
	EXPECT_EQ(0, status);
}

/* What the pool gave up is gone from the program's memory; what it has stays. */
TEST_F_TIMEOUT(mapping, a_buffer_that_goes, SECONDS)
{
	struct srqpool_desc desc[2];
	pid_t client;

	ASSERT_EQ(0, map_all(self));
	client = send_some("1", "100");
	ASSERT_EQ(0, next(self, &desc[0]));
	ASSERT_EQ(0, next(self, &desc[1]));
	EXPECT_EQ(0, touch(self->rings.buffers + desc[1].offset));
	ASSERT_EQ(0, system("srqctl pool del d0 --force"));
	EXPECT_EQ(SIGBUS, touch(self->rings.buffers + desc[1].offset));
	EXPECT_EQ(SIGBUS, touch(self->rings.buffers));
	kill_client(client);
}

/* Those of a pool that shrinks go one by one; a message that is kept stays where it is. */
TEST_F_TIMEOUT(mapping, a_pool_that_shrinks, SECONDS)
{
	static uint64_t offsets[200];
	struct srqpool_desc desc, kept = {};
	uint64_t number = 1;
	int i, gone = 0;
	pid_t client;

	ASSERT_EQ(0, map_all(self));
	client = send_some("200", "100");
	ASSERT_EQ(0, next(self, &desc));
	for (i = 0; i < 200; i++) {
		ASSERT_EQ(0, next(self, &desc));
		offsets[i] = desc.offset;
		EXPECT_EQ(0, touch(self->rings.buffers + desc.offset));
		if (!i)
			kept = desc;
		EXPECT_TRUE(!i || give_back(self, desc.index, 0, 0));
	}
	kill_client(client);
	ASSERT_EQ(0, next(self, &desc));
	EXPECT_EQ(SRQPOOL_RECORD_DOWN, desc.record.type);
	ASSERT_EQ(0, system("srqctl pool set d0 --class 4096:16-16"));
	ASSERT_EQ(0, system(SHRUNK));
	for (i = 0; i < 200; i++)
		gone += touch(self->rings.buffers + offsets[i]) == SIGBUS;
	EXPECT_LT(0, gone);
	memcpy(&number, self->rings.buffers + kept.offset, sizeof(number));
	EXPECT_EQ(0, number);
	EXPECT_TRUE(give_back(self, kept.index, 0, 0));
}

TEST_F_TIMEOUT(mapping, the_pool_goes, SECONDS)
{
	struct pollfd pfd = { .fd = self->fd, .events = POLLIN };
	struct srqpool_desc desc;
	pid_t client;

	ASSERT_EQ(0, map_all(self));
	client = send_some("1", "100");
	ASSERT_EQ(0, next(self, &desc));
	ASSERT_EQ(0, system("srqctl pool del d0 --force"));
	EXPECT_EQ(1, poll(&pfd, 1, 0));
	EXPECT_EQ(POLLHUP | POLLIN, pfd.revents);
	EXPECT_EQ(SRQPOOL_RING_DEAD, self->ring->flags);
	EXPECT_EQ(-1, ioctl(self->fd, SRQPOOL_IOC_KICK, 0));
	EXPECT_EQ(ENODEV, errno);
	EXPECT_EQ(ENODEV, try_buffers(self->fd, PROT_READ, MAP_SHARED));
	EXPECT_EQ(ENODEV, try_ring(self->fd, self->rings.info.ring_bytes, SRQPOOL_MMAP_RING(0)));
	kill_client(client);
}

TEST_F_TIMEOUT(mapping, the_device_goes, SECONDS)
{
	struct pollfd pfd = { .fd = self->fd, .events = POLLIN };
	struct srqpool_desc desc;
	pid_t client;
	int other;

	ASSERT_EQ(0, map_all(self));
	client = send_some("1", "100");
	ASSERT_EQ(0, next(self, &desc));
	ASSERT_EQ(0, next(self, &desc));
	kill_client(client);
	ASSERT_EQ(0, system("rdma link delete rxe0"));
	EXPECT_EQ(1, poll(&pfd, 1, 0));
	EXPECT_EQ(POLLHUP | POLLIN, pfd.revents);
	EXPECT_EQ(SRQPOOL_RING_DEAD, self->ring->flags);
	EXPECT_EQ(SIGBUS, touch(self->rings.buffers + desc.offset));
	other = open(SRQPOOL_DEVICE, O_RDWR);
	ASSERT_LE(0, other);
	EXPECT_EQ(ENODEV, attach(other, SRQPOOL_ATTACH_RING, ENTRIES));
	EXPECT_EQ(0, close(other));
	ASSERT_EQ(0, system(ADD_DEVICE));
}

TEST_HARNESS_MAIN
