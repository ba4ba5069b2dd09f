// SPDX-License-Identifier: GPL-2.0
#include <linux/mm.h>
#include "delivery.h"
#include "records.h"
#include "writes.h"

/* Messages written to a connection that are not sent. */
#define CONN_WRITES	64

/**
 * struct written - a message on its way from the program
 * @rc: where it goes, referenced
 * @sends: where @buf is from
 * @buf: in use until the reader is dead
 * @data: its memory
 * @page: that of it, referenced: the buffer may be gone meanwhile
 * @head: what the program gave first
 * @len: bytes of the message
 */
struct written {
	struct reader_conn *rc;
	struct sends *sends;
	struct srqpool_buf *buf;
	void *data;
	struct page *page;
	struct srqpool_send head;
	u32 len;
};

/*
 * No more than what it leaves for others: so N peers that take nothing leave
 * one part in N + 1 of the memory.
 */
static bool is_full(const struct reader_conn *rc)
{
	const struct sends *sends = &rc->reader->sends[rc->class];

	return rc->nr_sends >= min_t(u32, CONN_WRITES, sends_left(sends)) &&
	       rc->nr_sends;
}

/* As many as can be of those that wait for memory can be written to now. */
static void feed(struct list_head *hungry, u32 n)
{
	struct reader_conn *rc, *next;

	list_for_each_entry_safe(rc, next, hungry, hungry) {
		if (!n--)
			break;
		list_del_init(&rc->hungry);
		records_tell(rc, SRQPOOL_RECORD_WRITABLE);
	}
}

static void feed_all(struct srqpool_reader *reader)
{
	u32 i;

	for (i = 0; i < SRQPOOL_CLASSES_MAX; i++)
		feed(&reader->hungry[i], U32_MAX);
}

static void has_memory(struct srqpool_reader *reader, u32 class)
{
	feed(&reader->hungry[class], reader->sends[class].nr_free);
}

/* When nothing is under way, nothing will tell those that wait. */
static void unbusy(struct srqpool_reader *reader, u32 class)
{
	has_memory(reader, class);
	if (--reader->nr_sends)
		return;
	feed_all(reader);
	wake_up_all(&reader->idle);
}

/* Context: the shard's poller. */
static void sent(struct srqpool_buf *buf)
{
	struct reader_conn *rc = buf->msg.conn->context;
	struct srqpool_reader *reader = rc->reader;

	spin_lock(&reader->lock);
	buffer_from_device(buf);
	sends_put(&reader->sends[rc->class], buf);
	rc->nr_sends--;
	if (rc->full && rc->open && !is_full(rc)) {
		rc->full = false;
		records_tell(rc, SRQPOOL_RECORD_WRITABLE);
	}
	unbusy(reader, rc->class);
	spin_unlock(&reader->lock);
	reader_conn_put(rc);
}

static int check(const struct reader_conn *rc, const struct written *w)
{
	if (!rc || !rc->open || !rc->known)
		return -ENOTCONN;
	/* The CQ has no room for sends that own no buffer. */
	if (!rc->conn->shard->max_credits)
		return -ENOBUFS;
	return w->len > rc->max_send ? -EMSGSIZE : 0;
}

/* Finds the connection and a buffer, if there is one free. */
static int find(struct srqpool_reader *reader, struct written *w)
{
	struct reader_conn *rc = xa_load(&reader->conns, w->head.conn);
	int ret;

	if (reader->dead)
		return -ENODEV;
	ret = check(rc, w);
	if (ret)
		return ret;
	w->rc = rc;
	w->sends = &reader->sends[rc->class];
	if (is_full(rc)) {
		rc->full = true;
		return -EAGAIN;
	}
	w->buf = sends_take(w->sends);
	if (!w->buf)
		return 0;
	kref_get(&rc->ref);
	w->data = w->buf->data;
	w->page = virt_to_page(w->data);
	get_page(w->page);
	return 0;
}

/* It is told when one of those that are being sent is back. */
static int be_hungry(struct srqpool_reader *reader, struct reader_conn *rc)
{
	if (!reader->nr_sends)
		return -ENOBUFS;
	if (list_empty(&rc->hungry))
		list_add_tail(&rc->hungry, &reader->hungry[rc->class]);
	return -EAGAIN;
}

/* Counted as a send, so that the pool stays on its device. */
static bool grow(struct srqpool_reader *reader, struct sends *sends)
{
	struct srqpool_slab *slab = sends_more(sends);

	spin_lock(&reader->lock);
	sends->growing = false;
	if (!IS_ERR(slab))
		sends_add(sends, slab);
	unbusy(reader, sends - reader->sends);
	spin_unlock(&reader->lock);
	return !IS_ERR(slab);
}

static bool can_grow(const struct sends *sends)
{
	return !sends->growing && sends->total < sends->max;
}

static int reserve(struct srqpool_reader *reader, struct written *w)
{
	bool tried = false;
	int ret;

	for (;;) {
		spin_lock(&reader->lock);
		ret = find(reader, w);
		if (!ret && !w->buf) {
			if (!tried && can_grow(w->sends)) {
				w->sends->growing = true;
				reader->nr_sends++;
			} else {
				ret = be_hungry(reader, w->rc);
			}
		}
		spin_unlock(&reader->lock);
		if (ret || w->buf)
			return ret;
		tried = !grow(reader, w->sends);
	}
}

static void submit(struct srqpool_reader *reader, struct written *w)
{
	struct srqpool_conn *conn = w->rc->conn;
	struct srqpool_buf *buf = w->buf;

	buf->msg.conn = conn;
	buf->msg.len = w->len;
	buf->msg.flags = 0;
	if (w->head.flags & SRQPOOL_SEND_IMM) {
		buf->msg.flags = SRQPOOL_MSG_IMM;
		buf->msg.imm = w->head.imm;
	}
	buf->sge.length = w->len;
	buf->sent = sent;
	buffer_to_device(conn->inst->dev->ibdev, buf);
	w->rc->nr_sends++;
	reader->nr_sends++;
	reader->stats.sent++;
	shard_put(conn->shard, SHARD_OUTGOING, &buf->box);
}

static int finish(struct srqpool_reader *reader, struct written *w, int ret)
{
	spin_lock(&reader->lock);
	if (reader->dead) {
		ret = -ENODEV;
	} else {
		if (!ret && !w->rc->open)
			ret = -ENOTCONN;
		if (ret) {
			sends_put(w->sends, w->buf);
			has_memory(reader, w->rc->class);
		} else {
			submit(reader, w);
		}
	}
	spin_unlock(&reader->lock);
	put_page(w->page);
	if (ret)
		reader_conn_put(w->rc);
	return ret;
}

static int read_head(struct iov_iter *from, struct written *w)
{
	if (!copy_from_iter_full(&w->head, sizeof(w->head), from))
		return -EFAULT;
	return w->head.flags & ~SRQPOOL_SEND_IMM ? -EINVAL : 0;
}

/**
 * writes_send - send what a program writes
 * @reader: the reader
 * @from: struct srqpool_send, then the message
 *
 * Context: process, sleeps for memory only.
 *
 * Return: all bytes; -EINVAL without a head or with unknown flags; -ENOTCONN if
 * the connection is not the reader's, or closed; -EMSGSIZE if the message is
 * larger than its peer takes; -EAGAIN without room: the reader will be told
 * when there is; -ENOBUFS if budget or CQ have no room at all; -ENODEV when the
 * pool is gone; -EFAULT.
 */
ssize_t writes_send(struct srqpool_reader *reader, struct iov_iter *from)
{
	size_t all = iov_iter_count(from);
	struct written w = {};
	int ret;

	if (all < sizeof(w.head))
		return -EINVAL;
	w.len = min_t(size_t, all - sizeof(w.head), U32_MAX);
	ret = read_head(from, &w) ?: reserve(reader, &w);
	if (ret)
		return ret;
	ret = copy_from_iter_full(w.data, w.len, from) ? 0 : -EFAULT;
	ret = finish(reader, &w, ret);
	return ret ?: all;
}
