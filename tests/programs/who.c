/* SPDX-License-Identifier: BSD-2-Clause */
/* One source for two programs that differ in nothing but the name of their only function and their
 * build id. */
#include "common.h"

HOT_FUNCTION(WHO_WORK, 3)

int main(int argc, char **argv)
{
	struct work_args args;
	uint64_t x = 88172645463325252u, done = 0;
	double start;

	parse_args(argc, argv, &args);
	gate_wait();
	start = clock_seconds(CLOCK_MONOTONIC);
	for (; work_left(&args, done, start); done++)
		x = WHO_WORK(x, 20000);
	printf("{\"target\":\"who\",\"rounds\":%llu,\"check\":%llu}\n", (unsigned long long)done,
	       (unsigned long long)x);
	gate_end();
	return 0;
}
