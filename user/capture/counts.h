/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads the kernel's two buffers of counters: the table, and the array in front of it. */
#ifndef PROFBPF_COUNTS_H
#define PROFBPF_COUNTS_H

#include <stddef.h>
#include <stdint.h>

#include "bpf/profbpf.h"

struct counts;

struct counts_layout {
	int tables[2]; /* descriptors of the tables */
	int grace; /* of a map of maps that can hold a table */
	int front; /* of the mappable array */
	int accounts; /* of the array of struct tick_account, a copy a CPU */
	uint32_t entries; /* of a table */
	uint32_t cpus; /* the highest possible one, plus one */
	uint32_t copies; /* of the accounts: possible CPUs */
	uint32_t front_slots; /* a CPU and buffer */
	uint32_t *side; /* which buffer the kernel writes; in mapped memory */
};

/* The descriptors stay the caller's. 0 or -errno. */
int counts_new(const struct counts_layout *layout, struct counts **counts);
void counts_free(struct counts *c);

/*
 * Turns the kernel to the other buffer and waits until no program can be using the one that it left.
 * What was counted is then read by counts_read. *turned is a CLOCK_MONOTONIC time, in nanoseconds,
 * after the turn and before the wait: all that was counted in the buffer is older, and all programs
 * that began before it have ended. 0 or -errno.
 */
int counts_turn(struct counts *c, uint64_t *turned);

/* What the buffer that was left holds; belongs to c until its next call. A key may have several counters. */
struct counts_result {
	size_t n;
	const struct counter *counters;
	struct tick_account account; /* sum of all CPUs */
};
/* Reads and clears the buffer. 0 or -errno. */
int counts_read(struct counts *c, struct counts_result *result);

#endif
