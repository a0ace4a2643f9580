/* SPDX-License-Identifier: BSD-2-Clause */
/* The time that a target's threads are blocked, and that they run, as the scheduler sees it. */
#ifndef PROFBPF_TIMES_H
#define PROFBPF_TIMES_H

#include <stdbool.h>
#include <stdint.h>

struct cpus;
struct profbpf_bpf;
struct times;

/* Before the programs are loaded: has them and their tables made, or leaves them out. waits is the number of
 * threads that may be blocked at a time, by_comm whether times are kept by the names of threads. 0 or -errno. */
int times_configure(struct profbpf_bpf *bpf, bool wanted, uint32_t waits, bool by_comm);

/* The loaded programs must outlive it. 0 or -ENOMEM. */
int times_new(struct profbpf_bpf *bpf, struct times **times);
/* Accepts NULL. */
void times_free(struct times *t);

/* Watches switches. Counts from the moment that the programs' start_time says. 0 or -errno. */
int times_start(struct times *t);
/* Adds the threads that are asleep as ones that were so at the start; right after it. 0 or -errno. */
int times_find_asleep(struct times *t);
/* Counts no more, of the CPUs that are online. */
void times_stop(struct times *t, const struct cpus *online);

struct times_result {
	uint64_t blocked_ns, running_ns;
	uint64_t lost; /* waits or names that found no room: the times are not all */
};
/*
 * All since the start, of threads that are still blocked until now (CLOCK_MONOTONIC nanoseconds), of those that
 * run on the CPUs that are online too. wanted says of which threads by their names; NULL: of all. 0 or -errno.
 */
int times_read(struct times *t, const struct cpus *online, uint64_t now,
	       bool (*wanted)(void *arg, const char *comm), void *arg, struct times_result *result);

#endif
