/* SPDX-License-Identifier: BSD-2-Clause */
/* The text of source files whose names a profile has. */
#ifndef PROFBPF_SOURCE_FILE_H
#define PROFBPF_SOURCE_FILE_H

#include <stdbool.h>
#include <stdint.h>

/* Larger files, and those with more lines, are not read. */
#define SOURCE_FILE_MAX (16U << 20)
#define SOURCE_LINES_MAX (1U << 20)

struct source_query {
	const char *path; /* as recorded */
	const char *folder; /* another place of the tree, looked at first; NULL: none */
	const char *md5; /* of the contents, lower-case hexadecimal; NULL: unknown */
	uint64_t built_ns; /* when the program was built, CLOCK_REALTIME; 0: unknown */
};

struct source_file {
	char *path; /* where it was found */
	char *bytes;
	const char **lines; /* without their ends; line 1 is lines[0] */
	uint32_t n;
	bool newer; /* than the program; only looked at where there is no MD5 */
};

/*
 * Looks for the file in the folder (below it by the whole path, else by as much of the path's end as
 * leads to one), at its path, and in the current directory likewise. With an MD5 only a file with those
 * contents is taken.
 *
 * Returns 0, and a file that the caller frees; -ENOENT; -ESTALE (one is there, with other contents);
 * -EACCES; -ENOTSUP (not a regular file); -EFBIG; -ENOMEM; -errno.
 */
int source_file_read(const struct source_query *query, struct source_file **file);
/* Accepts NULL. */
void source_file_free(struct source_file *file);

#endif
