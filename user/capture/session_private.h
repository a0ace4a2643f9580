/* SPDX-License-Identifier: BSD-2-Clause */
/* What the parts of a session share. Used by session*.c only. */
#ifndef PROFBPF_SESSION_PRIVATE_H
#define PROFBPF_SESSION_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "bpf/profbpf.h" /* before the skeleton, which names its structs */
#include "profbpf.skel.h"
#include "user/capture/cpus.h"
#include "user/capture/session.h"

struct session {
	struct session_options options;
	struct profile *profile;
	uint64_t period;
	struct cpus cpus;
	struct profbpf_bpf *bpf;
	struct clock *clock;
	struct records *records;
	struct objects *objects;
	struct timeline *timeline;
	struct counts *counts;
	struct unwinder *unwinder;
	struct drain *drain;
	struct watch *watch; /* NULL: times are not wanted */
	uint64_t stop; /* 0: not stopped */
	pid_t *added; /* processes, by themselves */
	size_t n_added;
	bool killed; /* a signal ended one of them */
	bool failed; /* the clock's programs have stopped running */
	uint64_t start, last_drain; /* 0: not started */
	int epoll;
	uint64_t exits; /* of targets, as of the last look at them */
	unsigned int exiting; /* those that were not gone then */
};

/* Watches the records of CPUs that came online, besides those that are watched already. 0 or -errno. */
int session_watch_records(struct session *s);

/* Notes that a signal has ended a process, for session_killed. */
void session_note_killed(void *session, uint32_t pid);

/* Forgets the targets that are gone. */
void session_remove_exited(struct session *s);

#endif
