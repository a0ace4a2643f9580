/* SPDX-License-Identifier: BSD-2-Clause */
/* What the programs note of each CPU, and whether they still run there. */
#ifndef PROFBPF_PULSE_H
#define PROFBPF_PULSE_H

#include <stdbool.h>
#include <stdint.h>

struct clock;
struct cpu_state;
struct cpus;

struct pulse {
	const struct clock *clock;
	int states; /* the array of struct cpu_state, a copy a CPU */
	uint64_t start, period; /* of the clock, nanoseconds */
};

/* Calls fn for each CPU that is possible; a negative value stops and is returned. 0 or -errno. */
int pulse_each(const struct pulse *p,
	       int (*fn)(void *arg, unsigned int cpu, const struct cpu_state *state), void *arg);

/* When the last run on any CPU was, in CLOCK_MONOTONIC nanoseconds; the start, if there was none. */
int pulse_last(const struct pulse *p, uint64_t *last);

/*
 * Whether the clock's program has stopped running on an online CPU that is not idle, while its event goes on
 * counting: *dead. Takes some ticks to make sure where it looks like it. 0 or -errno.
 */
int pulse_check(const struct pulse *p, const struct cpus *online, bool *dead);

#endif
