/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Fixed work on one thread, two thirds of it in a loop inlined twice over. The lines that tests look
 * for end in a comment "line: NAME". Truth: CPU seconds.
 */
#include "common.h"

#define INLINE static inline __attribute__((always_inline))

INLINE uint64_t inlined_inner(uint64_t x)
{
	for (unsigned int i = 0; i < 20000; i++) {
		x ^= x << 13; /* line: inner-first */
		x ^= x >> 7;
		x ^= x << 17; /* line: inner-last */
	}
	return x;
}

INLINE uint64_t inlined_outer(uint64_t x)
{
	return inlined_inner(x ^ 0x55) + 1; /* line: outer-call */
}

HOT_FUNCTION(spin_plain, 3)

NOINLINE uint64_t spin_round(uint64_t x);
NOINLINE uint64_t spin_round(uint64_t x)
{
	x = inlined_outer(x); /* line: round-inlined */
	x += inlined_outer(x);
	return x + spin_plain(x, 15000); /* line: round-plain */
}

int main(int argc, char **argv)
{
	struct work_args args;
	uint64_t x = 88172645463325252u, done = 0;
	double start, cpu;

	parse_args(argc, argv, &args);
	gate_wait();
	start = clock_seconds(CLOCK_MONOTONIC);
	cpu = clock_seconds(CLOCK_PROCESS_CPUTIME_ID);
	while (work_left(&args, done, start)) {
		x = spin_round(x); /* line: main-call */
		done++;
	}
	cpu = clock_seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu;
	printf("{\"target\":\"spin\",\"rounds\":%llu,\"cpu_s\":%.6f,\"wall_s\":%.6f,\"check\":%llu}\n",
	       (unsigned long long)done, cpu, clock_seconds(CLOCK_MONOTONIC) - start,
	       (unsigned long long)x);
	gate_end();
	return 0;
}
