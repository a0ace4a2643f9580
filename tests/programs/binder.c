/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Lazy binding: loads a library, calls functions of the C library through its linkage table, each for
 * the first time, and unloads it. Compiled with BINDER_LIBRARY it is that library. Truth: rounds.
 */
#include "common.h"
#include <ctype.h>
#include <dlfcn.h>
#include <libgen.h>
#include <limits.h>
#include <math.h>
#include <search.h>
#include <wchar.h>

#ifndef BINDER_NAME
#define BINDER_NAME "binder.so"
#endif

#ifdef BINDER_LIBRARY

uint64_t bind_many(uint64_t x);

uint64_t bind_many(uint64_t x)
{
	char text[64], *end;
	uint32_t word = (uint32_t)x;
	wchar_t wide[8] = L"abc";

	snprintf(text, sizeof(text), "%u", word);
	x += strtoul(text, &end, 10) + strlen(text) + (uint64_t)strcspn(text, "7");
	x += (uint64_t)atoi(text) + wcslen(wide) + (uint64_t)strcoll(text, "x");
	x += (uint64_t)sqrt((double)word) + (uint64_t)fabs(cos((double)word));
	x += (uint64_t)toupper(text[0]) + (uint64_t)strncasecmp(text, "AB", 2);
	x += (uint64_t)(strpbrk(text, "19") != NULL) + (uint64_t)(strstr(text, "12") != NULL);
	x += (uint64_t)rand_r(&word) + (uint64_t)labs((long)x);
	return x;
}

#else

int main(int argc, char **argv)
{
	char self[PATH_MAX] = "", path[PATH_MAX + 16];
	struct work_args args;
	uint64_t x = 1, done = 0;
	double start;

	parse_args(argc, argv, &args);
	if (readlink("/proc/self/exe", self, sizeof(self) - 1) < 0)
		return 1;
	snprintf(path, sizeof(path), "%s/" BINDER_NAME, dirname(self));
	gate_wait();
	start = clock_seconds(CLOCK_MONOTONIC);
	for (; work_left(&args, done, start); done++) {
		void *library = dlopen(path, RTLD_LAZY);
		uint64_t (*many)(uint64_t);

		if (!library)
			return 1;
		*(void **)&many = dlsym(library, "bind_many");
		if (!many)
			return 1;
		x = many(x);
		dlclose(library);
	}
	printf("{\"target\":\"binder\",\"rounds\":%llu,\"check\":%llu}\n", (unsigned long long)done,
	       (unsigned long long)x);
	gate_end();
	return 0;
}

#endif
