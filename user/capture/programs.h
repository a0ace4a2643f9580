/* SPDX-License-Identifier: BSD-2-Clause */
/* The programs that live now: what the timeline knows of each, found by pid. */
#ifndef PROFBPF_PROGRAMS_H
#define PROFBPF_PROGRAMS_H

#include <stdbool.h>
#include <stdint.h>

#define HASH_NONFATAL_OOM 1
#include <uthash.h>

struct mappings;

/* A process instance between two execs. */
struct program {
	uint32_t pid, parent_pid;
	uint64_t start; /* CLOCK_BOOTTIME nanoseconds, 0: known in clock ticks only */
	uint64_t start_ticks; /* as /proc tells it */
	uint32_t epoch;
	bool epoch_known, exited;
	bool unpublished; /* the walker does not know its mappings as they are */
	unsigned int copying; /* looks left at code that perhaps is being copied */
	bool exec_pending; /* its exec was seen as a new name, its number comes with the event */
	char name[64];
	char *exe; /* owned; NULL: not known yet */
	uint64_t begin, end;
	struct mappings *mappings; /* owned */
	uint32_t id; /* in the profile, PROFILE_NONE before its first sample */
	UT_hash_handle hh;
};

/* A table of programs: NULL is the empty one. The programs are the table's. */
struct program *programs_find(struct program *table, uint32_t pid);

/* A new program of the pid, without mappings, in place of the one that it had. NULL when out of memory. */
struct program *programs_add(struct program **table, uint32_t pid);

/*
 * The instance of old goes on from that time as another program, about whose code and name nothing is
 * known yet. Frees old, also where it returns NULL, for want of memory.
 */
struct program *programs_succeed(struct program **table, const struct program *old, uint64_t time);

void programs_drop(struct program **table, struct program *g);
void programs_free(struct program **table);

#endif
