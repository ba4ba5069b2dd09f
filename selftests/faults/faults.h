/* SPDX-License-Identifier: GPL-2.0 */
/* faults: the parts of the program `faults`. Functions that return int give 0 or an errno. */
#ifndef FAULTS_FAULTS_H
#define FAULTS_FAULTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define POOL		"f0"
#define DEVICE		"rxe0"
#define ADDR		"10.7.0.1"
#define PORT		7481
/* For what comes about by itself, on the debug kernel. */
#define SETTLE_SECONDS	60

/**
 * struct command - what is to fail
 * @name: of the command
 * @setup: makes what it works on
 * @run: the command, once; what is between fault_begin() and fault_end() fails
 * @undo: after it succeeded: everything is as it was after @setup
 * @may_not_allocate: it is no mistake if nothing fails
 * @by_module: what fails are the allocations of the module, in any thread
 * @errors: what it may give besides ENOMEM and ENOBUFS
 */
struct command {
	const char *name;
	int (*setup)(void);
	int (*run)(void);
	int (*undo)(void);
	bool may_not_allocate;
	const char *by_module;
	int errors[4];
};

/* Each up to one without a name. */
extern const struct command netlink_commands[], device_commands[], connect_commands[];

/* main: says what is wrong, and ends. */
_Noreturn void die(const char *format, ...);

/* fault: the n-th allocation of this thread fails, or of the module. */
void fault_init(void);
bool fault_by_module(const char *kind);
void fault_set(long n);
void fault_begin(void);
void fault_end(void);
bool fault_was_hit(void);

/* state: what there is. */
#define STATE_BYTES	32768
struct state {
	char config[STATE_BYTES];	/* which objects, and how they were asked for */
	char all[STATE_BYTES];		/* and what they have */
};

void state_init(void);
void state_read(struct state *state);
bool state_is(const struct state *wanted);
bool state_settles(const struct state *wanted);
bool state_settles_config(const struct state *wanted);
void state_wait_conns(unsigned int up);

/* netlink: the commands of the family. */
extern unsigned int netlink_objects;	/* that the last command told of */
extern bool netlink_unsure;		/* it may have been carried out, though it failed */
void netlink_init(void);
int netlink_setup_pool(void);
int netlink_listen(uint32_t mode);
int netlink_clean(void);

/* device: /dev/srqpool. */
int device_setup_ring(void);
void device_clean(void);

/* client: a peer with one connection. */
int client_connect(void);
int client_send(void);
void client_close(void);

/* leaks: what kmemleak finds. */
int leaks_known(void);
int leaks_scan(void);

#endif /* FAULTS_FAULTS_H */
