/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Starts the command to be profiled: first a process that waits, so that sampling can be set up for
 * its pid, then the program in it. Behind sudo it runs as the user who called sudo.
 */
#ifndef PROFBPF_LAUNCH_H
#define PROFBPF_LAUNCH_H

#include <stdbool.h>
#include <sys/types.h>

struct launch;

/* Names the descriptor of the run channel to the command. */
#define LAUNCH_RUN_VARIABLE "PROFBPF_RUN_FD"

/* Pipes' ends that the command writes to, each above standard error. */
struct launch_outputs {
	int out, err; /* its standard output and error */
	int run; /* the run channel, at a number that the environment tells */
};

/*
 * Forks a child that waits for launch_start. argv is NULL-terminated and copied by the fork. The
 * child keeps standard input, and output and error where outputs is NULL; its signals are as at the
 * start of a program. If this process dies first, the child ends without running anything. Returns 0
 * or -errno. The outputs stay the caller's.
 */
int launch_prepare(char *const argv[], const struct launch_outputs *outputs,
		   struct launch **launch);

pid_t launch_pid(const struct launch *launch);
/* Readable for poll(2) once the child has ended; belongs to launch. */
int launch_pidfd(const struct launch *launch);

/*
 * Lets the child execute the program, searched in PATH as its user. Returns 0 once the program
 * runs, or -errno of what failed; the child has gone then.
 */
int launch_start(struct launch *launch);
/* The exit status of a shell for a program that could not be executed: 127 for -ENOENT, else 126. */
int launch_failure_status(int error);

/* Looks whether the child has ended, and reaps it. 1: ended, 0: not yet, -errno. */
int launch_try_wait(struct launch *launch);
/* Waits for it. Returns 0 or -errno. */
int launch_wait(struct launch *launch);
/* Sends a signal, unless the child has been reaped already. Returns 0 or -errno. */
int launch_signal(struct launch *launch, int number);
/* Of an ended child: its status, or 128 + the signal that ended it. */
int launch_exit_status(const struct launch *launch);
/* Of an ended child: the signal that ended it, 0 if none did. */
int launch_signal_ended(const struct launch *launch);

/* A child that was not started goes without having run anything; a started one goes on. Accepts
 * NULL. */
void launch_free(struct launch *launch);

#endif
