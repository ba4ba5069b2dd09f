/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * Programs that receive from a pool: libsrqpool's C interface.
 *
 * Documentation/library.rst explains it. What fails returns a negative errno.
 * One thread at a time may use a reader; different threads may use different
 * ones. After fork() the child must not use its parent's, not even close it.
 */
#ifndef SRQPOOL_SRQPOOL_H
#define SRQPOOL_SRQPOOL_H

#include <stddef.h>
#include <stdint.h>
#include <sys/select.h> /* sigset_t, in strict C99 too */

#include "linux/srqpool.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A program's open end of a pool. */
struct srqpool_reader;

/** How messages come. */
enum srqpool_reader_mode {
    SRQPOOL_READER_RING, /**< in place, by rings that are shared with the kernel */
    SRQPOOL_READER_READ, /**< copied, by read() */
};

/** How srqpool_reader_wait() waits. */
enum srqpool_reader_waiting {
    SRQPOOL_READER_EVENT,  /**< sleeps */
    SRQPOOL_READER_BUSY,   /**< never sleeps */
    SRQPOOL_READER_HYBRID, /**< stays awake for spin_us, then sleeps */
};

/**
 * How to open a reader. Fields are only ever added at the end; 0 is the default of each.
 *
 * @size: sizeof(struct srqpool_reader_options)
 * @mode: enum srqpool_reader_mode
 * @waiting: enum srqpool_reader_waiting
 * @entries: of each ring, a power of two, SRQPOOL_RING_MIN to SRQPOOL_RING_MAX: so many messages
 *     can be with the program; 0 is 1024. Only 0 with SRQPOOL_READER_READ
 * @spin_us: microseconds, for SRQPOOL_READER_HYBRID; 0 is 50
 */
struct srqpool_reader_options {
    size_t size;
    uint32_t mode;
    uint32_t waiting;
    uint32_t entries;
    uint32_t spin_us;
};

/**
 * Something that happened.
 *
 * @record: what; see struct srqpool_record. Its type is SRQPOOL_RECORD_MESSAGE, _UP, _DOWN or
 *     _WRITABLE
 * @data: of a message: its record.len bytes, valid until the message is given back; else NULL
 * @message: of a message: what to give back or reply to; else 0
 */
struct srqpool_event {
    struct srqpool_record record;
    const void *data;
    uint64_t message;
};

/**
 * Becomes a reader of a pool.
 *
 * @pool: its name
 * @options: NULL for the defaults: SRQPOOL_READER_RING, SRQPOOL_READER_EVENT
 * @reader: set when 0 is returned
 *
 * -ENXIO: there is no /dev/srqpool: the module is not loaded; -EACCES, -EPERM: it must not be
 * opened; -ENOENT: no such pool; -ENODEV: the pool is not on its device; -EINVAL: an option;
 * -E2BIG: an option that this library does not know; -EPROTO: the module's rings are not what this
 * library knows; -ENOMEM; what open(), ioctl() and mmap() say else.
 */
int srqpool_reader_open(const char *pool, const struct srqpool_reader_options *options,
                        struct srqpool_reader **reader);

/** Gives back every message, closes the connections, and frees the reader. NULL is allowed. */
void srqpool_reader_close(struct srqpool_reader *reader);

/**
 * The open file, for poll() or epoll; to be read, written, mapped or closed by the library only.
 * It tells POLLIN when there is something. Wait on it only after srqpool_reader_next() returned
 * -EAGAIN, and srqpool_reader_flush() was called if messages were given back since.
 */
int srqpool_reader_fd(const struct srqpool_reader *reader);

/**
 * The next event. Events of a connection come in order. Does not wait.
 *
 * -EAGAIN: there is none now; -ENODEV: the pool is gone, for ever, and so are the bytes of all
 * messages in ring mode: touching them raises SIGBUS; -ENOMEM: try again when messages were given
 * back; nothing is lost.
 */
int srqpool_reader_next(struct srqpool_reader *reader, struct srqpool_event *event);

/**
 * Waits until there is an event, as the reader's option says.
 *
 * @timeout_ms: milliseconds, 0 not to wait, -1 for ever
 * @mask: the thread's signals while it waits, as for ppoll(), or NULL
 *
 * 0: there is something; -ETIMEDOUT; -EINTR: a signal came; -ENODEV: see srqpool_reader_next().
 * A signal while it spins is noticed only if it is blocked outside, and not in @mask.
 */
int srqpool_reader_wait(struct srqpool_reader *reader, int timeout_ms, const sigset_t *mask);

/**
 * Gives back a message, whose bytes are then no longer the program's.
 *
 * In ring mode the pool has it when srqpool_reader_next() finds nothing, after 32 of a ring, or
 * after srqpool_reader_flush(). -EINVAL: the program does not have this message.
 */
int srqpool_reader_give_back(struct srqpool_reader *reader, uint64_t message);

/**
 * Sends the first bytes of a message back to where it came from, with immediate data if it came
 * with some, and gives it back.
 *
 * @len: bytes, at most the message's
 *
 * Ring mode: without a copy, in order with other replies to the connection, but not with
 * srqpool_reader_send(); one to a connection that is gone is dropped. Read mode: as
 * srqpool_reader_send(). -EINVAL: the program does not have this message, or @len is larger. If it
 * fails the program still has the message.
 */
int srqpool_reader_reply(struct srqpool_reader *reader, uint64_t message, size_t len);

/**
 * Sends a message, which is copied. Does not wait for the peer.
 *
 * @conn: id of the connection
 * @data: @len bytes
 * @imm: immediate data, as it goes out, or NULL
 *
 * -EAGAIN: no room; an event SRQPOOL_RECORD_WRITABLE tells when to try again; -EMSGSIZE: larger
 * than the connection allows; -ENOTCONN: there is no such connection, or it is closed; -ENOBUFS:
 * the pool has nothing to copy to; -ENODEV: the pool is gone.
 */
int srqpool_reader_send(struct srqpool_reader *reader, uint64_t conn, const void *data, size_t len,
                        const uint32_t *imm);

/** Closes a connection; an event SRQPOOL_RECORD_DOWN follows. -ENOTCONN: it is closed. */
int srqpool_reader_hang_up(struct srqpool_reader *reader, uint64_t conn);

/** Reads what the reader did; see struct srqpool_reader_stats. */
int srqpool_reader_get_stats(struct srqpool_reader *reader, struct srqpool_reader_stats *stats);

/** Hands the pool at once what was given back, and replies. -ENODEV: the pool is gone. */
int srqpool_reader_flush(struct srqpool_reader *reader);

#ifdef __cplusplus
}
#endif

#endif
