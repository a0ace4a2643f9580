/* SPDX-License-Identifier: BSD-2-Clause */
/* From the kernel's buffers into the profile. */
#ifndef PROFBPF_DRAIN_H
#define PROFBPF_DRAIN_H

#include <stdbool.h>
#include <stdint.h>

struct counts;
struct drain;
struct profile;
struct profile_accounting;
struct records;
struct slice;
struct timeline;

/* All stay the caller's and must outlive the drain. */
struct drain_sources {
	struct profile *profile;
	struct timeline *timeline;
	struct records *records;
	struct counts *counts;
	int stacks, events; /* ring buffers */
	int targets; /* the table of them; -1: all are */
	int seen; /* the array of stacks that have crossed, whole pages */
	uint32_t seen_slots;
	uint32_t *generation; /* of code, which the kernel hashes into each stack */
	uint64_t period; /* nanoseconds a tick stands for */
	bool (*wanted)(void *arg, const char *comm); /* may be NULL */
	void *wanted_arg;
	/* Told of each target that a signal ended. */
	void (*killed)(void *arg, uint32_t pid);
	void *killed_arg;
};

/* 0 or -errno. */
int drain_new(const struct drain_sources *sources, struct drain **drain);
void drain_free(struct drain *d);

/* Takes what the kernel counted since the last run into the profile; the slice's samples belong to d
 * until the next run. 0 or -errno. */
int drain_run(struct drain *d, struct slice *slice);

/* Reads the records that have come. *urgent: a run should not wait. */
int drain_poll(struct drain *d, bool *urgent);

/* Adds ticks that no run will count. */
void drain_add_idle(struct drain *d, uint64_t ticks);

/* What all runs so far counted: ticks, drops, ends. */
const struct profile_accounting *drain_accounting(const struct drain *d);

/* CLOCK_MONOTONIC nanoseconds of the first user stack that reached its root without a guess; 0: there was
 * none. */
uint64_t drain_first_complete(const struct drain *d);

#endif
