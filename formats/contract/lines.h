/* SPDX-License-Identifier: BSD-2-Clause */
/* The lines of a stream, one at a time, in memory for the longest. */
#ifndef PROFBPF_CONTRACT_LINES_H
#define PROFBPF_CONTRACT_LINES_H

#include <stdint.h>
#include <stdio.h>

/* Enough for a run's captured output, each byte of it escaped. */
#define LINES_LONGEST ((size_t)256 << 20)

/* Zeroed but for in, it is at the beginning. */
struct lines {
	FILE *in;
	char *buf;
	size_t at, n, room; /* what has been read and not yet given */
	uint64_t number; /* of the line given last, from 1 */
};

void lines_free(struct lines *l);
/*
 * The next line without its end; valid until the next call. Returns 1, 0 at the end, -ENOMEM, -EMSGSIZE
 * for a line that is too long, or -errno of the failed read.
 */
int lines_next(struct lines *l, const char **line, size_t *n);

#endif
