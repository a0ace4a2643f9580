/* SPDX-License-Identifier: BSD-2-Clause */
/* What /proc and /sys tell as text. The first byte chooses the parser. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "user/capture/cpus.h"
#include "user/capture/procfs.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition)
{
	if (!condition)
		abort();
}

static void fuzz_stat(const char *text)
{
	struct proc_stat stat;

	if (!proc_stat_parse(text, &stat))
		require(memchr(stat.comm, 0, sizeof(stat.comm)) && stat.state);
}

struct text {
	const char *start;
	size_t len;
};

static int check_mapping(void *arg, const struct proc_mapping *m)
{
	const struct text *t = arg;

	require(m->start < m->end);
	require(m->path >= t->start && m->path + strlen(m->path) <= t->start + t->len);
	return 0;
}

static void fuzz_maps(char *text)
{
	struct text t = { text, strlen(text) };

	require(!proc_maps_parse(text, check_mapping, &t));
}

static void fuzz_cpus(const char *text)
{
	struct cpus c;
	unsigned int cpu;

	if (cpus_parse(text, &c))
		return;
	require(c.limit > 0 && c.limit <= CPUS_MAX && cpus_has(&c, c.limit - 1));
	for (cpu = c.limit; cpu < CPUS_MAX; cpu++)
		require(!cpus_has(&c, cpu));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text;

	if (!size)
		return 0;
	text = malloc(size);
	if (!text)
		return 0;
	memcpy(text, data + 1, size - 1);
	text[size - 1] = 0;
	if (data[0] % 3 == 0)
		fuzz_stat(text);
	else if (data[0] % 3 == 1)
		fuzz_maps(text);
	else
		fuzz_cpus(text);
	free(text);
	return 0;
}
