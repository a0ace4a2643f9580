/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What became of the ticks between two runs of the clock's program on a CPU. */
#ifndef PROFBPF_TICKS_H
#define PROFBPF_TICKS_H

#include "bpf/profbpf.h"

/* Ticks that have passed with a run, itself included. */
struct ticks {
	__u64 own; /* for what the run has found; 0: even its own tick was stolen, or counted before */
	__u64 idle, stolen;
};

/* The CPU has been idle until now. What was stolen meanwhile, as it was late to wake up, was idle time, too. */
static inline __attribute__((always_inline)) void ticks_end_idle(struct cpu_state *cpu, __u64 now,
								 __u64 stolen)
{
	if (!cpu->idle_since)
		return;
	cpu->idle += now - cpu->idle_since;
	cpu->idle_since = 0;
	cpu->stolen += stolen - cpu->idle_stolen;
}

/*
 * The ticks of a run, and those missed since the last one on this CPU. The clock keeps its phase and a run can
 * only be late, so whole periods are counted (a small jitter allowed for) and the rest is carried to
 * the next run: over a recording the sum is the time that passed. The rest of stolen time is carried likewise:
 * most of it is shorter than a period. Times are nanoseconds; stolen is all that has been since boot.
 */
static inline __attribute__((always_inline)) struct ticks ticks_passed(struct cpu_state *cpu,
								       __u64 now, __u64 stolen,
								       __u64 period)
{
	__u64 n = (now - cpu->last + period / 8) / period;
	struct ticks t = { 0 };

	cpu->last += n * period;
	if (stolen < cpu->stolen) /* counted anew: the CPU was off meanwhile */
		cpu->stolen = stolen;
	t.stolen = (stolen - cpu->stolen) / period;
	if (t.stolen > n)
		t.stolen = n;
	cpu->stolen += t.stolen * period;
	t.own = n - t.stolen;
	if (t.own > 1 && cpu->idle) {
		t.idle = cpu->idle / period + 1;
		if (t.idle >= t.own)
			t.idle = t.own - 1;
		t.own -= t.idle;
	}
	cpu->idle = 0;
	return t;
}

#endif
