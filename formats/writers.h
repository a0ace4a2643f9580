/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The writers: each turns a profile into one format. They write to a stdio stream that the caller
 * opened and closes, print nothing else and return 0, -ENOMEM, or -errno of the failed write. They
 * flush; a caller that needs the data on disk syncs and checks the close itself.
 *
 * Names come from targets and may hold any bytes: control characters and bytes that are not UTF-8 are
 * written \xNN. Equal profiles are written alike, whatever the order in which they were filled.
 */
#ifndef PROFBPF_WRITERS_H
#define PROFBPF_WRITERS_H

#include <stdbool.h>
#include <stdio.h>

struct profile;

/*
 * gzip-compressed profile.proto. Comments carry the accounting and the notes; samples have the labels
 * thread, thread_id, process and pid. Code without names is left to the viewer, by build id.
 */
int pprof_write(const struct profile *p, FILE *out);

/*
 * One line a stack: process;[thread [TID];]root;…;leaf COUNT, with ":" for ";" in names and the
 * suffixes _[k] kernel, _[i] inlined, _[j] generated code. COUNT is the first value, the samples: the
 * lines add up to the profile's.
 */
struct folded_options {
	bool per_thread; /* the thread's name and id under the process */
};
int folded_write(const struct profile *p, const struct folded_options *options, FILE *out);

/*
 * The speedscope file format; weights in nanoseconds of CPU time. Stacks are added up: their order is
 * not that of time. With one profile for all, processes are the frames at the root.
 */
struct speedscope_options {
	bool per_thread; /* one profile a thread instead of one for all */
};
int speedscope_write(const struct profile *p, const struct speedscope_options *options, FILE *out);

#endif
