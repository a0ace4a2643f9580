/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Processes that come and go.
 *
 *   forker [-n ROUNDS | -s SECONDS] storm            children that work 5 ms and exit, every second
 *                                                    one through exec of this program (as "short")
 *   forker [-s SECONDS] exec PROGRAM [ARG…]          works in before_exec, then becomes PROGRAM
 *   forker short                                     what storm executes
 *
 * Truth of storm: children in all, and how many of them went through exec.
 */
#include "common.h"
#include <sys/wait.h>

HOT_FUNCTION(parent_work, 3)
HOT_FUNCTION(child_work, 5)
HOT_FUNCTION(short_work, 7)
HOT_FUNCTION(before_exec, 9)

static uint64_t sum;

static NOINLINE void run_child(int through_exec, char **argv)
{
	if (!through_exec) {
		sum += spin_for(child_work, 0.005, 1);
		_exit(0);
	}
	execl("/proc/self/exe", argv[0], "short", (char *)NULL);
	_exit(127);
}

static int storm(const struct work_args *args, char **argv)
{
	double start = clock_seconds(CLOCK_MONOTONIC);
	uint64_t children = 0, executed = 0;

	while (work_left(args, children, start)) {
		int through_exec = children % 2 == 1;
		pid_t pid = fork();

		if (pid < 0)
			return 1;
		if (pid == 0)
			run_child(through_exec, argv);
		children++;
		executed += (uint64_t)through_exec;
		sum += spin_for(parent_work, 0.001, sum);
		if (waitpid(pid, NULL, 0) != pid)
			return 1;
	}
	printf("{\"target\":\"forker\",\"children\":%llu,\"executed\":%llu,\"check\":%llu}\n",
	       (unsigned long long)children, (unsigned long long)executed, (unsigned long long)sum);
	gate_end();
	return 0;
}

int main(int argc, char **argv)
{
	struct work_args args;
	int at = parse_args(argc, argv, &args);

	if (at >= argc)
		return 2;
	if (strcmp(argv[at], "short") == 0) {
		sum += spin_for(short_work, 0.005, 1);
		return sum == 0;
	}
	gate_wait();
	if (strcmp(argv[at], "storm") == 0)
		return storm(&args, argv);
	if (strcmp(argv[at], "exec") != 0 || at + 1 >= argc)
		return 2;
	sum += spin_for(before_exec, args.seconds, 1);
	unsetenv("TARGET_GATE");
	execv(argv[at + 1], argv + at + 1);
	perror(argv[at + 1]);
	return sum ? 127 : 126;
}
