/* SPDX-License-Identifier: BSD-2-Clause */
/* Calls that do little but go through the stub of a shared library's function. */
#include "common.h"

static NOINLINE long many_calls(long x)
{
	for (int i = 0; i < 20000; i++)
		x = labs(x - i) + labs(i - x);
	return x;
}

int main(int argc, char **argv)
{
	double start = clock_seconds(CLOCK_MONOTONIC);
	struct work_args args;
	uint64_t done = 0;
	long x = 12345;

	parse_args(argc, argv, &args);
	gate_wait();
	for (; work_left(&args, done, start); done++)
		x = many_calls(x);
	printf("{\"target\":\"stubs\",\"rounds\":%llu,\"wall_s\":%.6f,\"check\":%ld}\n",
	       (unsigned long long)done, clock_seconds(CLOCK_MONOTONIC) - start, x);
	gate_end();
	return 0;
}
