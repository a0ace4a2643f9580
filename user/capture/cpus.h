/* SPDX-License-Identifier: BSD-2-Clause */
/* Lists of CPUs as the kernel writes them: "0-3,8". */
#ifndef PROFBPF_CPUS_H
#define PROFBPF_CPUS_H

#include <stdbool.h>
#include <stddef.h>

#define CPUS_MAX 8192 /* CONFIG_NR_CPUS is not larger on any distribution */

struct cpus {
	unsigned char set[CPUS_MAX / 8];
	unsigned int limit; /* the highest in the set, plus one */
};

static inline bool cpus_has(const struct cpus *c, unsigned int cpu)
{
	return cpu < CPUS_MAX && (c->set[cpu / 8] >> (cpu % 8) & 1);
}

/* -EINVAL, with *cpus untouched, for a text that is no list. */
int cpus_parse(const char *text, struct cpus *cpus);

/* The CPUs that are online now, or that can ever be, or -errno. */
int cpus_online(struct cpus *cpus);
int cpus_possible(struct cpus *cpus);

#endif
