/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * A server that speaks first: greet POOL COUNT SIZE
 *
 * Sends COUNT messages of SIZE bytes to everybody who connects, and hangs up when as many came
 * back. Until the pool is gone, or SIGTERM.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <srqpool/srqpool.h>

struct conn {
    struct conn *next;
    uint64_t id;
    unsigned long sent, back;
};

static struct srqpool_reader *reader;
static struct conn *conns;
static unsigned long count, size;
static char *greeting;
static volatile sig_atomic_t stopped;

static void on_signal(int number) {
    (void)number;
    stopped = 1;
}

static void die(const char *what, int error) {
    fprintf(stderr, "greet: %s: %s\n", what, strerror(error));
    exit(1);
}

/* Where the pointer to it is. */
static struct conn **find(uint64_t id) {
    struct conn **at = &conns;

    while (*at && (*at)->id != id)
        at = &(*at)->next;
    return at;
}

/* What has no room is sent when an event tells that it is writable. */
static void greet(struct conn *conn) {
    while (conn->sent < count) {
        int error = srqpool_reader_send(reader, conn->id, greeting, size, NULL);

        if (error == -EAGAIN || error == -ENOTCONN || error == -ENODEV)
            return;
        if (error)
            die("send", -error);
        conn->sent++;
    }
}

static void up(uint64_t id) {
    struct conn *conn = calloc(1, sizeof(*conn));

    if (!conn)
        die("a connection", ENOMEM);
    conn->id = id;
    conn->next = conns;
    conns = conn;
    greet(conn);
}

static void down(struct conn **at) {
    struct conn *conn = *at;

    *at = conn->next;
    free(conn);
}

/* It may be closed by its peer already. */
static void came_back(struct conn *conn) {
    if (++conn->back == count)
        srqpool_reader_hang_up(reader, conn->id);
}

static void take(const struct srqpool_event *event) {
    struct conn **at = find(event->record.conn);

    if (event->message)
        srqpool_reader_give_back(reader, event->message);
    if (event->record.type == SRQPOOL_RECORD_UP)
        up(event->record.conn);
    else if (!*at)
        return;
    else if (event->record.type == SRQPOOL_RECORD_MESSAGE)
        came_back(*at);
    else if (event->record.type == SRQPOOL_RECORD_WRITABLE)
        greet(*at);
    else if (event->record.type == SRQPOOL_RECORD_DOWN)
        down(at);
}

/* Returns when the pool is gone, or on SIGTERM. */
static void serve(void) {
    struct srqpool_event event;

    while (!stopped) {
        int error = srqpool_reader_next(reader, &event);

        if (!error)
            take(&event);
        else if (error == -EAGAIN)
            srqpool_reader_wait(reader, 1000, NULL); /* and looks at stopped once a second */
        else if (error == -ENODEV)
            return;
        else
            die("next", -error);
    }
}

int main(int argc, char **argv) {
    int error;

    if (argc != 4) {
        fprintf(stderr, "usage: greet POOL COUNT SIZE\n");
        return 2;
    }
    count = strtoul(argv[2], NULL, 10);
    size = strtoul(argv[3], NULL, 10);
    greeting = calloc(1, size + 1);
    if (!greeting)
        die("the greeting", ENOMEM);
    error = srqpool_reader_open(argv[1], NULL, &reader);
    if (error)
        die(argv[1], -error);
    signal(SIGTERM, on_signal);
    printf("attached\n");
    fflush(stdout);

    serve();
    srqpool_reader_close(reader);
    while (conns)
        down(&conns);
    free(greeting);
    return 0;
}
