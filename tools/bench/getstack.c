// SPDX-License-Identifier: BSD-2-Clause
/*
 * getstack OBJECT RATE PID...: takes the user stacks of processes with bpf_get_stack, RATE times a
 * second on every CPU, until SIGINT; then prints how many samples and frames there were, as JSON.
 */
#include "counts.h"
#include "events.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int fail(const char *what, int err)
{
	fprintf(stderr, "getstack: %s: %s\n", what, strerror(-err));
	return 1;
}

static int attach(const struct bpf_program *program, int rate)
{
	long cpus = sysconf(_SC_NPROCESSORS_CONF);

	for (long cpu = 0; cpu < cpus; cpu++) {
		int fd = event_open(cpu, rate);

		if (fd == -ENODEV) /* not online */
			continue;
		if (fd < 0)
			return fd;
		if (!bpf_program__attach_perf_event(program, fd))
			return -errno;
	}
	return 0;
}

static int add_pids(const struct bpf_object *object, char **pids)
{
	int map = bpf_object__find_map_fd_by_name(object, "pids");
	unsigned char one = 1;

	for (; *pids; pids++) {
		unsigned int pid = atoi(*pids);

		if (bpf_map_update_elem(map, &pid, &one, BPF_ANY))
			return -errno;
	}
	return 0;
}

static int print_counts(const struct bpf_object *object)
{
	int map = bpf_object__find_map_fd_by_name(object, ".bss"), zero = 0;
	struct counts counts;

	if (bpf_map_lookup_elem(map, &zero, &counts))
		return -errno;
	printf("{\"samples\":%llu,\"frames\":%llu}\n", counts.samples, counts.frames);
	return 0;
}

int main(int argc, char **argv)
{
	struct bpf_object *object;
	sigset_t stop;
	int err, got;

	if (argc < 4 || atoi(argv[2]) <= 0) {
		fprintf(stderr, "usage: getstack OBJECT RATE PID...\n");
		return 2;
	}
	sigemptyset(&stop);
	sigaddset(&stop, SIGINT);
	sigprocmask(SIG_BLOCK, &stop, NULL);
	object = bpf_object__open_file(argv[1], NULL);
	if (!object)
		return fail(argv[1], -errno);
	err = bpf_object__load(object);
	if (err)
		return fail("cannot load", err);
	err = add_pids(object, argv + 3);
	if (!err)
		err = attach(bpf_object__find_program_by_name(object, "get_stack"), atoi(argv[2]));
	if (err)
		return fail("cannot attach", err);
	sigwait(&stop, &got);
	err = print_counts(object);
	bpf_object__close(object);
	return err ? fail("cannot read the counts", err) : 0;
}
