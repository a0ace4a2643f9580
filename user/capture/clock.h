/* SPDX-License-Identifier: BSD-2-Clause */
/* The ticks: a cpu-clock event with a fixed period on each CPU, which runs a BPF program. */
#ifndef PROFBPF_CLOCK_H
#define PROFBPF_CLOCK_H

#include <stdint.h>

struct bpf_program;
struct cpus;
struct clock;

/*
 * Opens the events of the CPUs, not yet ticking. period is in nanoseconds. Returns -errno of
 * perf_event_open(2) or of the attachment.
 */
int clock_new(const struct bpf_program *program, uint64_t period, const struct cpus *cpus,
	      struct clock **clock);
void clock_free(struct clock *c);

/* Starts, or stops, the ticks of all CPUs. */
int clock_start(struct clock *c);
void clock_stop(struct clock *c);

/* Opens the events of CPUs that came online since, and closes those of CPUs that went away: their
 * events don't come back by themselves. Running if the others run. */
int clock_follow(struct clock *c, const struct cpus *cpus);

/*
 * Stops the ticks for part of a period and lets them go on. A rate that goes with the kernel's own ticks would
 * meet threads that run in turns always at the same point of their turns; after this it is another. The ticks
 * that fall out are missed ones, and are counted as such.
 */
void clock_shift(struct clock *c);

/* How long a CPU's event has been counting, in nanoseconds; the CPU itself is asked. 0 or -errno. */
int clock_counted(const struct clock *c, unsigned int cpu, uint64_t *ns);

/* Takes the program away from all events, which go on: what a failure of the collector looks like. */
void clock_detach(struct clock *c);

#endif
