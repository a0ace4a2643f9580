/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Loads one of two libraries beside the program, works in it for 100 ms, unloads it, and loads the
 * other, which the kernel then maps at the same address. Truth: rounds, how many of them found their
 * library where the one before had been, and the CPU seconds worked in each.
 */
#include "common.h"
#include <dlfcn.h>
#include <libgen.h>
#include <limits.h>
#include <link.h>

static double seconds[2];

static int run_plugin(const char *folder, int which, uintptr_t *base)
{
	char path[PATH_MAX];
	uint64_t (*work)(uint64_t, unsigned int);
	struct link_map *map;
	void *library;
	double start;

	snprintf(path, sizeof(path), "%s/plugin_%c.so", folder, "ab"[which]);
	library = dlopen(path, RTLD_NOW);
	if (!library) {
		fprintf(stderr, "%s\n", dlerror());
		return -1;
	}
	if (dlinfo(library, RTLD_DI_LINKMAP, &map))
		return -1;
	*base = map->l_addr;
	*(void **)&work = dlsym(library, which ? "plugin_b_work" : "plugin_a_work");
	if (!work)
		return -1;
	start = clock_seconds(CLOCK_PROCESS_CPUTIME_ID);
	spin_for(work, 0.1, 1);
	seconds[which] += clock_seconds(CLOCK_PROCESS_CPUTIME_ID) - start;
	return dlclose(library);
}

int main(int argc, char **argv)
{
	struct work_args args;
	uint64_t done = 0, same = 0;
	uintptr_t base = 0, before = 0;
	char self[PATH_MAX] = "";
	const char *folder;
	double start;

	parse_args(argc, argv, &args);
	if (readlink("/proc/self/exe", self, sizeof(self) - 1) < 0)
		return 1;
	folder = dirname(self);
	gate_wait();
	start = clock_seconds(CLOCK_MONOTONIC);
	for (; work_left(&args, done, start); done++) {
		if (run_plugin(folder, (int)(done % 2), &base))
			return 1;
		same += base == before;
		before = base;
	}
	printf("{\"target\":\"dlopener\",\"rounds\":%llu,\"same_address\":%llu,"
	       "\"plugin_a_s\":%.4f,\"plugin_b_s\":%.4f}\n",
	       (unsigned long long)done, (unsigned long long)same, seconds[0], seconds[1]);
	gate_end();
	return 0;
}
