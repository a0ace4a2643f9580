// SPDX-License-Identifier: BSD-2-Clause
/*
 * Names the addresses of a file as profbpf does, for the benchmark.
 *
 *   names FILE [CACHE] <ADDRESSES       hexadecimal, one a line; the names go to stdout
 *
 * The last line on stderr is JSON: seconds of naming, and anonymous memory in KiB afterwards.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "symbolize/symbolize.h"

static int print(void *arg, size_t index, const struct symbol_frame *frames, size_t n)
{
	for (size_t i = 0; i < n; i++)
		printf("%s\n%s:%u:%u\n", frames[i].name, frames[i].file, frames[i].line,
		       frames[i].column);
	puts(n ? "" : "??\n??:0:0\n");
	return 0;
}

static size_t read_addresses(uint64_t **addresses)
{
	size_t n = 0, size = 0;
	uint64_t value;

	*addresses = NULL;
	while (scanf("%" SCNx64, &value) == 1) {
		if (n == size) {
			size = size ? 2 * size : 1024;
			*addresses = reallocarray(*addresses, size, sizeof(value));
			if (!*addresses)
				abort();
		}
		(*addresses)[n++] = value;
	}
	return n;
}

static unsigned long anonymous_kib(void)
{
	FILE *status = fopen("/proc/self/status", "r");
	unsigned long kib = 0;
	char line[256];

	while (status && fgets(line, sizeof(line), status))
		if (!strncmp(line, "RssAnon:", 8))
			kib = strtoul(line + 8, NULL, 10);
	if (status)
		fclose(status);
	return kib;
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

int main(int argc, char **argv)
{
	struct symbolizer_options options = { .cache_dir = argc > 2 ? argv[2] : NULL };
	struct symbol_source source = { .fd = -1, .path = argv[1], .root = "" };
	struct symbolizer *s = symbolizer_new(&options);
	uint64_t *addresses;
	double start;
	size_t n;
	int err;

	if (argc > 1)
		source.fd = open(argv[1], O_RDONLY | O_CLOEXEC);
	if (source.fd < 0 || !s) {
		fprintf(stderr, "usage: names FILE [CACHE] <ADDRESSES\n");
		return 2;
	}
	n = read_addresses(&addresses);
	start = now();
	err = symbolizer_object(s, &source, addresses, n, print, NULL);
	if (err || fflush(stdout)) {
		fprintf(stderr, "names: %s\n", strerror(-err));
		return 1;
	}
	start = now() - start;
	symbolizer_free(s);
	free(addresses);
	malloc_trim(0);
	fprintf(stderr, "{\"seconds\": %.6f, \"anonymous_kib\": %lu}\n", start, anonymous_kib());
	return 0;
}
