/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Processes made by vfork and posix_spawn, as fast as it goes: children that share their parent's
 * memory until they execute this program again, which ends at once. Truth: children.
 */
#include "common.h"
#include <spawn.h>
#include <sys/wait.h>

extern char **environ;
static volatile uint64_t sum;

HOT_FUNCTION(child_work, 3)
HOT_FUNCTION(parent_work, 5)

static NOINLINE void vfork_child(char **argv)
{
	sum += child_work(sum, 3000);
	execv("/proc/self/exe", argv);
	_exit(127);
}

static NOINLINE pid_t by_vfork(char **argv)
{
	pid_t pid = vfork();

	if (!pid)
		vfork_child(argv);
	return pid;
}

static NOINLINE pid_t by_spawn(char **argv)
{
	posix_spawn_file_actions_t actions;
	pid_t pid = -1;

	if (posix_spawn_file_actions_init(&actions))
		return -1;
	for (int fd = 10; fd < 40; fd++)
		if (posix_spawn_file_actions_addclose(&actions, fd))
			return -1;
	if (posix_spawn(&pid, "/proc/self/exe", &actions, NULL, argv, environ))
		pid = -1;
	posix_spawn_file_actions_destroy(&actions);
	return pid;
}

int main(int argc, char **argv)
{
	char name[] = "spawner", rounds[] = "-n1", operand[] = "short";
	char *again[] = { name, rounds, operand, NULL };
	struct work_args args;
	uint64_t done = 0;
	double start;
	int at = parse_args(argc, argv, &args);

	if (at < argc)
		return strcmp(argv[at], "short") ? 2 : 0;
	gate_wait();
	start = clock_seconds(CLOCK_MONOTONIC);
	for (; work_left(&args, done, start); done++) {
		pid_t pid = done % 2 ? by_vfork(again) : by_spawn(again);

		if (pid < 0 || waitpid(pid, NULL, 0) != pid)
			return 1;
		sum += parent_work(sum, 3000);
	}
	printf("{\"target\":\"spawner\",\"children\":%llu}\n", (unsigned long long)done);
	gate_end();
	return 0;
}
