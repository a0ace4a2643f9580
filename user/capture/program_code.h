/* SPDX-License-Identifier: BSD-2-Clause */
/* What code a program has where, copies in memory without a file included. */
#ifndef PROFBPF_PROGRAM_CODE_H
#define PROFBPF_PROGRAM_CODE_H

#include <stdint.h>

struct map_event;
struct mapping;
struct objects;
struct program;

/* The mapping that an event tells of, its file found or opened. 0 or -ENOMEM. */
int program_code_mapping(struct objects *o, const struct map_event *e, struct mapping *m);

/*
 * Adds what an event tells of to the program's mappings. 1 if other code was in its place, 0, or
 * -ENOMEM.
 */
int program_code_map(struct objects *o, struct program *g, const struct map_event *e);

/*
 * Reads the mappings and the path of a live program from /proc, and adds to *replaced those that took
 * the place of other code; nothing is changed if it is gone. 0 or -ENOMEM.
 */
int program_code_scan(struct objects *o, struct program *g, uint64_t *replaced);

/* The same once more, for code that perhaps was being copied at the last look (see program.copying). */
int program_code_look_again(struct objects *o, struct program *g, uint64_t *replaced);

#endif
