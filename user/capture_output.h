/* SPDX-License-Identifier: BSD-2-Clause */
/* What a command wrote to one of its outputs: its beginning, and how much was cut off behind it. */
#ifndef PROFBPF_CAPTURE_OUTPUT_H
#define PROFBPF_CAPTURE_OUTPUT_H

#include <stddef.h>
#include <stdint.h>

/* Zeroed but for limit, nothing has come. */
struct capture_output {
	size_t limit; /* bytes kept at most */
	char *bytes; /* NULL: none */
	size_t n, room;
	uint64_t cut; /* bytes that were not kept: over the limit, or for want of memory */
};

/* Takes bytes; output is a struct capture_output. For a struct pipe_reader. */
void capture_output_take(void *output, const char *bytes, size_t n);
/* After the last of them: a UTF-8 character that was cut in two goes whole. */
void capture_output_end(struct capture_output *o);
void capture_output_clear(struct capture_output *o);

#endif
