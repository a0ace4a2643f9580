/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Shared by the C and C++ targets: arguments, start gate, clocks, work.
 *
 * A target takes -n ROUNDS (fixed work) or -s SECONDS (wall time) and prints one JSON object, its own
 * truth, as its last line. With TARGET_GATE=1 in the environment it waits for a byte on standard
 * input before it works, so that a test can attach first; with TARGET_GATE=2 also after the last
 * line, so that a test can look at the process while it still lives.
 */
#ifndef TARGET_COMMON_H
#define TARGET_COMMON_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline))

struct work_args {
	uint64_t rounds; /* 0: run for seconds */
	double seconds;
};

static inline double clock_seconds(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static inline void gate_wait(void)
{
	char c;

	if (getenv("TARGET_GATE") && read(0, &c, 1) < 0)
		perror("gate");
}

static inline void gate_end(void)
{
	const char *gate = getenv("TARGET_GATE");

	fflush(stdout);
	if (gate && *gate == '2')
		gate_wait();
}

/* Takes -n and -s; ends the program with status 2 for anything else. Returns the index of the first
 * operand. */
static inline int parse_args(int argc, char **argv, struct work_args *args)
{
	int c;

	args->rounds = 0;
	args->seconds = 5;
	while ((c = getopt(argc, argv, "+n:s:")) != -1) {
		if (c == 'n')
			args->rounds = strtoull(optarg, NULL, 0);
		else if (c == 's')
			args->seconds = atof(optarg);
		else
			exit(2);
	}
	return optind;
}

/* Whether work is left after done rounds since start (CLOCK_MONOTONIC). */
static inline int work_left(const struct work_args *args, uint64_t done, double start)
{
	if (args->rounds)
		return done < args->rounds;
	return clock_seconds(CLOCK_MONOTONIC) - start < args->seconds;
}

/*
 * Makes the calling function set up its frame. GCC leaves the frame pointer out of a leaf function
 * that keeps nothing on the stack, whatever the options say, and its caller would be skipped.
 */
#ifdef NO_FRAME_POINTERS
#define KEEP_FRAME()
#else
#define KEEP_FRAME() __asm__ volatile("" : : "r"(__builtin_frame_address(0)))
#endif

/* Defines a function with a loop of its own that the compiler can not shorten: the same instructions
 * under each name, so that a unit of work costs the same in each. */
#define HOT_FUNCTION(name, constant)                                                               \
	NOINLINE uint64_t name(uint64_t x, unsigned int steps);                                    \
	NOINLINE uint64_t name(uint64_t x, unsigned int steps)                                     \
	{                                                                                          \
		KEEP_FRAME();                                                                      \
		for (unsigned int i = 0; i < steps; i++) {                                         \
			x ^= x << 13;                                                              \
			x ^= x >> 7;                                                               \
			x ^= x << 17;                                                              \
			x += constant;                                                             \
		}                                                                                  \
		return x;                                                                          \
	}

/* Calls a hot function for so many seconds of wall time. */
static inline uint64_t spin_for(uint64_t (*hot)(uint64_t, unsigned int), double seconds, uint64_t x)
{
	double end = clock_seconds(CLOCK_MONOTONIC) + seconds;

	while (clock_seconds(CLOCK_MONOTONIC) < end)
		x = hot(x, 20000);
	return x;
}

#endif
