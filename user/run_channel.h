/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The run channel: a descriptor on which a runtime tells what its run was, in lines that
 * formats/contract/run_lines.h describes. The program at its other end is not trusted: lines that are not
 * right are left out and counted, and what is kept is bounded.
 */
#ifndef PROFBPF_RUN_CHANNEL_H
#define PROFBPF_RUN_CHANNEL_H

#include <stddef.h>
#include <stdint.h>

/* A line without its end, and the debug rows and logs of a run. */
#define RUN_CHANNEL_LINE ((size_t)1 << 20)
#define RUN_CHANNEL_TOTAL ((size_t)16 << 20)

struct run;
struct run_channel;

/* NULL when out of memory. */
struct run_channel *run_channel_new(void);
/* Accepts NULL. */
void run_channel_free(struct run_channel *c);

/* Takes bytes, which may be parts of lines; channel is a struct run_channel. For a struct pipe_reader. */
void run_channel_take(void *channel, const char *bytes, size_t n);
/* After the last of them: a last line may lack its end. */
void run_channel_end(struct run_channel *c);

/* What was told so far; belongs to the channel. file.s and failure.s are NULL where nothing was. */
const struct run *run_channel_run(const struct run_channel *c);
/* How many lines were left out; of the first, if there is one, its number and why, printable. */
uint64_t run_channel_left_out(const struct run_channel *c, uint64_t *line, const char **why);

#endif
