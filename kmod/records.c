// SPDX-License-Identifier: GPL-2.0
#include <linux/ktime.h>
#include <linux/mm.h>
#include <linux/poll.h>
#include "records.h"

/*
 * Per connection: that it is up, its messages, that it is down. Connections
 * with something to tell take turns, so that one cannot keep others waiting.
 */

/* Is there something to be told of a connection? */
bool records_any(const struct reader_conn *rc)
{
	return rc->tell || !list_empty(&rc->msgs);
}

/* It gets its turn again; under the reader's lock. */
void records_unpark(struct reader_conn *rc)
{
	rc->parked = false;
	list_move_tail(&rc->ready, &rc->outlet->ready);
}

static void be_ready(struct reader_conn *rc)
{
	lockdep_assert_held(&rc->reader->lock);
	if (rc->taken)
		return;
	if (rc->parked)
		records_unpark(rc);
	if (!list_empty(&rc->ready))
		return;
	list_add_tail(&rc->ready, &rc->outlet->ready);
	rc->outlet->flow(rc->outlet);
}

/* By read(). */
static void flow(struct outlet *outlet)
{
	struct srqpool_reader *reader = container_of(outlet,
						     struct srqpool_reader,
						     outlet);

	if (wq_has_sleeper(&reader->wait))
		wake_up_interruptible_poll(&reader->wait, EPOLLIN | EPOLLRDNORM);
}

/* Before a reader gets connections: it is told by read(). */
void records_init(struct srqpool_reader *reader)
{
	INIT_LIST_HEAD(&reader->outlet.ready);
	reader->outlet.flow = flow;
	INIT_LIST_HEAD(&reader->copying);
}

/* A message can overtake the news that its connection is established. */
static void be_known(struct reader_conn *rc)
{
	if (rc->known)
		return;
	rc->known = true;
	rc->tell |= BIT(SRQPOOL_RECORD_UP);
}

/**
 * records_message - a message is to be told
 * @rc: its connection, not closed
 * @msg: the reader's from now on
 *
 * Context: the shard's poller.
 */
void records_message(struct reader_conn *rc, struct srqpool_msg *msg)
{
	struct srqpool_reader *reader = rc->reader;

	spin_lock(&reader->lock);
	if (reader->dead) {
		spin_unlock(&reader->lock);
		srqpool_give_back(msg);
		return;
	}
	be_known(rc);
	list_add_tail(&msg->list, &rc->msgs);
	be_ready(rc);
	spin_unlock(&reader->lock);
}

/**
 * records_up - that a connection is established is to be told
 * @rc: the connection
 *
 * Context: process.
 */
void records_up(struct reader_conn *rc)
{
	struct srqpool_reader *reader = rc->reader;

	spin_lock(&reader->lock);
	if (!reader->dead && !rc->known) {
		be_known(rc);
		be_ready(rc);
	}
	spin_unlock(&reader->lock);
}

/**
 * records_tell - something else is to be told
 * @rc: the connection
 * @what: that it is down or can be written to; not told of one nobody knows
 *
 * Context: any, under the reader's lock.
 */
void records_tell(struct reader_conn *rc, enum srqpool_record_type what)
{
	lockdep_assert_held(&rc->reader->lock);
	if (rc->reader->dead)
		return;
	if (!rc->known)
		return;
	rc->tell |= BIT(what);
	be_ready(rc);
}

/* Gives messages back that nobody reads any more. */
void records_drop(struct list_head *msgs)
{
	struct srqpool_msg *msg, *next;

	list_for_each_entry_safe(msg, next, msgs, list) {
		list_del(&msg->list);
		srqpool_give_back(msg);
	}
}

/**
 * struct record - on its way to the program
 * @rc: its connection, referenced
 * @head: what the program gets first
 * @msg: the message, on the reader's list of copying; or NULL
 * @data: its bytes
 * @page: their memory, referenced: the message may be gone meanwhile
 */
struct record {
	struct reader_conn *rc;
	struct srqpool_record head;
	struct srqpool_msg *msg;
	const void *data;
	struct page *page;
};

/**
 * records_next_type - what is to be told next
 * @rc: the connection
 * @messages: it may be a message
 *
 * Context: any, under the reader's lock.
 *
 * Return: enum srqpool_record_type, or -ENOENT.
 */
int records_next_type(const struct reader_conn *rc, bool messages)
{
	if (rc->tell & BIT(SRQPOOL_RECORD_UP))
		return SRQPOOL_RECORD_UP;
	if (messages && !list_empty(&rc->msgs))
		return SRQPOOL_RECORD_MESSAGE;
	if (rc->tell & BIT(SRQPOOL_RECORD_WRITABLE))
		return SRQPOOL_RECORD_WRITABLE;
	if (rc->tell & BIT(SRQPOOL_RECORD_DOWN) && list_empty(&rc->msgs))
		return SRQPOOL_RECORD_DOWN;
	return -ENOENT;
}

static void describe(struct srqpool_record *head, const struct srqpool_msg *msg)
{
	head->len = msg->len;
	if (msg->flags & SRQPOOL_MSG_IMM) {
		head->flags = SRQPOOL_RECORD_IMM;
		head->imm = msg->imm;
	}
}

/**
 * records_next - what is to be told next, without taking it
 * @rc: has something to tell
 * @messages: it may be a message
 * @head: zeroed; out, the record
 *
 * Context: any, under the reader's lock.
 *
 * Return: the message, if it is one.
 */
struct srqpool_msg *records_next(struct reader_conn *rc, bool messages,
				 struct srqpool_record *head)
{
	struct srqpool_msg *msg = NULL;
	ktime_t when;

	head->conn = rc->number;
	head->type = records_next_type(rc, messages);
	head->class_index = rc->class;
	if (head->type == SRQPOOL_RECORD_MESSAGE) {
		msg = list_first_entry(&rc->msgs, struct srqpool_msg, list);
		describe(head, msg);
	}
	when = msg ? ns_to_ktime(msg->time_ns) : ktime_get();
	head->time_ns = ktime_to_ns(ktime_mono_to_real(when));
	return msg;
}

/* It is the program's from now on, unless that turns out to be impossible. */
static void take(struct srqpool_reader *reader, struct record *rec)
{
	struct reader_conn *rc = rec->rc;

	kref_get(&rc->ref);
	rc->taken = true;
	list_del_init(&rc->ready);
	if (rec->msg) {
		rec->data = srqpool_data(rec->msg, rec->head.len);
		rec->page = virt_to_page(rec->data);
		get_page(rec->page);
		list_move_tail(&rec->msg->list, &reader->copying);
	} else {
		rc->tell &= ~BIT(rec->head.type);
	}
}

/* Whose turn it is; -EAGAIN if nothing is to be told. */
static int take_next(struct srqpool_reader *reader, struct record *rec,
		     size_t room)
{
	struct reader_conn *rc;
	int ret = 0;

	spin_lock(&reader->lock);
	rc = list_first_entry_or_null(&reader->outlet.ready, struct reader_conn,
				      ready);
	if (reader->dead) {
		ret = -ENODEV;
	} else if (!rc) {
		ret = -EAGAIN;
	} else {
		*rec = (struct record) { .rc = rc };
		rec->msg = records_next(rc, true, &rec->head);
		if (room < sizeof(rec->head) + rec->head.len)
			ret = -EMSGSIZE;
		else
			take(reader, rec);
	}
	spin_unlock(&reader->lock);
	return ret;
}

static bool copy(struct record *rec, struct iov_iter *to)
{
	return copy_to_iter(&rec->head, sizeof(rec->head), to) ==
	       sizeof(rec->head) &&
	       copy_to_iter(rec->data, rec->head.len, to) == rec->head.len;
}

/* Under the lock, and the reader is alive: what was copied is done with. */
static void told(struct srqpool_reader *reader, struct record *rec)
{
	if (!rec->msg)
		return;
	list_del(&rec->msg->list);
	reader->stats.messages++;
	reader->stats.bytes += rec->head.len;
	srqpool_give_back(rec->msg);
}

/* It could not be copied: it is the next of its connection again. */
static void untold(struct record *rec)
{
	if (rec->msg)
		list_move(&rec->msg->list, &rec->rc->msgs);
	else
		rec->rc->tell |= BIT(rec->head.type);
}

static bool finish_locked(struct srqpool_reader *reader, struct record *rec,
			  bool done)
{
	struct reader_conn *rc = rec->rc;

	rc->taken = false;
	if (done)
		told(reader, rec);
	else
		untold(rec);
	if (records_any(rc))
		be_ready(rc);
	return done && rec->head.type == SRQPOOL_RECORD_DOWN &&
	       reader_conn_erase(rc);
}

static int finish(struct srqpool_reader *reader, struct record *rec, bool done)
{
	struct reader_conn *rc = rec->rc;
	int ret = done ? 0 : -EFAULT;
	bool was_known = false;

	spin_lock(&reader->lock);
	if (reader->dead)
		ret = -ENODEV;
	else
		was_known = finish_locked(reader, rec, done);
	spin_unlock(&reader->lock);
	if (rec->page)
		put_page(rec->page);
	if (was_known)
		reader_conn_put(rc);
	reader_conn_put(rc);
	return ret;
}

static bool is_ready(struct srqpool_reader *reader)
{
	return READ_ONCE(reader->dead) || !list_empty_careful(&reader->outlet.ready);
}

/**
 * records_read - give a program the next record
 * @reader: the reader
 * @to: where it goes
 * @nonblock: do not wait for one
 *
 * Context: process, sleeps.
 *
 * Return: its bytes; -EINVAL in ring mode; -EAGAIN, -ERESTARTSYS, -EMSGSIZE or
 * -EFAULT and nothing is lost; -ENODEV when the pool is gone.
 */
ssize_t records_read(struct srqpool_reader *reader, struct iov_iter *to,
		     bool nonblock)
{
	struct record rec;
	int ret;

	if (reader->entries)
		return -EINVAL;
	for (;;) {
		ret = take_next(reader, &rec, iov_iter_count(to));
		if (ret != -EAGAIN || nonblock)
			break;
		ret = wait_event_interruptible(reader->wait, is_ready(reader));
		if (ret)
			return ret;
	}
	if (ret)
		return ret;
	ret = finish(reader, &rec, copy(&rec, to));
	return ret ?: sizeof(rec.head) + rec.head.len;
}

/* What poll() is to say. */
__poll_t records_poll(struct srqpool_reader *reader)
{
	if (READ_ONCE(reader->dead))
		return EPOLLHUP | EPOLLIN | EPOLLRDNORM;
	if (is_ready(reader))
		return EPOLLIN | EPOLLRDNORM | EPOLLOUT | EPOLLWRNORM;
	return EPOLLOUT | EPOLLWRNORM;
}
