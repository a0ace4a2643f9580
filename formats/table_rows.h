/* SPDX-License-Identifier: BSD-2-Clause */
/* The rows of a table, apart from how they are written. */
#ifndef PROFBPF_TABLE_ROWS_H
#define PROFBPF_TABLE_ROWS_H

#include <stdint.h>

#include "formats/frames.h"
#include "formats/profile.h"
#include "formats/table.h"

/* Strings are clean text (see text.h) and belong to the rows. */
struct table_row {
	const char *name, *file, *object; /* "" where unknown or meaningless */
	uint32_t line, flags; /* as in struct frame */
	bool guess; /* as in struct frame */
	uint32_t pid, tid; /* rows of threads and processes */
	uint32_t depth; /* in a tree: 0 for a root */
	bool only, last; /* in a tree: the only one, or the last, that its parent has */
	uint64_t self[PROFILE_MAX_VALUES], cumulative[PROFILE_MAX_VALUES];
};

struct table_rows {
	struct table_row *row;
	uint32_t n;
	uint32_t more; /* rows left out at the end, and what they have themselves */
	uint64_t more_self[PROFILE_MAX_VALUES];
	uint64_t no_line
		[PROFILE_MAX_VALUES]; /* by line: what is in code without a line, or without a stack */
	uint64_t total[PROFILE_MAX_VALUES];
	unsigned int value; /* the type that shares are taken of */
	struct frames *frames;
	struct intern *strings;
};

/* Fill zeroed rows as the options ask. Return 0 or -ENOMEM; the rows are to be freed in any case. */
int table_rows_flat(struct table_rows *r, const struct profile *p, const struct table_options *o);
int table_rows_tree(struct table_rows *r, const struct profile *p, const struct table_options *o);
void table_rows_free(struct table_rows *r);

/* A share of the total in per cent; 0 of nothing. */
double table_percent(const struct table_rows *r, uint64_t value);

/* How frames are told apart in a table by function, line or object. */
enum frame_key table_frame_key(const struct table_options *o);
/* "function", "line", … */
const char *table_by_name(enum table_by by);

/* Writes each line of s, cleaned, after a prefix. Returns 0 or -ENOMEM. */
int table_write_lines(FILE *out, const char *prefix, const char *s);

/* Writes the rows as JSON. Returns 0 or -ENOMEM; the stream keeps its error. */
int table_write_json(const struct table_rows *r, const struct profile *p,
		     const struct table_options *o, FILE *out);

#endif
