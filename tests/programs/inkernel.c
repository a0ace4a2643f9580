/* SPDX-License-Identifier: BSD-2-Clause */
/* Spends its time in BPF programs of its own: those of inkernel.bpf.o, which lies beside it. */
#include <bpf/libbpf.h>

#include "common.h"

/* Attaches one of the programs, to the function of another one if given. Returns its descriptor, which
 * lives until the end, or a negative number. */
static int attach(const char *path, const char *name, int outer)
{
	struct bpf_object *object = bpf_object__open_file(path, NULL);
	struct bpf_program *program, *chosen = NULL;
	struct bpf_map *map;
	size_t size;

	if (!object)
		return -1;
	bpf_object__for_each_program(program, object)
	{
		bpf_program__set_autoload(program, !strcmp(bpf_program__name(program), name));
		if (bpf_program__autoload(program))
			chosen = program;
	}
	map = bpf_object__find_map_by_name(object, ".rodata");
	if (!chosen || !map)
		return -1;
	*(int *)bpf_map__initial_value(map, &size) = getpid();
	if (outer >= 0 && bpf_program__set_attach_target(chosen, outer, "burn_time"))
		return -1;
	if (bpf_object__load(object) || !bpf_program__attach(chosen))
		return -1;
	return bpf_program__fd(chosen);
}

int main(int argc, char **argv)
{
	struct work_args args;
	uint64_t done = 0;
	char path[4096];
	double start;
	int outer;

	parse_args(argc, argv, &args);
	libbpf_set_print(NULL);
	snprintf(path, sizeof(path), "%s.bpf.o", argv[0]);
	outer = attach(path, "burn_time", -1);
	if (outer < 0)
		return 1;
	attach(path, "burn_more", outer); /* which not every kernel allows */
	gate_wait();
	start = clock_seconds(CLOCK_MONOTONIC);
	for (; work_left(&args, done, start); done++)
		getsid(0);
	printf("{\"target\":\"inkernel\",\"rounds\":%llu}\n", (unsigned long long)done);
	gate_end();
	return 0;
}
