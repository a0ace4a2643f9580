/* SPDX-License-Identifier: BSD-2-Clause */
/* The time while sampling goes on: drains, signals, the end of the target. */
#ifndef PROFBPF_RECORD_LOOP_H
#define PROFBPF_RECORD_LOOP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct launch;
struct session;
struct slice;

struct record_loop {
	struct session *session;
	struct launch *launch; /* the command, NULL: none */
	uint64_t delay_ns, duration_ns; /* duration 0: no limit */
	bool until_command_ends; /* not only until all targets have ended */
	void *arg; /* of what follows */
	/* Called after each drain, and for SIGUSR1. */
	void (*slice)(void *arg, const struct slice *slice);
	void (*snapshot)(void *arg);
	void (*progress)(void *arg, uint64_t elapsed_ns);
};

struct record_ending {
	int signal; /* SIGINT or SIGTERM that ended it, 0: none */
	uint64_t start_ns, end_ns; /* of sampling, CLOCK_MONOTONIC */
};

/* Blocks the signals that the loop answers; before any of them could come. 0 or -errno. */
int record_loop_block_signals(void);
/* Lets them through again: the next one ends the process. */
void record_loop_unblock_signals(void);

/* Samples until the end, and stops. 0 or -errno of what went wrong in the session. */
int record_loop_run(const struct record_loop *loop, struct record_ending *ending);

/* Once sampling is over: until the command has ended, or a signal comes, which goes on to the command and is
 * noted in *ending. 0 or -errno. */
int record_loop_wait(const struct record_loop *loop, struct record_ending *ending);

#endif
