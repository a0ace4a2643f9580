/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One function that spends half of its time in one line, a fifth in another and the rest in what a third
 * calls; the lines end in a comment "line: NAME". Truth: the shares, by the thread's clock.
 */
#include "common.h"

#define UNIT 2000

/* A loop on one line. */
#define BURN(x, units)                                                                             \
	for (unsigned int i = 0; i < (units)*UNIT; i++) {                                          \
		x ^= x << 13;                                                                      \
		x ^= x >> 7;                                                                       \
		x ^= x << 17;                                                                      \
	}

static double seconds[3];

NOINLINE uint64_t callee(uint64_t x);
NOINLINE uint64_t callee(uint64_t x)
{
	BURN(x, 30) /* line: callee */
	return x;
}

static inline __attribute__((always_inline)) void note(unsigned int i, double *last)
{
	double now = clock_seconds(CLOCK_PROCESS_CPUTIME_ID);

	seconds[i] += now - *last;
	*last = now;
}

NOINLINE uint64_t spend(uint64_t x);
NOINLINE uint64_t spend(uint64_t x)
{
	double last = clock_seconds(CLOCK_PROCESS_CPUTIME_ID);

	BURN(x, 50) /* line: half */
	note(0, &last);
	BURN(x, 20) /* line: fifth */
	note(1, &last);
	x = callee(x); /* line: call */
	note(2, &last);
	return x;
}

int main(int argc, char **argv)
{
	struct work_args args;
	uint64_t x = 88172645463325252u, done = 0;
	double start, all;

	parse_args(argc, argv, &args);
	gate_wait();
	start = clock_seconds(CLOCK_MONOTONIC);
	for (; work_left(&args, done, start); done++)
		x = spend(x);
	all = seconds[0] + seconds[1] + seconds[2];
	printf("{\"target\":\"lines\",\"rounds\":%llu,\"half\":%.4f,\"fifth\":%.4f,\"call\":%.4f,"
	       "\"check\":%llu}\n",
	       (unsigned long long)done, seconds[0] / all, seconds[1] / all, seconds[2] / all,
	       (unsigned long long)x);
	gate_end();
	return 0;
}
