/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The timeline of the processes: who lives, what is mapped where. Events and stacks are fed in the
 * order of their times, so that each stack is read with the mappings of its moment.
 */
#ifndef PROFBPF_TIMELINE_H
#define PROFBPF_TIMELINE_H

#include <stdbool.h>
#include <stdint.h>

#include "bpf/profbpf.h"

struct objects;
struct profile;
struct timeline;

/* The profile and the objects must outlive the timeline. Returns NULL when out of memory. */
struct timeline *timeline_new(struct profile *p, struct objects *o);
void timeline_free(struct timeline *t);

/* Makes timeline_publish tell the walker what is mapped where; u must outlive the timeline. */
struct unwinder;
void timeline_set_unwinder(struct timeline *t, struct unwinder *u);
/* Tells it what has changed since the last call. 0 or -errno. */
int timeline_publish(struct timeline *t);

/*
 * Adds a process that runs already, from /proc, once at the start or to mend what lost records
 * broke. -ESRCH if it is gone, -ENOMEM.
 */
int timeline_add_running(struct timeline *t, uint32_t pid);
bool timeline_has(const struct timeline *t, uint32_t pid);

/* Each returns 0 or -ENOMEM; what concerns an unknown process is passed over. */
int timeline_process_event(struct timeline *t, const struct process_event *e);

struct map_event {
	uint64_t time;
	uint32_t pid;
	uint64_t start, end, offset;
	uint64_t device, inode;
	const char *path; /* "//anon" and the like for memory without a file */
};
int timeline_map(struct timeline *t, const struct map_event *e);

/* A new name of a thread; exec: the process has begun a new program. */
struct comm_event {
	uint64_t time;
	uint32_t pid, tid;
	bool exec;
	const char *comm;
};
int timeline_comm(struct timeline *t, const struct comm_event *e);

struct resolved_stack {
	uint32_t process, stack; /* in the profile */
	uint32_t end; /* enum profile_end */
	uint32_t unmapped; /* user frames in no known mapping */
	bool truncated; /* frames were left out in the middle */
	bool early; /* code had no unwind table yet */
};
/* Turns a stack's addresses into locations of the profile. */
int timeline_resolve(struct timeline *t, const struct stack_record *record,
		     struct resolved_stack *resolved);

/* Forgets the processes that have exited; after all events and stacks of a drain. */
void timeline_sweep(struct timeline *t);

/*
 * A mapping that is going to be delivered: opens its file and asks for its table, as early as can be, and
 * returns 1 if it puts other code in the place of known code, else 0; -ENOMEM. The process may be one that
 * the timeline has yet to be told of.
 */
int timeline_foresee(struct timeline *t, const struct map_event *e);

/* Mappings that put other code in the place of known code. */
uint64_t timeline_replaced(const struct timeline *t);

/* Execs seen by their effect only, because the record was lost. */
uint64_t timeline_mended(const struct timeline *t);

#endif
