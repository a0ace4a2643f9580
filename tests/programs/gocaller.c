/* SPDX-License-Identifier: BSD-2-Clause */
/* A program of C's that works in Go's code, from a library or an archive. Truth: its rounds. */
#include "common.h"

extern uint64_t goOuter(uint64_t x);

static NOINLINE uint64_t call_go(uint64_t x)
{
	return goOuter(x) + 1;
}

int main(int argc, char **argv)
{
	struct work_args args;
	uint64_t x = 1, done = 0;
	double start;

	parse_args(argc, argv, &args);
	gate_wait();
	start = clock_seconds(CLOCK_MONOTONIC);
	for (; work_left(&args, done, start); done++)
		x = call_go(x);
	printf("{\"target\":\"gocaller\",\"rounds\":%llu,\"check\":%llu}\n",
	       (unsigned long long)done, (unsigned long long)x);
	gate_end();
	return 0;
}
