/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A sampling session: the kernel programs with their tables, the side-band records, and what is
 * drained from them into a profile.
 */
#ifndef PROFBPF_SESSION_H
#define PROFBPF_SESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "formats/capture.h"

struct object_file;
struct profile;
struct profile_accounting;
struct session;

struct session_options {
	bool all; /* every process is a target */
	bool children; /* of targets are targets */
	const pid_t *tids; /* only these threads, if there are any */
	size_t n_tids;
	/* Whether samples of a thread with this name are wanted; NULL: all are. */
	bool (*wanted)(void *arg, const char *comm);
	void *wanted_arg;
	unsigned int rate; /* ticks a second on each CPU */
	bool kernel; /* kernel stacks too */
	bool threads; /* session_threads is wanted */
	bool times; /* the profile is to have its accounting's times */
	uint32_t ring_bytes; /* of new stacks, a power of two; 0: by the rate */
	uint32_t counters; /* entries of a buffer's table; 0: by the rate */
	uint32_t table_chunks, ranges; /* of the unwind tables; 0: the usual number */
	uint64_t
		fail_after_ns; /* for tests of sessions with times: the clock's programs go; 0: never */
	uint32_t waits; /* threads that are blocked at a time; 0: the usual number */
};

/*
 * Loads the kernel programs and attaches all but the clock. The profile, to which two value types
 * are given (samples, cpu nanoseconds), must outlive the session. On failure *what says which step
 * failed, in words that follow "cannot"; it is static.
 */
int session_new(const struct session_options *options, struct profile *p, struct session **session,
		const char **what);
void session_free(struct session *s);

/* Adds a running process with, if they are followed, its present children. -ESRCH if it has gone. */
int session_add_process(struct session *s, pid_t pid);
/*
 * Makes the unwind tables of what a command is going to map, before it does; waits for them up to a second,
 * the rest comes while sampling. 0 or -errno.
 */
int session_expect_command(struct session *s, const char *command);
/* Adds a child of ours that waits to execute its program: sampled from then on. */
int session_add_command(struct session *s, pid_t pid);
/* Takes note of all processes that run, for a session that samples all. */
int session_add_all(struct session *s);

int session_start(struct session *s);
/* No tick comes any more when it returns. */
void session_stop(struct session *s);
/* When sampling began and ended, as session_now; 0: it has not. */
uint64_t session_began(const struct session *s);
uint64_t session_ended(const struct session *s);
/* Whether the clock's programs were found, by a drain of a session with times, to run no more though the clock
 * does; sampling ended with their last run then. */
bool session_failed(const struct session *s);

/* CLOCK_MONOTONIC nanoseconds, as the kernel programs read it. */
uint64_t session_now(void);

/* What a drain brought; belongs to the session until its next drain. */
struct slice {
	uint64_t start_ns, end_ns;
	const struct capture_sample *samples;
	size_t n;
};
/* Empties the kernel's buffers into the profile. 0 or -errno, after which the session is unusable. */
int session_drain(struct session *s, struct slice *slice);

/* An epoll descriptor that is readable when draining should not wait for its turn. */
int session_fd(const struct session *s);
/* Reads what made it readable. *urgent: code was mapped; drain now. */
int session_poll(struct session *s, bool *urgent);

/* Waits until the unwind tables that the targets need are there, timeout_ms at most. 0 or -errno. */
int session_settle_tables(struct session *s, int timeout_ms);

struct session_thread {
	uint32_t tid;
	const char *name; /* valid during the call */
	uint32_t state; /* as task_struct's __state */
	int32_t call; /* number of the system call that it is in, -1: none */
	bool running; /* on a CPU: it has no stack */
	uint32_t stack; /* in the profile, PROFILE_NONE: none */
};
/*
 * Calls fn for each thread of a target as it is now, with the stack of those that are not on a CPU;
 * nothing is counted. A negative value of fn stops and is returned; -ESRCH if the process has gone.
 */
int session_threads(struct session *s, pid_t pid,
		    int (*fn)(void *arg, const struct session_thread *thread), void *arg);

/* The paths of objects whose unwind tables found no room, or whose unwind data are damaged, a line each, in
 * a new string; NULL if there are none. */
char *session_degraded(const struct session *s, bool damaged);
/* How often a process's mappings, or one of its files, found no room in the kernel's tables. */
uint64_t session_unlisted(const struct session *s);

/* Whether any target lives; true for a session that samples all. */
bool session_has_targets(const struct session *s);

/* Whether a signal ended one of those that session_add_process was given. */
bool session_killed(const struct session *s);

/* Of all drains so far. The profile has it too. */
void session_accounting(const struct session *s, struct profile_accounting *accounting);

/* Children of targets that could not be followed because a table was full. */
uint64_t session_lost_targets(const struct session *s);
/* Waits of targets that could not be measured because a table was full. */
uint64_t session_lost_waits(const struct session *s);

/* When the first user stack was taken that reached its root without a guess, as session_now; 0: none was. */
uint64_t session_first_complete(const struct session *s);

uint64_t session_period(const struct session *s);

/* How to read the object with this id in the profile. */
struct object_file session_object(const struct session *s, uint32_t id);

#endif
