/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Two processes on one CPU hand a byte to and fro over two pipes: two context switches a round, and
 * nothing else. Truth: rounds, rounds a second.
 */
#include "common.h"
#include <sched.h>
#include <sys/wait.h>

static void answer(int in, int out)
{
	char c;

	while (read(in, &c, 1) == 1 && write(out, &c, 1) == 1)
		;
	_exit(0);
}

static int pin_to_one_cpu(void)
{
	cpu_set_t all, one;

	if (sched_getaffinity(0, sizeof(all), &all))
		return -1;
	CPU_ZERO(&one);
	for (int cpu = CPU_SETSIZE - 1; cpu >= 0; cpu--) {
		if (CPU_ISSET(cpu, &all)) {
			CPU_SET(cpu, &one);
			return sched_setaffinity(0, sizeof(one), &one);
		}
	}
	return -1;
}

int main(int argc, char **argv)
{
	struct work_args args;
	int there[2], back[2];
	uint64_t done = 0;
	double start, wall;
	char c = 'x';
	pid_t pid;

	parse_args(argc, argv, &args);
	if (pin_to_one_cpu() || pipe(there) || pipe(back))
		return 1;
	gate_wait();
	pid = fork();
	if (pid < 0)
		return 1;
	if (pid == 0) {
		close(there[1]);
		close(back[0]);
		answer(there[0], back[1]);
	}
	start = clock_seconds(CLOCK_MONOTONIC);
	while ((done & 63) || work_left(&args, done, start)) {
		if (write(there[1], &c, 1) != 1 || read(back[0], &c, 1) != 1)
			return 1;
		done++;
	}
	wall = clock_seconds(CLOCK_MONOTONIC) - start;
	close(there[1]);
	waitpid(pid, NULL, 0);
	printf("{\"target\":\"pingpong\",\"rounds\":%llu,\"rounds_per_second\":%.0f}\n",
	       (unsigned long long)done, (double)done / wall);
	gate_end();
	return 0;
}
