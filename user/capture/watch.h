/* SPDX-License-Identifier: BSD-2-Clause */
/* What a bottleneck report needs of a session besides samples: the times of the target's threads, and whether
 * the clock's programs still run. */
#ifndef PROFBPF_WATCH_H
#define PROFBPF_WATCH_H

#include <stdbool.h>
#include <stdint.h>

struct clock;
struct cpus;
struct profbpf_bpf;
struct profile_accounting;
struct watch;

/* All stay the caller's and must outlive the watch. */
struct watch_sources {
	struct profbpf_bpf *bpf; /* loaded, its times configured */
	struct clock *clock;
	const struct cpus *online; /* as of now, always */
	uint64_t period; /* of the clock, nanoseconds */
	uint64_t fail_after_ns; /* for tests: the clock's programs go; 0: never */
	bool (*wanted)(void *arg, const char *comm); /* may be NULL */
	void *wanted_arg;
};

/* 0 or -ENOMEM. */
int watch_new(const struct watch_sources *sources, struct watch **watch);
/* Accepts NULL. */
void watch_free(struct watch *w);

/* Before the programs' start_time is set, and right after it and the start of the clock. 0 or -errno. */
int watch_attach(struct watch *w);
int watch_start(struct watch *w, uint64_t start);
/* At the end of sampling, a CLOCK_MONOTONIC time. */
void watch_stop(struct watch *w, uint64_t end);

/* Looks at the clock and at the times, some milliseconds of work at most but where the clock seems dead; after
 * the end too, once. 0 or -errno. */
int watch_look(struct watch *w);
/* Whether the clock was found to be dead, by then: the time of the last run, and nothing goes on. */
bool watch_failed(const struct watch *w, uint64_t *end);

/* Adds the times as of the last look, if they are known. */
void watch_accounting(const struct watch *w, struct profile_accounting *a);
/* Waits whose times are not known because a table was full. */
uint64_t watch_lost(const struct watch *w);

#endif
