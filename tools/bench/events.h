/* SPDX-License-Identifier: BSD-2-Clause */
/* The sampling events of the benchmark's helpers: one CPU clock an online CPU with a fixed period, as
 * profbpf opens them, without a buffer. */
#ifndef BENCH_EVENTS_H
#define BENCH_EVENTS_H

#include <errno.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Returns a descriptor that samples all of a CPU, enabled, or -errno. */
static inline int event_open(int cpu, unsigned int rate)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_CPU_CLOCK,
		.sample_period = 1000000000ull / rate,
	};
	int fd = syscall(SYS_perf_event_open, &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

#endif
