/* SPDX-License-Identifier: BSD-2-Clause */
/* Asks for the time, which the vDSO tells where the kernel's clock source allows it. Truth: calls. */
#include "common.h"

int main(int argc, char **argv)
{
	struct work_args args;
	uint64_t done = 0;
	struct timespec t;
	double start;

	parse_args(argc, argv, &args);
	gate_wait();
	start = clock_seconds(CLOCK_MONOTONIC);
	for (; work_left(&args, done, start); done++) {
		for (int i = 0; i < 1000; i++)
			clock_gettime(CLOCK_MONOTONIC, &t);
	}
	printf("{\"target\":\"clocks\",\"calls\":%llu}\n", (unsigned long long)done * 1000);
	gate_end();
	return 0;
}
