/* SPDX-License-Identifier: BSD-2-Clause */
/* The walker of the kernel programs, compiled for the host, over tables made of the mapped files. */
#ifndef PROFBPF_ORACLE_WALKER_H
#define PROFBPF_ORACLE_WALKER_H

#include <stdint.h>

#include "tests/oracle/stop.h"

struct walker;

struct walker *walker_new(void);
void walker_free(struct walker *w);

/* The process maps what /proc/PID/maps says in this text. 0, -errno. */
int walker_map(struct walker *w, pid_t pid, const char *maps);

void walker_walk(struct walker *w, const struct stop *stop, struct chain *chain);

/* Name of an end. */
const char *walker_end(uint32_t end);

#endif
