/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Output files: a format by extension or name, a temporary name until complete, the ownership of
 * the user behind sudo.
 */
#ifndef PROFBPF_OUTPUT_H
#define PROFBPF_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct contract_options;
struct profile;

enum output_format {
	OUTPUT_CAPTURE,
	OUTPUT_PPROF,
	OUTPUT_FOLDED,
	OUTPUT_SPEEDSCOPE,
	OUTPUT_TABLE,
	OUTPUT_TOON, /* the bottleneck report */
	OUTPUT_JSON, /* likewise */
};

/* The format that a name like "pprof" or a path's extension stands for; -EINVAL if none does. */
int output_format_by_name(const char *name, enum output_format *format);
int output_format_by_path(const char *path, enum output_format *format);
/* "a, b, c": the names, and the extensions, for error messages and help. */
const char *output_format_names(void);
const char *output_format_extensions(void);
/* Whether it is a form of the bottleneck report. */
bool output_format_is_report(enum output_format format);

struct output;

/* Whether a path stands for this process's standard output. */
bool output_path_is_stdout(const char *path);

/*
 * Opens a temporary file in path's folder. With keep_old an existing file is renamed to path.old at
 * the commit. Fails at once with -errno if the folder is missing or not writable or path is a
 * folder, so call it before work begins; nothing exists under the final name until output_commit.
 *
 * "-", /dev/stdout and the like, devices, pipes and sockets are written to directly. A symbolic
 * link to a file is replaced, not followed: a profiler that runs as root must not be led to write
 * elsewhere.
 */
int output_open(const char *path, bool keep_old, struct output **out);
/* Belongs to out; has no file descriptor of its own (fileno(3) fails). */
FILE *output_stream(struct output *out);
/* Whether it goes to a terminal, and how many columns that has (0: unknown). */
bool output_is_terminal(const struct output *out, unsigned int *width);
const char *output_path(const struct output *out);
/* Whether it is a file that gets its name at the commit, not a device, pipe or the like. */
bool output_is_file(const struct output *out);
/* Flushes, gives the file to SUDO_UID/SUDO_GID if set and we are root, renames. Frees out in any
 * case; on failure the temporary file is removed and -errno returned. */
int output_commit(struct output *out);
/* Removes the temporary file. Accepts NULL. Frees out. */
void output_discard(struct output *out);

/* Removes the temporary files of all outputs that are open, and frees nothing. Async-signal-safe:
 * for the moment before the process dies. */
void output_discard_all(void);
/* Lets SIGHUP, SIGINT and SIGTERM remove the temporary files before they end the process. */
void output_discard_on_signals(void);

/* Says why path could not be opened or written (error is -errno), with the remedy. */
void output_say_failed(const char *path, int error);

struct output_options {
	bool per_thread;
	unsigned int
		max_depth; /* innermost frames kept, 0: all; the capture and the table keep all */
	/* Of bottleneck reports; NULL: the usual. With --profile the text is one too, not the table. */
	const struct contract_options *contract;
};

/* Writes the profile in a format. options may be NULL. Returns 0 or -errno. */
int output_profile(const struct profile *p, enum output_format format,
		   const struct output_options *options, FILE *out);

#endif
