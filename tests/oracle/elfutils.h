/* SPDX-License-Identifier: BSD-2-Clause */
/* What elfutils says about a stopped thread's stack, and what it calls an address. */
#ifndef PROFBPF_ORACLE_ELFUTILS_H
#define PROFBPF_ORACLE_ELFUTILS_H

#include <stdint.h>

#include "tests/oracle/stop.h"

struct elfutils;

struct elfutils *elfutils_new(pid_t pid);
void elfutils_free(struct elfutils *e);

/* The process's mappings have changed. 0, -errno. */
int elfutils_map(struct elfutils *e);

void elfutils_walk(struct elfutils *e, const struct stop *stop, struct chain *chain);

/* The file's name and the function that holds an address; "?" where there is none. Valid until the
 * next call. */
void elfutils_name(struct elfutils *e, uint64_t address, const char **object,
		   const char **function);

#endif
