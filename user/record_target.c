// SPDX-License-Identifier: BSD-2-Clause
#include "user/record_target.h"

#include <stdio.h>

#include "user/capture/target.h"
#include "user/live.h"
#include "user/message.h"
#include "user/record_options.h"
#include "user/verb.h"

static int refuse_pid(pid_t pid, enum target_state state, pid_t process)
{
	switch (state) {
	case TARGET_GOOD:
		return 0;
	case TARGET_MISSING:
	case TARGET_ZOMBIE:
		live_say_gone(pid, state);
		break;
	case TARGET_THREAD:
		error("%d is a thread of process %d: use --pid %d, with --tid %d for this thread "
		      "alone",
		      pid, process, process, pid);
		break;
	case TARGET_KERNEL:
		error("%d is a kernel thread: profile it with --all --tid %d", pid, pid);
		break;
	}
	return EXIT_FAILED;
}

static int check_pids(const struct record_options *o)
{
	size_t i;

	for (i = 0; i < o->n_pids; i++) {
		pid_t process = 0;
		enum target_state state = target_check(o->pids[i], &process);
		int status = refuse_pid(o->pids[i], state, process);

		if (status)
			return status;
	}
	return 0;
}

static int check_mode(const struct record_options *o)
{
	if (!o->contract.memory)
		return 0;
	error("--profile-memory: a running program's memory can not be profiled: --profile tells of "
	      "its CPU time, and profbpf replay of a runtime's own allocation events");
	return EXIT_UNSUPPORTED;
}

int record_target_check(const struct record_options *o)
{
	int status = check_mode(o);

	return status ? status : check_pids(o);
}

char *record_target_describe(const struct record_options *o)
{
	char *text = NULL, **arg;
	size_t size, i;
	FILE *f = open_memstream(&text, &size);

	if (!f)
		return NULL;
	if (o->all)
		fputs("all", f);
	for (i = 0; i < o->n_pids; i++)
		fprintf(f, "%s%d", i ? "," : "pid ", o->pids[i]);
	if (o->command)
		fprintf(f, "%scommand", o->all ? ", " : "");
	for (arg = o->command; arg && *arg; arg++)
		fprintf(f, " %s", *arg);
	fclose(f);
	return text;
}
