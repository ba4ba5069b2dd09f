// SPDX-License-Identifier: GPL-2.0
/*
 * Programs that misuse /dev/srqpool: threads that share a few files of it, and do with them, and
 * with what they map, whatever comes to their minds.
 *
 *   device SEED SECONDS THREADS POOL
 *
 * Prints how often each call was made, and how often it succeeded. A call that the kernel refuses
 * is no failure; one that does not return is, and ends it by SIGALRM.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/srqpool.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "random.h"

#define FILES		6
#define THREADS_MAX	16
#define CONNS		4
#define RINGS		4
/* Each mapping has a place of its own, so that a stray store hits nothing else. */
#define PLACES		(RINGS + 1)
#define PLACE_BYTES	(4UL << 20)
#define BUFFER_BYTES	(64 * 1024)
/* More than the last of the calls takes on the debug kernel. */
#define END_SECONDS	200

static struct file {
	int fd;
	int reads;		/* mostly */
	char *places;
	struct srqpool_ring_info info;
	uint64_t conns[CONNS];
} files[FILES];

static const char *pool;
static int over;

struct thread {
	struct rng rng;
	pthread_t id;
	char *buffer;
};

static __thread struct thread *self;
static __thread sigjmp_buf fault;
static __thread sig_atomic_t may_fault;

struct call {
	const char *name;
	int (*make)(struct file *f);
	unsigned int weight;
	unsigned long made, done;
};

static uint32_t below(uint32_t n)
{
	return rng_below(&self->rng, n);
}

static uint64_t number(void)
{
	return rng_number(&self->rng);
}

static int once_in(uint32_t n)
{
	return rng_once_in(&self->rng, n);
}

static char *place(const struct file *f, unsigned int n)
{
	return f->places + n * PLACE_BYTES;
}

static struct srqpool_ring *any_ring(const struct file *f)
{
	return (struct srqpool_ring *)place(f, below(RINGS));
}

/* Mostly memory; or none, or what cannot be written, or shared with the kernel. */
static void *any_memory(const struct file *f)
{
	switch (below(10)) {
	case 0:
		return NULL;
	case 1:
		return (void *)(uintptr_t)number();
	case 2:
		return any_ring(f);
	case 3:
		return place(f, RINGS);
	case 4:
		return self->buffer + BUFFER_BYTES - below(64);
	default:
		return self->buffer;
	}
}

static uint64_t any_conn(const struct file *f)
{
	return once_in(8) ? number() : __atomic_load_n(&f->conns[below(CONNS)], __ATOMIC_RELAXED);
}

static void note_conn(struct file *f, uint64_t conn)
{
	__atomic_store_n(&f->conns[below(CONNS)], conn, __ATOMIC_RELAXED);
}

/*
 * Calls; 0: it was done
 */

static int call_close(struct file *f)
{
	int old = __atomic_exchange_n(&f->fd, -1, __ATOMIC_SEQ_CST);

	return close(old);
}

static int call_attach(struct file *f)
{
	static const uint32_t entries[] = { 8, 8, 16, 64, 256, 1024, 32768 };
	struct srqpool_attach attach = {};

	if (once_in(16))
		rng_bytes(&self->rng, attach.pool, below(sizeof(attach.pool) + 1));
	else
		strncpy(attach.pool, pool, sizeof(attach.pool) - 1);
	if (f->reads ? once_in(8) : !once_in(8)) {
		attach.flags = SRQPOOL_ATTACH_RING;
		attach.entries = entries[below(sizeof(entries) / sizeof(entries[0]))];
	}
	if (once_in(16))
		attach.flags = number();
	if (once_in(16))
		attach.entries = number();
	return ioctl(f->fd, SRQPOOL_IOC_ATTACH, &attach);
}

static int call_ring(struct file *f)
{
	return ioctl(f->fd, SRQPOOL_IOC_RING, once_in(8) ? any_memory(f) : &f->info);
}

static int map(char *at, size_t len, int prot, int fd, uint64_t offset)
{
	int flags = MAP_FIXED | (once_in(16) ? MAP_PRIVATE : MAP_SHARED);

	return mmap(at, len, prot, flags, fd, offset) == MAP_FAILED;
}

/* The right size at the right place, or any. */
static int map_ring(struct file *f, unsigned int n)
{
	uint64_t offset = SRQPOOL_MMAP_RING(n);
	size_t len = f->info.ring_bytes;

	if (once_in(8))
		offset = number() & ~4095ULL;
	if (once_in(8))
		len = number() % PLACE_BYTES;
	if (!len || len > PLACE_BYTES)
		len = 4096;
	return map(place(f, n), len, below(8) ?: PROT_READ | PROT_WRITE, f->fd, offset);
}

static int call_map_ring(struct file *f)
{
	return map_ring(f, below(RINGS));
}

static int call_map_buffers(struct file *f)
{
	uint64_t offset = once_in(4) ? (uint64_t)below(64) << 12 : 0;

	if (once_in(8))
		offset = (SRQPOOL_MMAP_BUFFERS_END - number() % PLACE_BYTES) & ~4095ULL;
	return map(place(f, RINGS), PLACE_BYTES, once_in(8) ? below(8) : PROT_READ, f->fd, offset);
}

/* A file that is attached and mapped as it should be, mostly. */
static int call_open(struct file *f)
{
	int fd = open(SRQPOOL_DEVICE, once_in(16) ? (int)below(3) : O_RDWR | O_NONBLOCK);
	int old, ret = 0;
	unsigned int n;

	if (fd < 0)
		return -1;
	old = __atomic_exchange_n(&f->fd, fd, __ATOMIC_SEQ_CST);
	if (old >= 0)
		close(old);
	if (once_in(8))
		return 0;
	ret = call_attach(f);
	if (ret || f->reads)
		return ret;
	ret = call_ring(f);
	for (n = 0; n < RINGS && n < f->info.rings && !ret; n++)
		ret = map_ring(f, n);
	return ret ?: call_map_buffers(f);
}

/* Its place stays taken. */
static int call_unmap(struct file *f)
{
	char *at = place(f, below(PLACES)) + (once_in(2) ? 0 : below(16) * 4096);
	size_t len = once_in(2) ? 4096 : PLACE_BYTES - 16 * 4096;

	return mmap(at, len, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != at;
}

static int call_advise(struct file *f)
{
	static const int advice[] = { MADV_DONTNEED, MADV_WILLNEED, MADV_REMOVE, MADV_DOFORK,
				      MADV_DONTFORK, MADV_PAGEOUT, MADV_POPULATE_READ, MADV_FREE };
	char *at = place(f, below(PLACES));

	if (once_in(4))
		return mprotect(at, 4096, below(8));
	if (once_in(4))
		return msync(at, 4096, MS_SYNC);
	if (once_in(4))
		return mlock(at, 4096) ?: munlock(at, 4096);
	return madvise(at, 4096 << below(8), advice[below(sizeof(advice) / sizeof(advice[0]))]);
}

/* A word, a bit of one, or one more or less than it was. */
static void spoil(uint32_t *word)
{
	switch (below(4)) {
	case 0:
		__atomic_store_n(word, number(), __ATOMIC_RELEASE);
		break;
	case 1:
		__atomic_fetch_xor(word, 1U << below(32), __ATOMIC_SEQ_CST);
		break;
	default:
		__atomic_fetch_add(word, (int)below(5) - 2, __ATOMIC_SEQ_CST);
	}
}

static int call_spoil_head(struct file *f)
{
	struct srqpool_ring *ring = any_ring(f);
	uint32_t * const words[] = { &ring->desc_head, &ring->flags, &ring->desc_tail,
				     &ring->return_head, &ring->return_tail };

	spoil(once_in(4) ? (uint32_t *)ring + below(sizeof(*ring) / 4) : words[below(5)]);
	return 0;
}

/* Anywhere in the ring: most of it is returns and descriptors. */
static int call_spoil_any(struct file *f)
{
	struct srqpool_ring *ring = any_ring(f);
	size_t bytes = f->info.ring_bytes < PLACE_BYTES ? f->info.ring_bytes : PLACE_BYTES;

	if (bytes < sizeof(*ring))
		bytes = sizeof(*ring);
	spoil((uint32_t *)ring + below(bytes / 4));
	return 0;
}

/* As a program would: it takes what there is and returns it, well or badly. */
static int call_serve(struct file *f)
{
	struct srqpool_ring *ring = any_ring(f);
	uint32_t mask = f->info.entries - 1, n = below(64), tail = ring->desc_tail;
	struct srqpool_desc *desc, *descs = (void *)((char *)ring + SRQPOOL_RING_DESCS);
	struct srqpool_return *ret, *returns;

	if (mask > SRQPOOL_RING_MAX)
		return -1;
	returns = (void *)((char *)ring + SRQPOOL_RING_RETURNS(mask + 1));
	while (n-- && tail != __atomic_load_n(&ring->desc_head, __ATOMIC_ACQUIRE)) {
		desc = &descs[tail++ & mask];
		note_conn(f, desc->record.conn);
		ret = &returns[ring->return_head & mask];
		*ret = (struct srqpool_return) { .index = desc->index };
		if (once_in(2)) {
			ret->flags = SRQPOOL_RETURN_SEND;
			ret->len = once_in(8) ? number() : desc->record.len;
		}
		if (once_in(16))
			spoil((uint32_t *)ret + below(4));
		__atomic_fetch_add(&ring->return_head, 1, __ATOMIC_RELEASE);
		__atomic_store_n(&ring->desc_tail, tail, __ATOMIC_RELEASE);
	}
	return ioctl(f->fd, SRQPOOL_IOC_KICK, ((char *)ring - f->places) / PLACE_BYTES);
}

/* All that a call tells of a buffer can be read: the last byte too. */
static int call_look(struct file *f)
{
	const char *at = place(f, RINGS) + below(PLACE_BYTES);
	static char sum;

	sum ^= *at;
	return 0;
}

static int call_ioctl(struct file *f)
{
	static const unsigned long numbers[] = {
		SRQPOOL_IOC_ATTACH, SRQPOOL_IOC_CLOSE, SRQPOOL_IOC_STATS, SRQPOOL_IOC_RING,
		SRQPOOL_IOC_KICK,
	};

	if (once_in(8))
		return ioctl(f->fd, _IOC(below(4), SRQPOOL_IOC_MAGIC, below(8), below(128)),
			     any_memory(f));
	if (once_in(2))
		return ioctl(f->fd, SRQPOOL_IOC_KICK, once_in(8) ? number() : below(RINGS));
	return ioctl(f->fd, numbers[below(5)], any_memory(f));
}

static int call_hang_up(struct file *f)
{
	uint64_t conn = any_conn(f);

	return ioctl(f->fd, SRQPOOL_IOC_CLOSE, &conn);
}

static int call_read(struct file *f)
{
	struct srqpool_record *record = (struct srqpool_record *)self->buffer;
	ssize_t done = read(f->fd, once_in(8) ? any_memory(f) : record,
			    once_in(16) ? number() : BUFFER_BYTES);

	if (done >= (ssize_t)sizeof(*record))
		note_conn(f, record->conn);
	return done < 0;
}

static int call_write(struct file *f)
{
	struct srqpool_send *send = (struct srqpool_send *)self->buffer;
	size_t len = once_in(4) ? number() % (2 * BUFFER_BYTES) : below(5000);

	*send = (struct srqpool_send) { .conn = any_conn(f) };
	if (once_in(4))
		rng_bytes(&self->rng, send, sizeof(*send));
	return write(f->fd, once_in(16) ? any_memory(f) : send, len) < 0;
}

static int call_vectors(struct file *f)
{
	struct srqpool_send send = { .conn = any_conn(f) };
	struct iovec iov[8];
	unsigned int i;

	for (i = 0; i < 8; i++)
		iov[i] = (struct iovec) { any_memory(f), once_in(4) ? number() : below(4096) };
	if (once_in(2))
		return readv(f->fd, iov, below(9)) < 0;
	iov[0] = (struct iovec) { &send, once_in(8) ? below(16) : 16 };
	return writev(f->fd, iov, below(9)) < 0;
}

static int call_poll(struct file *f)
{
	struct pollfd pfd = { .fd = f->fd, .events = number() };

	return poll(&pfd, 1, below(3)) < 0;
}

static int call_odd(struct file *f)
{
	switch (below(5)) {
	case 0:
		return lseek(f->fd, number(), below(3)) < 0;
	case 1:
		return pread(f->fd, self->buffer, 100, number()) < 0;
	case 2:
		return ftruncate(f->fd, number()) < 0;
	case 3:
		return splice(f->fd, NULL, f->fd, NULL, number() % 65536, 1) < 0;
	default:
		return fsync(f->fd);
	}
}

/* The child has the files, and no mapping. */
static int call_fork(struct file *f)
{
	int status;
	pid_t child = fork();

	if (child < 0)
		return -1;
	if (!child) {
		signal(SIGSEGV, SIG_DFL);
		signal(SIGBUS, SIG_DFL);
		ioctl(f->fd, SRQPOOL_IOC_KICK, 0);
		call_read(f);
		call_map_ring(f);
		if (once_in(2))
			call_spoil_head(f);
		_exit(0);
	}
	return waitpid(child, &status, 0) != child;
}

static struct call calls[] = {
	{ "open", call_open, 6 },
	{ "close", call_close, 1 },
	{ "attach", call_attach, 3 },
	{ "ring", call_ring, 8 },
	{ "map ring", call_map_ring, 6 },
	{ "map buffers", call_map_buffers, 4 },
	{ "unmap", call_unmap, 1 },
	{ "advise", call_advise, 2 },
	{ "spoil head", call_spoil_head, 60 },
	{ "spoil any", call_spoil_any, 60 },
	{ "serve", call_serve, 200 },
	{ "look", call_look, 20 },
	{ "ioctl", call_ioctl, 20 },
	{ "hang up", call_hang_up, 2 },
	{ "read", call_read, 200 },
	{ "write", call_write, 40 },
	{ "vectors", call_vectors, 10 },
	{ "poll", call_poll, 10 },
	{ "odd", call_odd, 2 },
	{ "fork", call_fork, 1 },
};

#define NR_CALLS	(sizeof(calls) / sizeof(calls[0]))

static void on_fault(int number)
{
	if (!may_fault)
		abort();
	siglongjmp(fault, 1);
}

static void on_wake(int number)
{
}

static struct call *any_call(void)
{
	unsigned int sum = 0, i;
	uint32_t at;

	for (i = 0; i < NR_CALLS; i++)
		sum += calls[i].weight;
	at = below(sum);
	for (i = 0; at >= calls[i].weight; i++)
		at -= calls[i].weight;
	return &calls[i];
}

static void make_call(struct call *c, struct file *f)
{
	__atomic_fetch_add(&c->made, 1, __ATOMIC_RELAXED);
	if (!sigsetjmp(fault, 1)) {
		may_fault = 1;
		if (!c->make(f))
			__atomic_fetch_add(&c->done, 1, __ATOMIC_RELAXED);
	}
	may_fault = 0;
}

static void *run(void *arg)
{
	self = arg;
	while (!__atomic_load_n(&over, __ATOMIC_RELAXED))
		make_call(any_call(), &files[below(FILES)]);
	return NULL;
}

static void die(const char *what)
{
	perror(what);
	exit(1);
}

static void *memory(size_t bytes, int prot)
{
	void *at = mmap(NULL, bytes, prot, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (at == MAP_FAILED)
		die("memory");
	return at;
}

static void on(int number, void (*handler)(int number))
{
	struct sigaction action = { .sa_handler = handler };

	if (sigaction(number, &action, NULL))
		die("sigaction");
}

/* Who sleeps in a call is woken. */
static void stay(struct thread *threads, int nr, int seconds)
{
	int i;

	while (seconds--) {
		sleep(1);
		for (i = 0; i < nr; i++)
			pthread_kill(threads[i].id, SIGUSR1);
	}
	__atomic_store_n(&over, 1, __ATOMIC_RELAXED);
}

/* Until he has heard. */
static void join(struct thread *t)
{
	const struct timespec soon = { .tv_nsec = 50000000 };

	while (pthread_tryjoin_np(t->id, NULL)) {
		pthread_kill(t->id, SIGUSR1);
		nanosleep(&soon, NULL);
	}
}

static void show_sums(void)
{
	unsigned int i;

	printf("#");
	for (i = 0; i < NR_CALLS; i++)
		printf(" %s %lu/%lu%s", calls[i].name, calls[i].done, calls[i].made,
		       i + 1 < NR_CALLS ? "," : "\n");
}

int main(int argc, char **argv)
{
	static struct thread threads[THREADS_MAX];
	unsigned long long seed;
	int seconds, nr, i;

	if (argc != 5)
		return 2;
	seed = strtoull(argv[1], NULL, 0);
	seconds = atoi(argv[2]);
	nr = atoi(argv[3]);
	pool = argv[4];
	if (nr < 1 || nr > THREADS_MAX)
		return 2;
	printf("# seed %llu\n", seed);
	fflush(stdout);
	on(SIGSEGV, on_fault);
	on(SIGBUS, on_fault);
	on(SIGUSR1, on_wake);
	for (i = 0; i < FILES; i++)
		files[i] = (struct file) { .fd = -1, .reads = i % 2,
					   .places = memory(PLACES * PLACE_BYTES, PROT_NONE) };
	for (i = 0; i < nr; i++) {
		rng_seed(&threads[i].rng, seed + i);
		/* It ends where nothing is. */
		threads[i].buffer = memory(BUFFER_BYTES + 4096, PROT_READ | PROT_WRITE);
		mprotect(threads[i].buffer + BUFFER_BYTES, 4096, PROT_NONE);
		if (pthread_create(&threads[i].id, NULL, run, &threads[i]))
			die("a thread");
	}
	stay(threads, nr, seconds);
	alarm(END_SECONDS);
	for (i = 0; i < nr; i++)
		join(&threads[i]);
	show_sums();
	return 0;
}
