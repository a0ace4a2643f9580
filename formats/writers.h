/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The writers: each turns a profile into one format. They write to a stdio stream that the caller
 * opened and closes, print nothing else and return 0, -ENOMEM, or -errno of the failed write. They
 * flush; a caller that needs the data on disk syncs and checks the close itself.
 */
#ifndef PROFBPF_WRITERS_H
#define PROFBPF_WRITERS_H

#include <stdbool.h>
#include <stdio.h>

struct profile;

/* gzip-compressed profile.proto. Comments carry the accounting. */
int pprof_write(const struct profile *p, FILE *out);

/* One line a stack: process;[thread;]root;…;leaf COUNT. */
struct folded_options {
	bool per_thread; /* the thread's name and id under the process */
};
int folded_write(const struct profile *p, const struct folded_options *options, FILE *out);

/* The speedscope file format; weights in nanoseconds. */
struct speedscope_options {
	bool per_thread; /* one profile a thread instead of one for all */
	const char *name; /* shown as the title, may be NULL */
};
int speedscope_write(const struct profile *p, const struct speedscope_options *options, FILE *out);

#endif
