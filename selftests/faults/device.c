// SPDX-License-Identifier: GPL-2.0
/* /dev/srqpool: opening, attaching, the ioctls, mapping, reading and writing. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>
#include "../deliver/ring.h"
#include "faults.h"

#define ENTRIES		8
#define PAGE		4096

static int fd = -1;
static uint64_t conn;
static void *mapped;
static size_t mapped_bytes;

/* The result of a system call. */
static int result(long ret)
{
	return ret < 0 ? errno : 0;
}

static int device_open(void)
{
	int err;

	fault_begin();
	fd = open(SRQPOOL_DEVICE, O_RDWR | O_NONBLOCK);
	err = result(fd);
	fault_end();
	return err;
}

static int device_close(void)
{
	int err = result(close(fd));

	fd = -1;
	return err;
}

static int call(unsigned long request, void *arg)
{
	int err;

	fault_begin();
	err = result(ioctl(fd, request, arg));
	fault_end();
	return err;
}

static int attach(uint32_t flags, uint32_t entries)
{
	struct srqpool_attach attach = { .pool = POOL, .flags = flags, .entries = entries };

	return call(SRQPOOL_IOC_ATTACH, &attach);
}

static int attach_read(void)
{
	return attach(0, 0);
}

static int attach_ring(void)
{
	return attach(SRQPOOL_ATTACH_RING, ENTRIES);
}

static int detach(void)
{
	return device_close() ?: device_open();
}

static int setup_file(void)
{
	return netlink_setup_pool() ?: device_open();
}

/*
 * A reader with a connection
 */

static int wait_readable(void)
{
	struct pollfd pfd = { .fd = fd, .events = POLLIN };

	return poll(&pfd, 1, SETTLE_SECONDS * 1000) == 1 ? 0 : ETIMEDOUT;
}

static int read_record(struct srqpool_record *record)
{
	char buf[sizeof(*record) + PAGE];
	ssize_t len;
	int err;

	fault_begin();
	len = read(fd, buf, sizeof(buf));
	err = result(len);
	fault_end();
	memcpy(record, buf, sizeof(*record));
	return err;
}

static int expect(uint32_t type)
{
	struct srqpool_record record;
	int err = wait_readable() ?: read_record(&record);

	if (!err && record.type != type)
		die("a record of type %u, not %u", record.type, type);
	conn = err ? 0 : record.conn;
	return err;
}

static int connect_reader(void)
{
	return client_connect() ?: expect(SRQPOOL_RECORD_UP);
}

static int setup_reader(void)
{
	return setup_file() ?: netlink_listen(SRQPOOL_MODE_DELIVER) ?: attach_read() ?:
	       connect_reader();
}

static int setup_ring(void)
{
	return setup_file() ?: attach_ring();
}

int device_setup_ring(void)
{
	return setup_ring() ?: netlink_listen(SRQPOOL_MODE_DELIVER);
}

/*
 * The ioctls
 */

static int hang_up(void)
{
	int err = call(SRQPOOL_IOC_CLOSE, &conn);

	if (!err)
		state_wait_conns(0);
	return err;
}

static int hang_up_undo(void)
{
	int err = expect(SRQPOOL_RECORD_DOWN);

	client_close();
	return err ?: connect_reader();
}

static int reader_stats(void)
{
	struct srqpool_reader_stats stats;

	return call(SRQPOOL_IOC_STATS, &stats);
}

static int ring_info(void)
{
	struct srqpool_ring_info info;

	return call(SRQPOOL_IOC_RING, &info);
}

static int kick(void)
{
	return call(SRQPOOL_IOC_KICK, NULL);
}

/*
 * Mapping
 */

static int map_memory(size_t bytes, int prot, uint64_t offset)
{
	mapped_bytes = bytes;
	mapped = mmap(NULL, bytes, prot, MAP_SHARED, fd, offset);
	return mapped == MAP_FAILED ? errno : 0;
}

static int map_ring(void)
{
	struct srqpool_ring_info info;
	int err;

	if (ioctl(fd, SRQPOOL_IOC_RING, &info))
		return errno;
	fault_begin();
	err = map_memory(info.ring_bytes, PROT_READ | PROT_WRITE, SRQPOOL_MMAP_RING(0));
	if (!err)
		*(uint32_t *)((char *)mapped + SRQPOOL_RING_RETURNS(ENTRIES)) = 0;
	fault_end();
	return err;
}

static sigjmp_buf on_bus;

static void bus_error(int number)
{
	siglongjmp(on_bus, 1);
}

/* Reads a byte; EFAULT if this raises SIGBUS. */
static int touch(const char *at)
{
	struct sigaction action = { .sa_handler = bus_error };
	int err = EFAULT;

	sigaction(SIGBUS, &action, NULL);
	if (!sigsetjmp(on_bus, 1)) {
		asm volatile("" : : "r"(*at));
		err = 0;
	}
	return err;
}

static int map_buffers(void)
{
	int err;

	fault_begin();
	err = map_memory(1 << 20, PROT_READ, SRQPOOL_MMAP_BUFFERS);
	if (!err)
		err = touch(mapped);
	fault_end();
	return err;
}

static int unmap(void)
{
	return result(munmap(mapped, mapped_bytes));
}

/*
 * Messages
 */

static int next_message(void)
{
	return client_send() ?: wait_readable();
}

static int setup_message(void)
{
	return setup_reader() ?: next_message();
}

static int read_message(void)
{
	struct srqpool_record record;

	return read_record(&record);
}

static int write_message(void)
{
	struct {
		struct srqpool_send head;
		char data[64];
	} out = { .head.conn = conn };
	int err;

	fault_begin();
	err = result(write(fd, &out, sizeof(out)));
	fault_end();
	return err;
}

/* The memory for what is written stays with the reader: so there is another one. */
static int restart_reader(void)
{
	client_close();
	return expect(SRQPOOL_RECORD_DOWN) ?: detach() ?: attach_read() ?: connect_reader();
}

void device_clean(void)
{
	if (fd >= 0)
		close(fd);
	fd = -1;
}

#define DEVICE_CALL(_name, _setup, _run, _undo)	\
	{ .name = (_name), .setup = (_setup), .run = (_run), .undo = (_undo) }
#define DEVICE_QUIET(_name, _setup, _run, _undo)	\
	{ .name = (_name), .setup = (_setup), .run = (_run), .undo = (_undo), \
	  .may_not_allocate = true }

const struct command device_commands[] = {
	DEVICE_CALL("open", NULL, device_open, device_close),
	DEVICE_CALL("attach-read", setup_file, attach_read, detach),
	DEVICE_CALL("attach-ring", setup_file, attach_ring, detach),
	DEVICE_QUIET("ioctl-close", setup_reader, hang_up, hang_up_undo),
	DEVICE_QUIET("ioctl-stats", setup_ring, reader_stats, NULL),
	DEVICE_QUIET("ioctl-ring", setup_ring, ring_info, NULL),
	DEVICE_QUIET("ioctl-kick", setup_ring, kick, NULL),
	DEVICE_CALL("mmap-ring", setup_ring, map_ring, unmap),
	DEVICE_CALL("mmap-buffers", setup_ring, map_buffers, unmap),
	DEVICE_QUIET("read", setup_message, read_message, next_message),
	DEVICE_CALL("write", setup_reader, write_message, restart_reader),
	{}
};
